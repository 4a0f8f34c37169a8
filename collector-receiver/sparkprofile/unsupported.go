//go:build !linux

package sparkprofile

import (
	"context"
	"fmt"
	"runtime"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/consumer/xconsumer"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/receiver/xreceiver"
)

func createProfiles(context.Context, receiver.Settings, component.Config, xconsumer.Profiles) (xreceiver.Profiles, error) {
	return nil, errPlatform()
}

func createMetrics(context.Context, receiver.Settings, component.Config, consumer.Metrics) (receiver.Metrics, error) {
	return nil, errPlatform()
}

func createLogs(context.Context, receiver.Settings, component.Config, consumer.Logs) (receiver.Logs, error) {
	return nil, errPlatform()
}

func errPlatform() error {
	return fmt.Errorf("spark_profile: needs Linux, for perf events and /proc; this is %s", runtime.GOOS)
}

// Where there is no sampler, a configuration can be read but not run: its stack is not checked.
const defaultStackBytes = 0

func (*Config) refuseStack() error { return nil }
