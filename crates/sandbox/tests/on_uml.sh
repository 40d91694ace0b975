#!/bin/sh
# Runs tests of the jail, compiled before, on a kernel with control groups of version 2 only:
# Debian's user-mode-linux, a kernel that is a program, with this host's files below it, read-only.
# It needs no root, and takes about as long as the tests do.
#   on_uml.sh TEST_PROGRAM OMISSIONS [WORD...]
# The words are parts of names of the cases to run. The omissions name the cases that this kernel
# cannot hold, each with its reason. Says at last what the tests said.
set -eu
program=$1 omissions=$2
shift 2
here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/../../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
chmod 755 "$work"

cp "$program" "$work/tests"
cp "$omissions" "$work/omissions.toml"
# A kernel with one slow processor has better things to do than to compile.
"$work/tests" --compile="$work/programs"
gcc -O2 -shared -fPIC -o "$work/registers.so" "$here/uml/registers.c"

cat >"$work/init" <<INIT
#!/bin/sh
export PATH=$PATH HOME=/root RUST_BACKTRACE=0
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t cgroup2 groups /sys/fs/cgroup
mount -t hostfs -o $work work /mnt
mount -t tmpfs tmp /tmp
chmod 1777 /tmp
mount -t tmpfs shm /dev/shm
# Where the sources lie below the folder that is now hidden, they are seen again.
case $top in /tmp/*) mkdir -p $top && mount -t hostfs -o $top top $top ;; esac
cd /tmp
ip link set lo up
export AGON_TEST_OWN_KERNEL=yes AGON_TEST_SLOW=8 AGON_TEST_PROGRAMS=/mnt/programs
/mnt/tests --omit=/mnt/omissions.toml $* 2>&1
echo "tests ended with \$?"
echo o >/proc/sysrq-trigger
sleep 60
INIT
chmod +x "$work/init"

LD_PRELOAD=$work/registers.so linux.uml mem="${AGON_UML_MEMORY:-2048M}" rootfstype=hostfs rootflags=/ ro \
    init="$work/init" con0=fd:0,fd:1 con=null quiet </dev/null 2>&1 | tee "$work/said"
grep -q '^tests ended with 0' "$work/said"
