package config_test

import (
	"bytes"
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
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pprofile"
	"go.opentelemetry.io/collector/pdata/pprofile/pprofileotlp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/planflame/planflame/exporter/pyroscopetest"
	"github.com/planflame/planflame/internal/loopback"
)

// otlpInput adds an OTLP receiver to collector.yaml in place of spark_profile.
const otlpInput = `{receivers: {otlp: {protocols: {grpc: {endpoint: "${env:TEST_OTLP}"}}}}, service: {pipelines: {profiles: {receivers: [otlp]}}}}`

// TestQueueOutlivesTheCollector sends profiles while there is no Pyroscope and kills the Collector
// with SIGKILL. The next Collector must deliver from the queue on disk. Labels must be as
// collector.yaml names them, and each value must arrive whole and once.
func TestQueueOutlivesTheCollector(t *testing.T) {
	server := pyroscopetest.Start(t)
	queue := t.TempDir()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()

	first := startCollector(t, ctx, queue, "http://127.0.0.1:"+strconv.Itoa(freePort(t)))
	first.send(t, ctx, 3_000_000)
	first.send(t, ctx, 5_000_000)
	first.awaitLine(t, ctx, "connection refused")
	require.NoError(t, first.cmd.Process.Kill())
	<-first.done

	second := startCollector(t, ctx, queue, server.URL)
	second.send(t, ctx, 7_000_000)
	query := pyroscopetest.Query{Type: pyroscopetest.CPU, Selector: `{service_name="nightly",query="q1-abc",query_name="tpch q06",stage="result>scan@22",operator="scan@22",operator_name="Scan t"}`}
	require.NoError(t, pyroscopetest.Eventually(ctx, func() error {
		total, boxes, err := server.FlameGraph(ctx, query)
		if err == nil && (total != 15_000_000 || boxes["Scan t"] != total) {
			err = fmt.Errorf("total %d, the operator's frame %d, want 15,000,000", total, boxes["Scan t"])
		}
		return err
	}), "%s", second.log)
	values, err := server.LabelValues(ctx, pyroscopetest.Query{Selector: `{service_name="nightly"}`}, "spark_sql_execution_id")
	require.NoError(t, err)
	assert.Empty(t, values, "ids of one run are no labels")

	require.NoError(t, second.cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, <-second.done, "%s", second.log)
}

// TestDamagedQueueFile cuts the queue of a Collector that was killed at each page, and flips the
// head of each page and what follows. The Collector starts each time, takes profiles, and counts
// the files that it has moved aside: all that are cut, for example.
func TestDamagedQueueFile(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	nowhere := "http://127.0.0.1:" + strconv.Itoa(freePort(t))
	queue := t.TempDir()
	first := startCollector(t, ctx, queue, nowhere)
	for range 20 {
		first.send(t, ctx, 3_000_000)
	}
	require.NoError(t, first.cmd.Process.Kill())
	<-first.done
	names, err := filepath.Glob(filepath.Join(queue, "exporter_pyroscope_*"))
	require.NoError(t, err)
	require.Len(t, names, 1)
	file, err := os.ReadFile(names[0])
	require.NoError(t, err)

	see := func(name string, file []byte, damaged ...int) {
		t.Run(name, func(t *testing.T) {
			queue := t.TempDir()
			path := filepath.Join(queue, filepath.Base(names[0]))
			require.NoError(t, os.WriteFile(path, file, 0o600))
			c := startCollector(t, ctx, queue, nowhere)
			c.send(t, ctx, 5_000_000)
			count := 0
			if aside, err := os.ReadFile(path + ".damaged"); err == nil {
				count = 1
				assert.Equal(t, file, aside)
			}
			assert.Contains(t, damaged, count, "files moved aside")
			assert.Contains(t, c.scrape(t), fmt.Sprintf("\notelcol_extension_file_storage_damaged_files %d\n", count))
		})
	}
	see("sound", file, 0)
	page := os.Getpagesize()
	for p := 0; p < len(file)/page && bytes.Count(file[p*page:(p+1)*page], []byte{0}) < page; p++ {
		see(fmt.Sprintf("cut in page %d", p), file[:p*page+page/2], 1)
		bad := bytes.Clone(file)
		for i := range 32 {
			bad[p*page+i] ^= 0xff
		}
		see(fmt.Sprintf("flipped page %d", p), bad, 0, 1) // no one reads a page that is free
	}
}

// scrape returns the Collector's own metrics.
func (c *collector) scrape(t *testing.T) string {
	t.Helper()
	resp, err := http.Get("http://" + c.metrics + "/metrics")
	require.NoError(t, err)
	defer func() { require.NoError(t, resp.Body.Close()) }()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return string(text)
}

// collector is a running planflame-collector that takes OTLP.
type collector struct {
	cmd     *exec.Cmd
	log     *output
	done    chan error
	otlp    string
	metrics string
}

func startCollector(t *testing.T, ctx context.Context, queue, pyroscope string) *collector {
	t.Helper()
	binary, err := filepath.Abs("../build/planflame-collector")
	require.NoError(t, err)
	if _, err := os.Stat(binary); err != nil {
		lacks(t, "build/planflame-collector: run scripts/build-collector")
	}
	c := &collector{log: &output{}, done: make(chan error, 1), otlp: "127.0.0.1:" + strconv.Itoa(freePort(t))}
	metrics := strconv.Itoa(freePort(t))
	c.metrics = "127.0.0.1:" + metrics
	health := "127.0.0.1:" + strconv.Itoa(freePort(t))
	c.cmd = exec.CommandContext(ctx, binary, "--config", "collector.yaml", "--config", "yaml:"+otlpInput)
	c.cmd.Env = append(os.Environ(), "PYROSCOPE_URL="+pyroscope, "PLANFLAME_QUEUE_DIR="+queue, "PLANFLAME_HEALTH_ENDPOINT="+health,
		"PLANFLAME_METRICS_PORT="+metrics, "TEST_OTLP="+c.otlp)
	c.cmd.Stdout, c.cmd.Stderr = c.log, c.log
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	require.NoError(t, c.cmd.Start())
	go func() { c.done <- c.cmd.Wait(); close(c.done) }()
	t.Cleanup(func() {
		if err := c.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Errorf("stop the Collector: %v", err)
		}
		<-c.done
	})
	require.NoError(t, pyroscopetest.Eventually(ctx, func() error {
		resp, err := http.Get("http://" + health)
		if err != nil {
			return err
		}
		if err := resp.Body.Close(); err != nil {
			return err
		}
		if resp.StatusCode != http.StatusOK {
			return errors.New(resp.Status)
		}
		return nil
	}), "the Collector is not healthy:\n%s", c.log)
	return c
}

// send delivers one profile of a scan over OTLP.
func (c *collector) send(t *testing.T, ctx context.Context, nanos int64) {
	t.Helper()
	conn, err := grpc.NewClient(c.otlp, grpc.WithTransportCredentials(insecure.NewCredentials()))
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close()) }()
	_, err = pprofileotlp.NewGRPCClient(conn).Export(ctx, pprofileotlp.NewExportRequestFromProfiles(scanProfile(nanos)))
	require.NoError(t, err, "%s", c.log)
}

// scanProfile has the attributes that the spark_profile receiver gives a sample.
func scanProfile(nanos int64) pprofile.Profiles {
	pd := pprofile.NewProfiles()
	d := pd.Dictionary()
	texts := []string{"", "cpu", "nanoseconds", "Scan t"}
	d.StringTable().Append(texts...)
	d.MappingTable().AppendEmpty()
	d.LinkTable().AppendEmpty()
	d.FunctionTable().AppendEmpty()
	d.FunctionTable().AppendEmpty().SetNameStrindex(3)
	d.LocationTable().AppendEmpty()
	d.LocationTable().AppendEmpty().Lines().AppendEmpty().SetFunctionIndex(1)
	d.StackTable().AppendEmpty()
	d.StackTable().AppendEmpty().LocationIndices().Append(1)
	d.AttributeTable().AppendEmpty()
	rp := pd.ResourceProfiles().AppendEmpty()
	rp.Resource().Attributes().PutStr("service.name", "nightly")
	rp.Resource().Attributes().PutStr("host.name", "node-7")
	p := rp.ScopeProfiles().AppendEmpty().Profiles().AppendEmpty()
	p.SampleType().SetTypeStrindex(1)
	p.SampleType().SetUnitStrindex(2)
	p.SetTime(pcommon.NewTimestampFromTime(time.Now()))
	s := p.Samples().AppendEmpty()
	s.SetStackIndex(1)
	s.Values().Append(nanos)
	for _, kv := range [][2]string{
		{"spark.query.fingerprint", "q1-abc"}, {"spark.query.name", "tpch q06"}, {"spark.stage.name", "result>scan@22"},
		{"spark.sql.operator.id", "scan@22"}, {"spark.sql.operator.name", "Scan t"}, {"spark.sql.execution.id", "7"},
	} {
		d.StringTable().Append(kv[0])
		a := d.AttributeTable().AppendEmpty()
		a.SetKeyStrindex(int32(d.StringTable().Len() - 1))
		a.Value().SetStr(kv[1])
		s.AttributeIndices().Append(int32(d.AttributeTable().Len() - 1))
	}
	return pd
}

// awaitLine waits until the Collector has said something.
func (c *collector) awaitLine(t *testing.T, ctx context.Context, text string) {
	t.Helper()
	require.NoError(t, pyroscopetest.Eventually(ctx, func() error {
		if !strings.Contains(c.log.String(), text) {
			return fmt.Errorf("no %q in:\n%s", text, c.log)
		}
		return nil
	}))
}

func freePort(t *testing.T) int {
	t.Helper()
	ports, err := loopback.Ports(1)
	require.NoError(t, err)
	return ports[0]
}

// output is what a process wrote so far.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}
