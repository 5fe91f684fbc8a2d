#!/bin/sh
# Before a removal (dpkg: `remove`, rpm: 0); during an upgrade the server runs until the new files are installed.
set -e
case "$1" in
  remove | 0)
    if command -v systemctl >/dev/null; then
      [ ! -d /run/systemd/system ] || systemctl stop thingsync.socket thingsync.service
      systemctl disable --quiet thingsync.socket thingsync.service
    fi
    ;;
esac
