#!/bin/sh
# After a removal or upgrade. People's things are never removed with a program, not even by `purge`.
set -e
[ ! -d /run/systemd/system ] || systemctl daemon-reload
case "$1" in
  purge | 0)
    [ ! -d /var/lib/thingsync ] || echo "thingsync: all things are still in /var/lib/thingsync; it is yours to remove" >&2
    ;;
esac
