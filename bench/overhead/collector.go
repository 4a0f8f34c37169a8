package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/internal/loopback"
)

// collector is the real Collector with the configuration that users run, as config/systemd and
// config/kubernetes do, pushing to the sink.
type collector struct {
	cmd     *exec.Cmd
	began   time.Time
	said    *os.File
	metrics string // URL
}

// reading says how a Collector is to sample.
type reading struct {
	hz   int
	mode string
	self bool // it profiles itself
	core *int // the one core that it may use; nil: all
}

// startCollector starts it and waits until it is up.
func (b *bench) startCollector(ctx context.Context, r reading, dir string) (*collector, error) {
	ports, err := loopback.Ports(2)
	if err != nil {
		return nil, err
	}
	said, err := os.Create(filepath.Join(dir, "collector.log"))
	if err != nil {
		return nil, err
	}
	health := fmt.Sprintf("127.0.0.1:%d", ports[0])
	c := &collector{said: said, began: time.Now(), metrics: fmt.Sprintf("http://127.0.0.1:%d/metrics", ports[1])}
	c.cmd = exec.CommandContext(ctx, b.o.collector, "--config", "config/collector.yaml")
	c.cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "PYROSCOPE_URL="+b.sink.URL, "PLANFLAME_HZ="+strconv.Itoa(r.hz), "PLANFLAME_MODE="+r.mode,
		"PLANFLAME_QUEUE_DIR="+filepath.Join(dir, "queue"), "PLANFLAME_HEALTH_ENDPOINT="+health,
		"PLANFLAME_METRICS_PORT="+strconv.Itoa(ports[1]), "PLANFLAME_SELF_PROFILE="+strconv.FormatBool(r.self))
	c.cmd.Stdout, c.cmd.Stderr = said, said
	terminate(c.cmd)
	if err := on(r.core, c.cmd.Start); err != nil {
		return nil, errors.Join(err, said.Close())
	}
	if err := loopback.Await(ctx, "http://"+health); err != nil {
		_, stopErr := c.stop()
		return nil, errors.Join(fmt.Errorf("the Collector does not come up, see %s: %w", said.Name(), err), stopErr)
	}
	return c, nil
}

// stop ends it in an orderly way: what it holds is pushed.
func (c *collector) stop() (usage, error) {
	signalErr := c.cmd.Process.Signal(unix.SIGTERM)
	err := errors.Join(signalErr, c.cmd.Wait(), c.said.Close())
	if err != nil {
		return usage{}, fmt.Errorf("stop the Collector, see %s: %w", c.said.Name(), err)
	}
	return usageOf(c.cmd.ProcessState, time.Since(c.began)), nil
}

// pid of its process.
func (c *collector) pid() int { return c.cmd.Process.Pid }

// sums reads its own metrics and sums each over its attributes other than those kept in brackets
// behind its name: name → value.
func (c *collector) sums(ctx context.Context) (map[string]float64, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.metrics, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close() // read only: nothing to lose
	return parseMetrics(resp.Body)
}

// sumsOfSession reads them when the Collector has counted the session's JVM, which it does at the
// end of a window: a session may be shorter.
func (c *collector) sumsOfSession(ctx context.Context) (map[string]float64, error) {
	tick := time.NewTicker(2 * time.Second)
	defer tick.Stop()
	for began := time.Now(); ; {
		sums, err := c.sums(ctx)
		if err != nil || sums["jvm_events found"] > 0 || time.Since(began) > settling {
			return sums, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-tick.C:
		}
	}
}

// metricPrefix is what the Collector's Prometheus reader puts before the receiver's metrics.
const metricPrefix = "otelcol_receiver_spark_profile_"

// parseMetrics reads the receiver's metrics in Prometheus's text format; a metric that has
// "problem" or "event" among its labels is summed by that, as "problems lost".
func parseMetrics(text io.Reader) (map[string]float64, error) {
	out := map[string]float64{}
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		rest, ours := strings.CutPrefix(lines.Text(), metricPrefix)
		if !ours {
			continue
		}
		at := strings.LastIndexByte(rest, ' ')
		if at < 0 {
			return nil, fmt.Errorf("metric %q has no value", rest)
		}
		value, err := strconv.ParseFloat(rest[at+1:], 64)
		if err != nil {
			return nil, fmt.Errorf("metric %q: %w", rest, err)
		}
		name, labels, _ := strings.Cut(rest[:at], "{")
		for _, key := range []string{`problem="`, `event="`} {
			if _, after, found := strings.Cut(labels, key); found {
				of, _, _ := strings.Cut(after, `"`)
				name += " " + of
			}
		}
		out[name] += value
	}
	return out, lines.Err()
}
