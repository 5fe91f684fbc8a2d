#!/bin/sh
# After an installation or upgrade, by dpkg (`configure`, with the previous version after an upgrade) or by rpm (1, or 2
# after an upgrade).
set -e
if command -v systemd-sysusers >/dev/null; then
  systemd-sysusers thingsync.conf
elif ! getent passwd thingsync >/dev/null; then
  useradd --system --user-group --home-dir /var/lib/thingsync --no-create-home --shell /usr/sbin/nologin thingsync
fi
# Only if it is missing: the administrator may change its mode later.
[ -d /var/lib/thingsync ] || install -d -o thingsync -g thingsync -m 0700 /var/lib/thingsync

# Debian starts installed services; other systems leave this to the administrator. A running server restarts.
case "$1:${2:-}" in
  configure:) is_first=yes ;;
  *) is_first=no ;;
esac
if command -v systemctl >/dev/null; then
  [ $is_first = no ] || systemctl enable --quiet thingsync.service
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    if [ $is_first = yes ]; then systemctl start thingsync.service; else systemctl try-restart thingsync.service; fi
  fi
fi
