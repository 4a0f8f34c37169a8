//go:build e2e

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pprofile"
	"go.opentelemetry.io/collector/pdata/pprofile/pprofileotlp"

	"github.com/planflame/planflame/internal/loopback"
)

const window = time.Second

// configuration is a Collector that samples the two users and delivers each window at once.
const configuration = `
receivers:
  spark_profile:
    window: %s
    sampling_hz: 100
    include: [{uid: [%d, %d]}]
    trusted_labels: [{labels: {tenant: ""}}]
exporters:
  otlp_http:
    endpoint: %s
    profiles_endpoint: %s/profiles
    compression: none
  prometheus: {endpoint: "127.0.0.1:0"}
service:
  pipelines:
    profiles: {receivers: [spark_profile], exporters: [otlp_http]}
    metrics: {receivers: [spark_profile], exporters: [prometheus]}
  telemetry:
    metrics:
      readers: [{pull: {exporter: {prometheus: {host: 127.0.0.1, port: %d}}}}]
`

// collector is a running planflame-collector and what it delivered.
type collector struct {
	cmd     *exec.Cmd
	log     logBuffer
	metrics string

	mu      sync.Mutex
	windows map[int64][]delivered // :: pid
	peak    int
	watched chan struct{} // closed when the watch has ended
}

// delivered is the task CPU of one process in one window.
type delivered struct {
	at  time.Time
	cpu time.Duration
}

// logBuffer may be read while it is written.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func startCollector(t *testing.T) *collector {
	t.Helper()
	c := &collector{windows: map[int64][]delivered{}, watched: make(chan struct{})}
	server := httptest.NewServer(http.HandlerFunc(c.receive))
	t.Cleanup(server.Close)
	port := freePort(t)
	c.metrics = fmt.Sprintf("http://127.0.0.1:%d/metrics", port)
	file := filepath.Join(t.TempDir(), "collector.yaml")
	text := fmt.Sprintf(configuration, window, badUser, goodUser, server.URL, server.URL, port)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	c.cmd = exec.Command(built(t, "planflame-collector"), "--config", file, "--feature-gates=service.profilesSupport")
	c.cmd.Stdout, c.cmd.Stderr = &c.log, &c.log
	require.NoError(t, c.cmd.Start())
	t.Cleanup(func() {
		if c.cmd.ProcessState == nil {
			_ = c.cmd.Process.Kill()
			_ = c.cmd.Wait()
		}
		if t.Failed() {
			t.Logf("the Collector's log:\n%s", c.log.String())
		}
	})
	go c.watch()
	return c
}

func freePort(t *testing.T) int {
	t.Helper()
	ports, err := loopback.Ports(1)
	require.NoError(t, err)
	return ports[0]
}

// receive takes one window.
func (c *collector) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	request := pprofileotlp.NewExportRequest()
	if err = errors.Join(err, request.UnmarshalProto(body)); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	now := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, rp := range request.Profiles().ResourceProfiles().All() {
		pid, _ := rp.Resource().Attributes().Get("process.pid")
		c.windows[pid.Int()] = append(c.windows[pid.Int()], delivered{now, taskCPU(request.Profiles().Dictionary(), rp)})
	}
}

// taskCPU is what tasks used: samples that belong to no group of other CPU.
func taskCPU(d pprofile.ProfilesDictionary, rp pprofile.ResourceProfiles) (sum time.Duration) {
	for _, sp := range rp.ScopeProfiles().All() {
		for _, p := range sp.Profiles().All() {
			for _, s := range p.Samples().All() {
				if !inGroup(d, s) {
					sum += time.Duration(s.Values().At(0))
				}
			}
		}
	}
	return sum
}

func inGroup(d pprofile.ProfilesDictionary, s pprofile.Sample) bool {
	for _, i := range s.AttributeIndices().All() {
		if d.StringTable().At(int(d.AttributeTable().At(int(i)).KeyStrindex())) == "spark.cpu.group" {
			return true
		}
	}
	return false
}

// of is what came of a process, in order.
func (c *collector) of(pid int) []delivered {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]delivered{}, c.windows[int64(pid)]...)
}

// watch keeps the most memory that the Collector has had, until it ends.
func (c *collector) watch() {
	defer close(c.watched)
	for range time.Tick(50 * time.Millisecond) {
		n, err := memoryOf(c.cmd.Process.Pid)
		if err != nil {
			return
		}
		c.mu.Lock()
		c.peak = max(c.peak, n)
		c.mu.Unlock()
	}
}

// takePeak is the most memory since the last call.
func (c *collector) takePeak() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	peak := c.peak
	c.peak = 0
	return peak
}

var perfRing = regexp.MustCompile(`(?m)^([0-9a-f]+)-([0-9a-f]+) .*anon_inode:\[perf_event\]$`)

// memoryOf is what a process holds: its own memory, what it has touched of others', and the rings
// that the kernel pinned for it. In bytes.
func memoryOf(pid int) (sum int, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for _, name := range []string{"RssAnon:", "RssShmem:"} {
		_, rest, found := strings.Cut(string(status), name)
		if !found {
			return 0, fmt.Errorf("pid %d has no memory: it has ended", pid)
		}
		n, err := strconv.Atoi(strings.Fields(rest)[0])
		if err != nil {
			return 0, err
		}
		sum += n << 10
	}
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return 0, err
	}
	for _, m := range perfRing.FindAllStringSubmatch(string(maps), -1) {
		low, _ := strconv.ParseUint(m[1], 16, 64)
		high, _ := strconv.ParseUint(m[2], 16, 64)
		sum += int(high - low)
	}
	return sum, nil
}

// counter is a value of one of the receiver's metrics, by the value of its attribute.
func (c *collector) counter(t *testing.T, value string) float64 {
	t.Helper()
	resp, err := http.Get(c.metrics)
	require.NoError(t, err, "the Collector's log:\n%s", c.log.String())
	defer func() { require.NoError(t, resp.Body.Close()) }()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	for line := range strings.Lines(string(body)) {
		if strings.HasPrefix(line, "otelcol_receiver_spark_profile_") && strings.Contains(line, `"`+value+`"`) {
			fields := strings.Fields(line)
			n, err := strconv.ParseFloat(fields[len(fields)-1], 64)
			require.NoError(t, err)
			return n
		}
	}
	return 0
}

// stop ends the Collector within five seconds.
func (c *collector) stop(t *testing.T) {
	t.Helper()
	require.NoError(t, c.cmd.Process.Signal(syscall.SIGTERM))
	ended := make(chan error, 1)
	go func() { ended <- c.cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil && !strings.Contains(c.log.String(), "last window lost: sampling or its delivery stalls") { // as it may on a busy machine
			require.NoError(t, err)
		}
	case <-time.After(5 * time.Second):
		require.NoError(t, c.cmd.Process.Kill())
		<-ended
		t.Error("the Collector did not end within 5 s")
	}
	<-c.watched
}
