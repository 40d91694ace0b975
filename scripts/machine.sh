# shellcheck shell=bash
# What a machine must have before Agon builds on it, and how it gets that:
# from Debian's packages, and from nowhere else. Sourced by ./run and ./test.

# Probe (a path, which may be a pattern, or a command), then the packages that bring it.
# The first two build Agon; the rest also compile and run contestants' bots, for which
# only what lies under /usr is of use, since the jail shows bots nothing else.
product_packages() {
    cat <<'LIST'
/usr/bin/gcc                            gcc libc6-dev
/usr/bin/g++                            g++
/usr/bin/python3                        python3
/usr/bin/javac                          default-jdk-headless
/usr/bin/node                           nodejs
/usr/bin/mcs                            mono-mcs
/usr/bin/mono                           mono-runtime
/usr/bin/kotlinc                        kotlin
/usr/bin/tsc                            node-typescript
/usr/bin/ruby                           ruby
/usr/bin/luajit                         luajit
/usr/bin/php                            php-cli
/usr/share/perl/5*/Math/BigInt.pm       perl
/usr/bin/fpc                            fp-compiler
/usr/bin/ldc2                           ldc
/usr/lib/postgresql/*/bin/postgres      postgresql
/etc/ssl/certs/ca-certificates.crt      ca-certificates
npm                                     npm
LIST
}

test_packages() {
    cat <<'LIST'
/usr/bin/chromium                       chromium
/usr/share/fonts/truetype/dejavu        fonts-dejavu-core
/usr/lib/python3*/ensurepip             python3-venv
/usr/lib/python3/dist-packages/yaml     python3-yaml
shellcheck                              shellcheck
/usr/bin/ocamlopt                       ocaml-nox
/usr/bin/linux.uml                      user-mode-linux
/usr/bin/ip                             iproute2
LIST
}

say() { printf '== %s\n' "$*"; }

die() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "needs root for: $* (neither root nor sudo here)"
    fi
}

is_here() {
    case $1 in
    /*) compgen -G "$1" >/dev/null ;;
    *) command -v "$1" >/dev/null ;;
    esac
}

# Reads a list as above and installs what it finds missing. Quick where nothing is.
install_missing() {
    local probe packages
    local missing=()
    while read -r probe packages; do
        # shellcheck disable=SC2206 # one entry may name several packages
        is_here "$probe" || missing+=($packages)
    done
    [ ${#missing[@]} -eq 0 ] || apt_install "${missing[@]}"
}

apt_install() {
    command -v apt-get >/dev/null ||
        die "missing here: $* (names as in Debian; there is no apt-get to install them with)"
    apt_update
    say "installing, which can take some minutes: $*"
    # Agon runs a private Postgres; a cluster of Debian's would only hold memory and a port.
    local no_cluster=/etc/postgresql-common/createcluster.d/agon.conf
    case " $* " in
    *" postgresql "*)
        as_root mkdir -p "${no_cluster%/*}"
        echo 'create_main_cluster = false' | as_root tee "$no_cluster" >/dev/null
        ;;
    esac
    local status=0 log
    log=$(mktemp)
    # Nothing is removed to make room: whose machine it is decides that.
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
        --no-remove -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "$@" </dev/null >"$log" 2>&1 || status=$?
    as_root rm -f "$no_cluster"
    [ "$status" -eq 0 ] || tail -n 40 "$log" >&2
    rm -f "$log"
    [ "$status" -eq 0 ] || die "apt-get could not install: $*"
}

# Once per script: lists go out of date, but not within minutes.
apt_update() {
    [ -z "${lists_are_fresh:-}" ] || return 0
    say "reading the package lists"
    as_root apt-get update -qq -o DPkg::Lock::Timeout=300 </dev/null || die "apt-get update failed"
    lists_are_fresh=yes
}

rust_needed() { sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml; }

is_at_least() { # FOUND NEEDED
    [ "$(printf '%s\n' "$1" "$2" | sort -V | head -n 1)" = "$2" ]
}

# Puts cargo and rustc of a new enough toolchain first on PATH, and installs one where none is.
use_rust() {
    find_rust && return 0
    local needed pair compiler found
    needed=$(rust_needed)
    command -v apt-cache >/dev/null ||
        die "found no Rust toolchain from $needed on, and no apt-get to install one with"
    apt_update
    # rustc-web is the newer compiler that Debian keeps for building its browsers.
    for pair in "rustc-web cargo-web" "rustc cargo"; do
        compiler=${pair%% *}
        found=$(apt-cache policy "$compiler" | sed -n 's/^  Candidate: \([0-9.]*\).*/\1/p')
        if [ -n "$found" ] && is_at_least "$found" "$needed"; then
            # shellcheck disable=SC2086 # two package names
            apt_install $pair
            find_rust && return 0
        fi
    done
    die "found no Rust toolchain from $needed on, and Debian's packages here have none"
}

find_rust() {
    local dir found
    for dir in "" "$HOME/.cargo/bin" /usr/bin; do
        found=$(PATH="${dir:+$dir:}$PATH" rust_version) || continue
        if is_at_least "$found" "$(rust_needed)"; then
            PATH="${dir:+$dir:}$PATH"
            export PATH
            return 0
        fi
    done
    return 1
}

rust_version() {
    cargo --version >/dev/null 2>&1 && rustc --version 2>/dev/null | cut -d' ' -f2 | grep .
}

# cargo fmt and cargo clippy, which Debian packs apart from the compiler.
use_rust_linters() {
    cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1 && return 0
    if dpkg-query -W rustc-web >/dev/null 2>&1; then
        apt_install rustfmt-web rust-web-clippy
    elif dpkg-query -W rustc >/dev/null 2>&1; then
        apt_install rustfmt rust-clippy
    else
        die "the toolchain of $(command -v cargo) lacks rustfmt or clippy"
    fi
}

# The folder that cargo builds into, whatever the environment and the user's settings say.
target_dir() {
    cargo metadata --no-deps --offline --format-version 1 |
        python3 -c 'import json, sys; print(json.load(sys.stdin)["target_directory"])'
}
