package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/google/pprof/profile"
	pushv1 "github.com/grafana/pyroscope/api/gen/proto/go/push/v1"
	"github.com/grafana/pyroscope/api/gen/proto/go/push/v1/pushv1connect"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestParseRefuses(t *testing.T) {
	for args, want := range map[string]string{
		"-rounds 0": "-rounds 0: at least 1", "-tiny -5": "-tiny -5", "-collector-hz 0": "-collector-hz 0: at least 1", "extra": `"extra" is no flag`, "-seed x": "seed",
	} {
		_, err := parse(strings.Fields(args))
		assert.ErrorContains(t, err, want, args)
	}
}

func TestChooseAlwaysHasStockAndNull(t *testing.T) {
	names := func(b bench) (out []string) {
		for _, v := range b.variants {
			out = append(out, v.Name)
		}
		return out
	}
	b := bench{o: options{variants: "async-5ms,planflame-200", workloads: "tiny"}}
	require.NoError(t, b.choose())
	assert.Equal(t, []string{stock, null, "planflame-200", "async-5ms"}, names(b))
	require.Len(t, b.workloads, 1)

	b.o.variants = "all"
	require.NoError(t, b.choose())
	assert.Len(t, b.variants, len(variants))

	b.o.workloads = "tiny,heavy"
	assert.ErrorContains(t, b.choose(), `-workloads: there is no "heavy"`)
	b.o.variants = "planflame-201"
	assert.ErrorContains(t, b.choose(), `-variants: there is no "planflame-201"`)
}

func TestPartNames(t *testing.T) {
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	assert.Equal(t, names, partNames())
	assert.Less(t, slices.Index(names, "samples"), slices.Index(names, "account"))
}

func TestSubmit(t *testing.T) {
	b := bench{o: options{spark: "/s/4.3.0", data: "/d", master: "local[2]", memory: "4g", peers: "/p", plugin: "/j.jar", repeat: 3, tiny: 11, distinct: 13, wide: 17}, sink: &sink{URL: "http://h:1"}}
	line := func(variantName, workloadName string) (string, command) {
		v := variants[slices.IndexFunc(variants, func(v variant) bool { return v.Name == variantName })]
		w := workloads[slices.IndexFunc(workloads, func(w workload) bool { return w.Name == workloadName })]
		c := b.submit(v, w, "/w")
		return strings.Join(c.args, " "), c
	}
	base := "/s/4.3.0/bin/spark-submit --master local[2] --driver-memory 4g --conf spark.ui.enabled=false --conf spark.ui.showConsoleProgress=false "
	got, c := line(stock, "tpch")
	assert.Equal(t, base+"test/jobs/tpch.py --data /d --queries 1,3,6,9,18 --repeat 3", got)
	assert.Equal(t, "/w/said.log", c.said)
	got, _ = line("planflame-200", "tiny")
	assert.Equal(t, base+"--driver-java-options "+strings.Join(agentFlags, " ")+
		" --conf=spark.plugins=io.planflame.spark.PlanflamePlugin --driver-class-path /j.jar --conf spark.executor.extraClassPath=/j.jar test/jobs/shapes.py --shape tiny --size 11", got)
	got, _ = line("planflame-200-jars", "tiny")
	assert.Equal(t, base+"--driver-java-options "+strings.Join(agentFlags, " ")+
		" --conf=spark.plugins=io.planflame.spark.PlanflamePlugin --jars /j.jar test/jobs/shapes.py --shape tiny --size 11", got)
	got, _ = line("async-50ms", "wide")
	assert.Equal(t, base+"--driver-java-options -agentpath:/p/libasyncProfiler.so=start,event=ctimer,interval=50ms,file=/w/async.jfr test/jobs/shapes.py --shape wide --size 17", got)
	b.o.beside = true
	cpus := "--driver-java-options -XX:ActiveProcessorCount=" + strconv.Itoa(runtime.NumCPU())
	got, _ = line(stock, "tpch")
	assert.Equal(t, base+cpus+" test/jobs/tpch.py --data /d --queries 1,3,6,9,18 --repeat 3", got)
	got, _ = line("flags", "wide")
	assert.Contains(t, got, cpus+" "+strings.Join(agentFlags, " ")+" test/jobs/shapes.py")
	_, c = line("pyroscope-java", "distinct")
	assert.Contains(t, c.env, "PYROSCOPE_SERVER_ADDRESS=http://h:1")
}

func TestSinkTakesAllAndKeepsOwnProfiles(t *testing.T) {
	s, err := newSink()
	require.NoError(t, err)
	defer func() { require.NoError(t, s.close()) }()
	client := pushv1connect.NewPusherServiceClient(http.DefaultClient, s.URL)
	_, err = client.Push(context.Background(), connect.NewRequest(&pushv1.PushRequest{}))
	require.NoError(t, err)
	assert.Equal(t, int64(1), s.pushed.Load())

	none, err := s.selfProfile(time.Unix(0, 0), time.Unix(1000, 0))
	require.NoError(t, err)
	assert.Nil(t, none)
	fn := &profile.Function{ID: 1, Name: "f"}
	loc := &profile.Location{ID: 1, Line: []profile.Line{{Function: fn}}}
	cpu := func(of string, at time.Time) []byte {
		p := &profile.Profile{TimeNanos: at.UnixNano(), DurationNanos: int64(15 * time.Second), SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: of, Unit: "nanoseconds"}}, Function: []*profile.Function{fn},
			Location: []*profile.Location{loc}, Sample: []*profile.Sample{{Location: []*profile.Location{loc}, Value: []int64{1, 21}}}}
		var b bytes.Buffer
		require.NoError(t, p.Write(&b))
		return b.Bytes()
	}
	for _, body := range [][]byte{cpu("cpu", time.Unix(100, 0)), cpu("cpu", time.Unix(85, 0)), cpu("cpu", time.Unix(115, 0)), cpu("cpu", time.Unix(200, 0)), cpu("alloc_space", time.Unix(100, 0)), []byte("FLR\x00 of the Java agent")} {
		var form bytes.Buffer
		w := multipart.NewWriter(&form)
		part, err := w.CreateFormFile("profile", "profile.pprof")
		require.NoError(t, err)
		_, err = part.Write(body)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		resp, err := http.Post(s.URL+"/ingest?name=x", w.FormDataContentType(), &form)
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		assert.Equal(t, http.StatusOK, resp.StatusCode)
	}
	assert.Equal(t, int64(6), s.ingested.Load())
	merged, err := s.selfProfile(time.Unix(93, 0), time.Unix(125, 0)) // the middles are 92.5, 107.5, 122.5 and 207.5 s
	require.NoError(t, err)
	require.Len(t, merged.Sample, 1)
	assert.Equal(t, int64(42), merged.Sample[0].Value[1])
}

func TestCheckNamesWhatIsMissing(t *testing.T) {
	dir := t.TempDir()
	b := bench{o: options{spark: filepath.Join(dir, "4.3.0"), data: filepath.Join(dir, "sf1"), collector: filepath.Join(dir, "c"), plugin: filepath.Join(dir, "p"), agent: filepath.Join(dir, "a"), peers: dir}}
	err := b.check(parts)
	for _, want := range []string{"scripts/fetch-spark 4.3.0", "scripts/fetch-tpch 1", "make build", "make plugin", "make native", "scripts/fetch-peers"} {
		assert.ErrorContains(t, err, want)
	}
	assert.NotContains(t, b.check(parts[:1]).Error(), "fetch-peers", "tasks need no peers")
	withoutPeers := []part{{name: "sessions"}}
	assert.NotContains(t, b.check(withoutPeers).Error(), "fetch-peers", "nor do sessions without them")
	b.o.beside = true
	assert.ErrorContains(t, b.check(parts[:1]), "-beside is for the part sessions")
	assert.NotContains(t, b.check(withoutPeers).Error(), "is for the part")
	b.o.beside = false
	b.variants = []variant{{JVM: []string{"-javaagent:{peers}/pyroscope.jar"}}}
	assert.ErrorContains(t, b.check(withoutPeers), "fetch-peers")
}

// A Collector's count moves at the end of a window only: the CPU is noted then, and it is asked
// only where it has pushed.
func TestWatcherMarksTheEndsOfWindows(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	var asked atomic.Int64
	counts := []int{5, 5, 12, 12, 40, 40} // a window that was over before, then two
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n := min(int(asked.Add(1)), len(counts)) - 1
		fmt.Fprintf(w, "otelcol_receiver_spark_profile_samples{a=\"b\"} %d\n", counts[n])
	}))
	defer server.Close()
	defer http.DefaultClient.CloseIdleConnections()
	self, err := os.FindProcess(os.Getpid())
	require.NoError(t, err)
	var looks atomic.Int64
	everyOther := func() int64 { return looks.Add(1) / 2 } // look at it brings news
	w := watch(context.Background(), &collector{cmd: &exec.Cmd{Process: self}, metrics: server.URL}, everyOther)
	require.Eventually(t, func() bool { return w.windows() == 2 }, 10*time.Second, 10*time.Millisecond)
	require.NoError(t, w.close())
	assert.Equal(t, []float64{12, 40}, []float64{w.marks[0].samples, w.marks[1].samples})
	assert.Greater(t, w.marks[1].cpu, w.marks[0].cpu)
	assert.LessOrEqual(t, asked.Load(), looks.Load()/2+1)

	assert.Equal(t, work{CPU: 0.5, Samples: 20_000, MicrosPerSample: 25}, workOf(500*time.Millisecond, 20_000))
}
