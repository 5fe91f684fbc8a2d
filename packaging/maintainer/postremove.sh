#!/bin/sh
# After a removal or upgrade. No removal deletes the data of users, not even `purge`, which deletes only compiled code.
set -e
[ ! -d /run/systemd/system ] || systemctl daemon-reload
case "$1" in
  purge | 0)
    rm -rf /var/cache/thingsync
    [ ! -d /var/lib/thingsync ] || echo "thingsync: all data is still in /var/lib/thingsync; delete it yourself" >&2
    ;;
esac
