package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/planflame/planflame/internal/loopback"
)

// overlay is put over config/collector.yaml: what runs cost goes to the recorder, and to no one
// else. Stacks are copied short: at so many samples a second the usual 32 KiB would be a burden to
// the tasks, and warm stacks are whole with less.
const overlay = `
receivers:
  spark_profile: {stack_bytes: 8192}
processors:
  filter/record:
    error_mode: propagate
    metrics: {metric: ['not IsMatch(name, "^spark[.]sql[.]execution[.]")']}
exporters:
  otlp_http/record: {endpoint: "%s", encoding: json, compression: none}
service:
  pipelines:
    metrics/record: {receivers: [spark_profile], processors: [memory_limiter, filter/record], exporters: [otlp_http/record]}
`

// collector is the real Collector on config/collector.yaml.
type collector struct {
	cmd  *exec.Cmd
	said *os.File
}

// startCollector starts it and waits until it is up. It writes to dir.
func (o *options) startCollector(ctx context.Context, dir, recorder string) (*collector, error) {
	said, err := os.Create(filepath.Join(dir, "collector.log"))
	if err != nil {
		return nil, err
	}
	config := filepath.Join(dir, "record.yaml")
	if err := os.WriteFile(config, fmt.Appendf(nil, overlay, recorder), 0o644); err != nil {
		return nil, errors.Join(err, said.Close())
	}
	ports, err := loopback.Ports(2)
	if err != nil {
		return nil, errors.Join(err, said.Close())
	}
	health := "127.0.0.1:" + strconv.Itoa(ports[0])
	mode := "self"
	if os.Geteuid() == 0 {
		mode = "privileged"
	}
	cmd := exec.CommandContext(ctx, o.collector, "--config", "config/collector.yaml", "--config", config)
	cmd.Env = append(os.Environ(), "PYROSCOPE_URL="+recorder, "PLANFLAME_HZ="+strconv.Itoa(o.hz), "PLANFLAME_MODE="+mode, "PLANFLAME_WINDOW=5s",
		"PLANFLAME_QUEUE_DIR="+filepath.Join(dir, "queue"), "PLANFLAME_HEALTH_ENDPOINT="+health, "PLANFLAME_METRICS_PORT="+strconv.Itoa(ports[1]))
	cmd.Stdout, cmd.Stderr = said, said
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 30 * time.Second
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(err, said.Close())
	}
	c := &collector{cmd: cmd, said: said}
	if err := loopback.Await(ctx, "http://"+health); err != nil {
		return nil, errors.Join(fmt.Errorf("the Collector does not come up, see %s: %w", said.Name(), err), c.stop())
	}
	return c, nil
}

// stop ends it in an orderly way: what it holds is exported.
func (c *collector) stop() error {
	signalErr := c.cmd.Process.Signal(syscall.SIGTERM)
	if err := errors.Join(signalErr, c.cmd.Wait(), c.said.Close()); err != nil {
		return fmt.Errorf("stop the Collector, see %s: %w", c.said.Name(), err)
	}
	return nil
}
