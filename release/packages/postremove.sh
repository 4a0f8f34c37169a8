#!/bin/sh
# After removal and upgrade. The user stays, because files of its queue may stay.
set -e
[ ! -d /run/systemd/system ] || systemctl daemon-reload || echo "planflame-collector: systemctl daemon-reload failed" >&2
