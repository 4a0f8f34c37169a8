package sparkprofile

import (
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pprofile"
	"go.uber.org/zap"
	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/exporter/convert"
	"github.com/planflame/planflame/exporter/push"
	"github.com/planflame/planflame/internal/attributes"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/recording"
)

// recordingVariable names the recording of a session, such as OUT/recording of `planflame run --out
// OUT`, that BenchmarkReplay takes through the Collector.
const recordingVariable = "PLANFLAME_RECORDING"

// BenchmarkReplay takes a recorded session from unwound samples on through naming, windows, pdata
// and pprof, as the Collector does, without Spark:
//
//	PLANFLAME_RECORDING=OUT/recording go test ./collector-receiver/sparkprofile -run '^$' -bench Replay -benchtime 5x
//
// It tells CPU of this process, garbage collection included and reading of the file alone taken
// off, and the heap that lives at the end. Rings, unwinding and HTTP are not in it.
func BenchmarkReplay(b *testing.B) {
	path := os.Getenv(recordingVariable)
	if path == "" {
		b.Skipf("%s names no recording", recordingVariable)
	}
	var samples uint64
	var reading, whole time.Duration
	var allocated uint64
	var live int64
	for b.Loop() {
		start := processCPU(b)
		replay(b, path, nowhere{})
		reading += processCPU(b) - start
		before, begin := heap(), processCPU(b)
		r := newReplayed(b)
		began := totalAllocated()
		replay(b, path, r)
		r.finish()
		allocated += totalAllocated() - began
		whole += processCPU(b) - begin
		live += heap() - before
		samples += r.samples
		runtime.KeepAlive(r)
	}
	require.NotZero(b, samples)
	b.ReportMetric(float64((whole-reading).Microseconds())/float64(samples), "µs-CPU/sample")
	b.ReportMetric(float64(reading.Microseconds())/float64(samples), "µs-CPU-reading/sample")
	b.ReportMetric(float64(allocated)/float64(samples), "B-allocated/sample")
	b.ReportMetric(float64(live)/1e6/float64(b.N), "MB-live")
	b.ReportMetric(float64(samples)/float64(b.N), "samples")
}

func replay(b *testing.B, path string, sink recording.Sink) {
	f, err := os.Open(path)
	require.NoError(b, err)
	defer f.Close() // read only
	r, err := recording.NewReader(f)
	require.NoError(b, err)
	defer r.Close()
	require.NoError(b, r.Replay(sink))
}

func processCPU(b *testing.B) time.Duration {
	var used unix.Rusage
	require.NoError(b, unix.Getrusage(unix.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// heap is what lives after a collection.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func totalAllocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// replayed is the receiver's sink, of which a window is taken every 15 seconds of the session's own
// time.
type replayed struct {
	*collecting
	b       testing.TB
	shape   shape
	next    jvmlog.MonoTime
	samples uint64
}

func newReplayed(b testing.TB) *replayed {
	config := defaultConfig()
	return &replayed{collecting: newCollecting(config, nil, zap.NewNop()), b: b, shape: newShape(config, nil, attributes.Origin{Host: "host", Instance: "host"}, "", nil)}
}

// JVMFound leaves out what looks at the process, which is not there any more.
func (r *replayed) JVMFound(v sampler.JVM) { r.pipe.JVMFound(v) }

func (r *replayed) Symbol(sampler.JVMID, codemap.Frame) {}

func (r *replayed) Sample(id sampler.JVMID, s sampler.Sample) {
	r.samples++
	r.collecting.Sample(id, s)
}

// JVMGone keeps the JVM, so that what is known of it counts as living.
func (r *replayed) JVMGone(sampler.JVMID) {}

func (r *replayed) Watermark(id sampler.JVMID, t jvmlog.MonoTime) {
	r.collecting.Watermark(id, t)
	if r.next == 0 || t >= r.next {
		r.window()
		r.next = t + jvmlog.MonoTime(15*time.Second)
	}
}

func (r *replayed) finish() {
	r.collecting.finish()
	r.window()
}

// window delivers what came since the last one.
func (r *replayed) window() { r.deliver(r.take(time.Unix(1_700_000_000, 0))) }

// deliver takes the profiles of a window through the persistent queue's bytes, up to the bytes of
// pprof.
func (r *replayed) deliver(w delivery) {
	profiles := r.shape.profiles(w)
	if profiles.SampleCount() == 0 {
		return
	}
	queued, err := (&pprofile.ProtoMarshaler{}).MarshalProfiles(profiles)
	require.NoError(r.b, err)
	profiles, err = (&pprofile.ProtoUnmarshaler{}).UnmarshalProfiles(queued)
	require.NoError(r.b, err)
	c := convert.New(profiles.Dictionary(), []convert.Attribute{{Key: "spark.query.fingerprint", Label: "query"}, {Key: "spark.sql.operator.id", Label: "operator"}}, push.MaxLabelValueBytes)
	for _, rp := range profiles.ResourceProfiles().All() {
		for _, sp := range rp.ScopeProfiles().All() {
			for _, p := range sp.Profiles().All() {
				_, err := c.Weights(p, nil)
				require.NoError(r.b, err)
				converted, err := c.Profile(p, nil)
				require.NoError(r.b, err)
				parts, tooLarge, err := push.Split(converted.Profile, push.Limits{})
				require.NoError(r.b, err)
				require.Zero(r.b, tooLarge)
				require.NotEmpty(r.b, parts)
			}
		}
	}
}

// nowhere is a sink that only takes.
type nowhere struct{}

func (nowhere) JVMFound(sampler.JVM)                                 {}
func (nowhere) Thread(sampler.JVMID, jvmlog.Thread)                  {}
func (nowhere) Record(sampler.JVMID, jvmlog.MonoTime, jvmlog.Record) {}
func (nowhere) TaskEvent(sampler.JVMID, jvmlog.TaskEvent)            {}
func (nowhere) Sample(sampler.JVMID, sampler.Sample)                 {}
func (nowhere) Stats(sampler.JVMID, sampler.Stats)                   {}
func (nowhere) Watermark(sampler.JVMID, jvmlog.MonoTime)             {}
func (nowhere) JVMGone(sampler.JVMID)                                {}
func (nowhere) Symbol(sampler.JVMID, codemap.Frame)                  {}
