#!/bin/sh
# Starts the systemd of the tree $1 as process 1, in namespaces and the control groups $2 of its own (own-groups.sh), without a
# network but the loopback. The tree becomes the root by pivot_root, because inside chroot no unit could have users of its own.
set -e
tree=$1
name=$2
mount --bind "$tree" "$tree"
mount -t proc proc "$tree/proc"
mount --rbind /sys "$tree/sys"
if [ -e "/sys/fs/cgroup/$name" ]; then
  mount --bind "/sys/fs/cgroup/$name" "$tree/sys/fs/cgroup"
else
  mount -t tmpfs tmpfs "$tree/sys/fs/cgroup"
  for groups in /sys/fs/cgroup/*/"$name"; do
    kind=$(basename "$(dirname "$groups")")
    mkdir "$tree/sys/fs/cgroup/$kind"
    mount --bind "$groups" "$tree/sys/fs/cgroup/$kind"
  done
fi
mount -t tmpfs tmpfs "$tree/run"
mount -t tmpfs tmpfs "$tree/dev"
for device in null zero full random urandom tty; do
  touch "$tree/dev/$device"
  mount --bind "/dev/$device" "$tree/dev/$device"
done
mkdir "$tree/dev/pts" "$tree/dev/shm"
mount -t devpts devpts "$tree/dev/pts" -o newinstance,ptmxmode=0666
mount -t tmpfs tmpfs "$tree/dev/shm"
ln -s pts/ptmx "$tree/dev/ptmx"
ip link set lo up
cd "$tree"
mkdir .before
pivot_root . .before
umount -l /.before
rmdir /.before
exec env -i container=other PATH=/usr/sbin:/usr/bin /usr/lib/systemd/systemd --unit=multi-user.target
