#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# guest.sh - boots a Debian kernel package in QEMU and runs a test in it: the packet path on kernels other than this one's
#
#   guest.sh SERIES BUILD-DIR TEST        guest.sh 6.1 build tests/vm/trunk.sh
#
# The newest cloud kernel of the series is downloaded with apt and unpacked, never installed. TEST is a script of tests/vm that finds the build's
# programs on its PATH. The guest has no disk and no network; software emulation (TCG), so it needs no privileges of the
# host's. Exit status: the test's; 77 where the machine lacks what is needed, with the reason.
set -euo pipefail

series=$1 build=$(realpath "$2") test=$(realpath "$3")
here=$(dirname "$(realpath "$0")")
seconds=${GUEST_SECONDS:-240}

skip() { echo "SKIP: $*"; exit 77; }

for tool in qemu-system-x86_64 busybox dash cpio depmod apt-get dpkg-deb ip ethtool; do
	command -v "$tool" >/dev/null || skip "no $tool on this machine"
done
case $(uname -m) in x86_64) ;; *) skip "the guest is amd64, this machine is not" ;; esac

work=$(mktemp -d "${TMPDIR:-/tmp}/portico-guest.XXXXXX")
trap 'rm -rf "$work"' EXIT
root=$work/root

newest_package() {
	apt-cache search --names-only "^linux-image-${series//./\\.}\\..*-cloud-amd64\$" | cut -d' ' -f1 | sort -V | tail -n 1
}

download() {
	local package
	package=$(newest_package)
	[ -n "$package" ] || { apt-get update -qq >/dev/null 2>&1 && package=$(newest_package); } || true
	[ -n "$package" ] || skip "apt knows no kernel package of series $series"
	chmod 755 "$work" # apt downloads as a user of its own
	(cd "$work" && apt-get download -qq "$package" >download.log 2>&1) || skip "cannot download $package"
	dpkg-deb -x "$work"/*.deb "$work/kernel"
}

# A program with the libraries it needs, at the same places.
take() {
	local file
	install -D "$1" "$root$2"
	for file in $(ldd "$1" 2>/dev/null | grep -o '/[^ ]*'); do
		[ -e "$root$file" ] || install -D "$file" "$root$file"
	done
}

# The modules the tests load, and what those need, decompressed where the package has them compressed.
take_modules() {
	local release name file
	release=$(basename "$work"/kernel/lib/modules/*)
	for name in veth 8021q garp mrp stp llc dummy; do
		file=$(find "$work/kernel/lib/modules" -name "$name.ko*" | head -n 1)
		[ -z "$file" ] || install -D -m 644 "$file" "$root/lib/modules/$release/${file##*/}"
	done
	find "$root/lib/modules" -name '*.xz' -exec unxz {} +
	depmod -b "$root" "$release" 2>/dev/null
}

build_root() {
	mkdir -p "$root"/{bin,sbin,proc,sys,dev,run,tmp,etc}
	install "$(command -v busybox)" "$root/bin/busybox"
	# busybox's own shell would run its applets (ip among them) before the programs on the PATH
	take "$(readlink -f /bin/dash)" /bin/sh
	for name in mount mkdir ls cat sleep kill ping modprobe poweroff sysctl grep sed rm seq tail head wc date dirname basename; do
		ln -s busybox "$root/bin/$name"
	done
	take "$(command -v ip)" /sbin/ip
	take "$(command -v nsenter)" /sbin/nsenter
	take "$(command -v ethtool)" /sbin/ethtool
	take "$build/src/gateway/porticod" /sbin/porticod
	take "$build/src/cli/portico" /sbin/portico
	take "$build/tests/bpf/bpf-vec" /sbin/bpf-vec
	take "$build/tests/bpf/bpf-diff" /sbin/bpf-diff
	mkdir -p "$root/tests"
	install -m 644 "$build"/src/bpf/portico_xdp.bpf.o "$root/tests/portico_xdp.o"
	cp -r "$here/../vec" "$root/tests/vec"
	install "$test" "$root/tests/run"
	install "$here/init" "$root/init"
	take_modules
	(cd "$root" && find . | cpio --quiet -o -H newc | gzip -1) >"$work/initramfs"
}

boot() {
	timeout "$seconds" qemu-system-x86_64 -accel tcg -cpu max -m 768 -smp 2 -nographic -no-reboot \
		-kernel "$work"/kernel/boot/vmlinuz-* -initrd "$work/initramfs" -nic none \
		-append "console=ttyS0 quiet panic=-1 mitigations=off" </dev/null >"$work/console" 2>&1 || true
	tr -d '\r' <"$work/console" | sed -n '/GUEST-BEGIN/,$p'
}

download
build_root
boot | tee "$work/said"
status=$(sed -n 's/.*GUEST-END \([0-9]*\)$/\1/p' "$work/said")
if [ -z "$status" ]; then
	echo "FAILED: the guest did not finish within $seconds s; the end of its console:"
	tail -n 30 "$work/console"
	exit 1
fi
exit "$status"
