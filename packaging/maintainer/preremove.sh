#!/bin/sh
# Before a removal (dpkg: `remove`, rpm: 0); at an upgrade the server runs on until the new files are there.
set -e
case "$1" in
  remove | 0)
    if command -v systemctl >/dev/null; then
      [ ! -d /run/systemd/system ] || systemctl stop thingsync.socket thingsync.service
      systemctl disable --quiet thingsync.socket thingsync.service
    fi
    ;;
esac
