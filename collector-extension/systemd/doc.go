// Package systemd is the systemd extension of the Collector: it tells the service manager that
// started this process how it is.
//
//	component status, pipelines ──▶ extension ──$NOTIFY_SOCKET──▶ systemd
//
// It sends READY=1 when all pipelines run, RELOADING=1 when SIGHUP takes them down, STOPPING=1 when
// anything else does, STATUS= with the worst component's error, and WATCHDOG=1 twice in each
// WatchdogSec. See sd_notify(3).
//
// The watchdog is fed unless a component has a permanent or a fatal error: only those does a
// restart mend. A recoverable error, such as JVMs that cannot be read, shows in STATUS= alone.
//
// Without NOTIFY_SOCKET the extension does nothing, so one configuration serves with systemd and
// without.
//
//go:generate go tool -modfile=../../scripts/tools/otel/go.mod mdatagen metadata.yaml
package systemd
