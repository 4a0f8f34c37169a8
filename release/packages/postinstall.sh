#!/bin/sh
# After installation and upgrade. The service starts only when the administrator enables it, because
# its settings name a server first.
set -e
getent passwd planflame >/dev/null ||
  useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin planflame
if [ -d /run/systemd/system ]; then
  # A service that does not start again must not leave the package half installed.
  systemctl daemon-reload && systemctl try-restart planflame-collector.service planflame-gateway.service ||
    echo "planflame: not restarted, see systemctl status planflame-collector planflame-gateway" >&2
fi
