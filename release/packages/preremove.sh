#!/bin/sh
# Before removal (deb: "remove", rpm: 0), not before an upgrade.
set -e
case ${1:-} in
  remove | 0) [ ! -d /run/systemd/system ] || systemctl disable --now planflame-collector.service planflame-gateway.service ;;
esac
