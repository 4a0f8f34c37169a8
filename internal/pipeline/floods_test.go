package pipeline

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// flood makes a well-formed record of each kind from two numbers and a size, 0 … 65,535.
var flood = []struct {
	kind string
	make func(a, b uint32, n int) jvmlog.Record
}{
	{"method", func(a, b uint32, n int) jvmlog.Record {
		return &jvmlog.Method{ID: jvmlog.MethodID(a), Ptr: uint64(b) << 3, Class: strings.Repeat("c", n), Name: "m", Lines: make([]jvmlog.LineEntry, n/8)}
	}},
	{"code", func(a, b uint32, n int) jvmlog.Record {
		return &jvmlog.CodeLoad{Address: uint64(a) << 8, Size: uint32(n) + 1, Level: 4, Method: jvmlog.MethodID(b), PCs: make([]jvmlog.PCRegion, n/16)}
	}},
	{"unload", func(a, b uint32, _ int) jvmlog.Record {
		return &jvmlog.CodeUnload{Address: uint64(a) << 8, Method: jvmlog.MethodID(b)}
	}},
	{"stub", func(a, _ uint32, n int) jvmlog.Record {
		return &jvmlog.Stub{Address: uint64(a) << 8, Size: uint32(n) + 1, Name: strings.Repeat("s", n)}
	}},
	{"source", func(a, b uint32, n int) jvmlog.Record {
		return &jvmlog.Source{Loader: jvmlog.LoaderID(a), Class: "C", Body: fmt.Sprintf("class C { /* %d */\n%s }", b, strings.Repeat("int i;\n", n/8))}
	}},
	{"dictionary", func(a, b uint32, n int) jvmlog.Record {
		return &jvmlog.Dictionary{Execution: tasksample.ExecutionID(a), Update: b, JSON: fmt.Appendf(nil, `{"version": 1, "execution_id": %d, "update": %d, "nodes": [{"parent": -1, "text": "%d"}%s]}`,
			a, b, a, strings.Repeat(`,{"parent": 0, "metrics": [{"id": 1}]}`, n/64))}
	}},
	{"stage", func(a, b uint32, n int) jvmlog.Record {
		return &jvmlog.Stage{Stage: tasksample.StageID(a), Execution: tasksample.ExecutionID(b) - 1, Accumulators: make([]tasksample.AccumulatorID, n/8)}
	}},
	{"application", func(a, b uint32, n int) jvmlog.Record {
		return &jvmlog.Application{JSON: fmt.Appendf(nil, `{"application_id": "%d", "executor_id": "%d", "application_name": "%s"}`, a, b, strings.Repeat("n", n))}
	}},
	{"layout", func(_, _ uint32, n int) jvmlog.Record { return &jvmlog.VMLayout{JSON: make([]byte, n)} }},
	{"heap", func(a, _ uint32, n int) jvmlog.Record {
		return &jvmlog.CodeHeap{Low: uint64(a), High: uint64(a) + uint64(n), Name: strings.Repeat("h", n)}
	}},
	{"rows", func(a, b uint32, n int) jvmlog.Record {
		return &jvmlog.Rows{StageID: tasksample.StageID(a), ExecutionID: tasksample.ExecutionID(b), Tasks: 1, Accumulated: make([]jvmlog.Accumulated, n/16)}
	}},
	{"end", func(a, b uint32, _ int) jvmlog.Record {
		return &jvmlog.ExecutionEnd{ExecutionID: tasksample.ExecutionID(a), UnixNano: int64(b)}
	}},
	{"stage without a plan", func(a, b uint32, n int) jvmlog.Record {
		return &jvmlog.StageInfo{Stage: tasksample.StageID(a), JSON: fmt.Appendf(nil, `{"query": "r1-%d", "operator": "rdd@1", "stage": "%s"}`, b, strings.Repeat("s", n))}
	}},
	{"times", func(a, b uint32, n int) jvmlog.Record {
		return &jvmlog.Times{JSON: fmt.Appendf(nil, `{"kind": "execution", "execution_id": %d, "application_id": "%d%s"}`, a, b, strings.Repeat("a", n))}
	}},
	{"dwell", func(a, b uint32, n int) jvmlog.Record {
		return &jvmlog.Dwell{JSON: fmt.Appendf(nil, `{"kind": "dwell", "task_id": %d, "end_ns": %d, "file": "%s"}`, a, b, strings.Repeat("f", n))}
	}},
	{"unknown", func(a, b uint32, n int) jvmlog.Record {
		return &jvmlog.Unknown{Type: jvmlog.RecordType(0x4000 + a%16), Version: uint16(b) | 1, Payload: make([]byte, n)}
	}},
}

// floodBudget is the budget of the pipelines here.
const floodBudget = 1 << 20

// flooded is a JVM's pipeline, and the log that it is fed from.
type flooded struct {
	p      *Pipeline
	at     uint64 // virtual offset of the next record
	now    jvmlog.MonoTime
	index  uint64 // of the next task event
	buffer []byte
}

func newFlooded() *flooded {
	p := New(Settings{Budget: floodBudget}, nowhere{})
	p.JVMFound(sampler.JVM{ID: 7, Header: jvmlog.Header{Minor: jvmlog.Minor}})
	return &flooded{p: p, now: 1}
}

// record writes a record and reads it, and returns its length. A record that is too long is none.
func (f *flooded) record(t testing.TB, r jvmlog.Record) int {
	b, err := jvmlog.EncodeRecord(f.buffer[:0], f.at, f.now, r)
	if err != nil {
		return 0
	}
	f.buffer = b
	_, r, err = jvmlog.DecodeRecord(b, f.at)
	require.NoError(t, err)
	f.at += uint64(len(b))
	f.p.Record(7, f.now, r)
	return len(b)
}

// task runs a task of a few samples on a thread, and returns how many bytes its events take.
func (f *flooded) task(a, b uint32) int {
	e := jvmlog.TaskEvent{Index: f.index, Kind: jvmlog.TaskStart, TID: a % 100, Task: tasksample.TaskAttemptID(f.index), Stage: tasksample.StageID(b % 100), Execution: tasksample.ExecutionID(b%50) - 1, Time: f.now, ThreadCPUNanos: uint64(f.now)}
	f.p.TaskEvent(7, e)
	f.p.Sample(7, sampler.Sample{Time: f.now + 1, TID: e.TID, Period: 1, Base: 1, Addrs: []uint64{uint64(a) << 8, uint64(b) << 8}})
	e.Index, e.Kind, e.Time, e.ThreadCPUNanos = e.Index+1, jvmlog.TaskEnd, f.now+2, uint64(f.now)+2
	f.p.TaskEvent(7, e)
	f.index += 2
	f.tick(10)
	return 2 * jvmlog.TaskEventBytes
}

// tick lets time go by.
func (f *flooded) tick(nanos jvmlog.MonoTime) {
	f.now += nanos
	f.p.Watermark(7, f.now)
}

// threadCPU is the CPU that this thread has used, in nanoseconds.
func threadCPU(t testing.TB) int64 {
	var u unix.Timespec
	require.NoError(t, unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &u))
	return u.Nano()
}

const (
	// mostKept is without generated sources, for which an attributor has bounds of its own.
	mostKept    = floodBudget + 1<<19
	mostSources = 5 << 19
	// mostOfAByte bounds the CPU of a byte, by the CPU that the JSON decoder takes for one. The
	// most expensive records, short plans, take 2 to 4 times that.
	mostOfAByte = 15
	// mostAllocsOfAByte bounds what is allocated for a byte of a log, in bytes.
	mostAllocsOfAByte = 200
)

// nanosOfJSON is the CPU that the JSON decoder takes for a byte of a small text, here and now: a
// measure that other processes and the race detector change alike.
func nanosOfJSON(t testing.TB) float64 {
	text := []byte(`{"kind": "dwell", "task_id": 123456, "end_ns": 1234567890, "file": "part-00001"}`)
	const times = 1000
	began := threadCPU(t)
	for range times {
		var out struct {
			Kind string `json:"kind"`
			Task int64  `json:"task_id"`
			End  int64  `json:"end_ns"`
		}
		require.NoError(t, json.Unmarshal(text, &out))
	}
	return float64(threadCPU(t)-began) / float64(times*len(text))
}

// TestFloods sends each kind of record without end, short and long ones, old and new ones. What is
// kept stays within the budget, and what a byte costs has a bound.
func TestFloods(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, kind := range flood {
		for _, n := range []int{0, 200, 20_000} {
			f, most := newFlooded(), mostKept
			if kind.kind == "source" {
				most = mostSources
			}
			before, began, bytes := liveHeap(), threadCPU(t), 0
			for i := uint32(0); bytes < 3*most/2; i++ {
				bytes += f.record(t, kind.make(i, i/3, n))
			}
			cost := float64(threadCPU(t)-began) / float64(bytes) / nanosOfJSON(t)
			grown := liveHeap() - before
			t.Logf("%s of %d: %.1f times the JSON decoder's CPU, %d KiB", kind.kind, n, cost, grown>>10)
			require.Less(t, cost, float64(mostOfAByte), "%s of %d: CPU of a byte", kind.kind, n)
			require.Less(t, grown, most, "%s of %d: what is kept", kind.kind, n)
			runtime.KeepAlive(f)
		}
	}
}

// run feeds the pipeline with records, tasks and samples in any order, and returns the bytes of
// them. Six bytes of a script make one: its kind, two numbers that come again often, and a size.
func (f *flooded) run(t testing.TB, script []byte) (bytes int) {
	for ; len(script) >= 6 && bytes < 1<<16; script = script[6:] {
		a, b, n := uint32(binary.BigEndian.Uint16(script[1:])), uint32(script[3]), int(binary.BigEndian.Uint16(script[4:]))
		switch kind := int(script[0]); {
		case kind >= 254:
			f.tick(jvmlog.MonoTime(n) << 20) // up to a minute
		case kind >= 250:
			bytes += f.task(a, b)
		default:
			bytes += f.record(t, flood[kind%len(flood)].make(a, b, n%4096))
		}
	}
	f.p.JVMGone(7)
	return bytes
}

// FuzzFlood runs scripts.
func FuzzFlood(f *testing.F) {
	for i := range flood {
		f.Add([]byte{byte(i), 1, 0, 1, 0, 40, byte(i), 1, 1, 2, 0, 1, 254, 0, 1, 0, 1, 0, 255, 0, 0, 0, 9, 0})
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		allocs := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
		least, most := uint64(math.MaxUint64), uint64(0)
		for range 5 { // the process's other goroutines allocate, too, so the least is right
			p := newFlooded()
			metrics.Read(allocs)
			before := allocs[0].Value.Uint64()
			most = uint64(mostAllocsOfAByte*p.run(t, script) + 1<<20)
			metrics.Read(allocs)
			c := p.p.Counts()
			require.Equal(t, c.Samples, c.Labelled+c.Surplus+c.LeftOut, "each sample is delivered")
			if least = min(least, allocs[0].Value.Uint64()-before); least <= most {
				break
			}
		}
		require.LessOrEqual(t, least, most, "allocated for a log")
	})
}
