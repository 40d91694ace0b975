#!/bin/sh
# Runs the tests of the jail on a kernel that has control groups of version 2
# only: Debian's own, in an emulator, with this host's files below it read-only.
# Slow (minutes), needs root. Arguments are parts of names of the cases to run.
#   apt-get install qemu-system-x86 busybox-static cpio
set -eu
cd "$(dirname "$0")/../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
chmod 755 "$work"

# --- the tests, built as usual ---
cargo test --package sandbox --test jail --no-run
tests=$(cargo test --package sandbox --test jail --no-run 2>&1 | sed -n 's/.*Executable.*(\(.*\))$/\1/p')
mkdir "$work/bin"
cp "$tests" "$work/bin/jail"
echo "$*" > "$work/bin/arguments"
cat > "$work/bin/go" <<'GO'
export PATH=$(cat /opt/path) HOME=/root RUST_BACKTRACE=0
/opt/jail $(cat /opt/arguments) 2>&1
echo "tests ended with $?"
echo o > /proc/sysrq-trigger
sleep 60
GO
echo "$PATH" > "$work/bin/path"

# --- Debian's kernel, and the modules that bring this host's files in ---
kernel=$(apt-cache search --names-only '^linux-image-6\.1\.0-[0-9]+-amd64$' | cut -d' ' -f1 | sort -V | tail -1)
(cd "$work" && apt-get -qq download "$kernel" && dpkg-deb -x "$kernel"_*.deb kernel)
mkdir -p "$work/first/bin" "$work/first/proc" "$work/first/sys" "$work/first/dev" "$work/first/host" "$work/first/modules"
modules="virtio_ring virtio virtio_pci_modern_dev virtio_pci_legacy_dev virtio_pci netfs fscache 9pnet 9pnet_virtio 9p"
for module in $modules; do
    find "$work/kernel" -name "$module.ko" -exec cp {} "$work/first/modules/" \;
done
cp "$(command -v busybox)" "$work/first/bin/busybox"
cat > "$work/first/init" <<INIT
#!/bin/busybox sh
b=/bin/busybox
\$b mount -t proc proc /proc
for module in $modules; do \$b insmod /modules/\$module.ko; done
shared=trans=virtio,version=9p2000.L,ro,msize=512000,cache=loose
\$b mount -t 9p -o \$shared host /host
\$b mount -t 9p -o \$shared bin /host/opt
\$b mount -t proc proc /host/proc
\$b mount -t sysfs sys /host/sys
\$b mount -t devtmpfs dev /host/dev
\$b mount -t tmpfs tmp /host/tmp
\$b chmod 1777 /host/tmp
\$b mount -t cgroup2 groups /host/sys/fs/cgroup
exec \$b switch_root /host /bin/sh /opt/go
INIT
chmod +x "$work/first/init"
(cd "$work/first" && find . | cpio --quiet -o -H newc | gzip -1) > "$work/first.gz"

qemu-system-x86_64 -M q35 -cpu max -smp 2 -m 3072 -nographic -no-reboot \
    -kernel "$work"/kernel/boot/vmlinuz-* -initrd "$work/first.gz" \
    -append "console=ttyS0 quiet panic=-1 psi=1" \
    -virtfs local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap \
    -virtfs "local,path=$work/bin,mount_tag=bin,security_model=none,readonly=on" \
    < /dev/null | tee "$work/said"
grep -q "tests ended with 0" "$work/said"
