package jvmlog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/tasksample"
)

// The golden files are written by the agent's C tests; what they hold is stated, by hand, in their
// README.md and again here.

func goldenFile(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "agent-jvmti", "testdata", name))
	require.NoError(t, err)
	return b
}

func goldenLog(t testing.TB) *Log {
	t.Helper()
	l, err := FromBytes(goldenFile(t, "log-v1.bin"))
	require.NoError(t, err)
	return l
}

func TestGoldenHeader(t *testing.T) {
	h, err := goldenLog(t).Header()
	require.NoError(t, err)
	require.Equal(t, Header{
		Major: 1, Minor: 8, TotalBytes: 32768, PID: 4711, JDKFeature: 17, JDKVersion: "17.0.15+6-golden", StartTime: 1000000001,
		ProcessStartTicks: 222333, Heartbeat: 9000000009, State: StateLive, Flags: FlagPreserveFramePointer | FlagLoadedAtStart,
		ThreadsOffset: 4096, ThreadSlots: 8, EventsOffset: 5120, EventSlots: 16, RecordsOffset: 7168, RecordsBytes: 25600,
		EventsHead: 17, RecordsCommitted: 29712, RecordsTail: 11056, ReplayGeneration: 2, ThreadsHighWater: 4,
		PerfSampleType: 0x3127, PerfRegsMask: 0xff01ff, DroppedRecords: 3, DroppedRecordBytes: 232, DroppedThreads: 5, DroppedSources: 31,
		DroppedDicts: 37, PerfOpenFailures: 41, PerfLastErrno: 13, ControlRejections: 43, AgentCPUNanos: 47000047, TasksStarted: 9, TasksEnded: 8,
		DroppedRows: 53,
	}, h)
}

func TestGoldenApplication(t *testing.T) {
	l := goldenLog(t)
	require.Equal(t, uint32(4), l.ApplicationVersion(), "written twice")
	kept, err := l.Application()
	require.NoError(t, err)
	require.Equal(t, Kept{Application: Application{JSON: []byte(`{"application_id":"app-2","application_name":"of 1.4"}`)}, Cut: true}, kept)
}

func TestGoldenThreads(t *testing.T) {
	l := goldenLog(t)
	require.Equal(t, []Thread{
		{
			Slot: 0, TID: 4801, StartTime: 2000000002, Flags: ThreadTask, PerfFD: 61, PerfDetailFD: 62, RingPages: 64, PerfErrno: 0, PerfOpens: 2,
			BasePeriodNS: 10000000, DetailPeriodNS: 1000000, CPUNanosAtOpen: 303030303, Name: "Executor task launch worker-3",
		},
		{
			Slot: 3, TID: 4804, StartTime: 2000000005, Flags: ThreadTask | ThreadInternal | ThreadEnded, PerfFD: -1, PerfDetailFD: -1, PerfErrno: 13,
			Name: "Täsk-" + strings.Repeat("x", 57),
		},
	}, l.Threads(nil))
	require.Equal(t, LogStats{TornThreads: 1}, l.Stats(), "slot 2")
}

func TestGoldenEvents(t *testing.T) {
	l := goldenLog(t)
	now := MonoTime(1)
	l.Clock = func() MonoTime { return now }
	var got []TaskEvent
	collect := func(e TaskEvent) { got = append(got, e) }
	next, missed := l.Events(0, collect)
	require.Equal(t, []uint64{5, 1}, []uint64{next, missed}, "waits for event 5")
	now += MonoTime(time.Second)
	next, missed = l.Events(next, collect)
	require.Equal(t, []uint64{17, 1}, []uint64{next, missed})

	require.Len(t, got, 15)
	index := uint64(1)
	for _, e := range got {
		if index == 5 {
			index++
		}
		require.Equal(t, goldenEvent(index), e)
		index++
	}
	third := got[2]
	require.Equal(t, []any{uint64(3), MonoTime(3000000003), TaskEnd, tasksample.TaskAttemptID(103), 0.125},
		[]any{third.Index, third.Time, third.Kind, third.Task, third.InclusionProbability})
}

func goldenEvent(n uint64) TaskEvent {
	e := TaskEvent{
		Index: n, Time: MonoTime(3000000000 + n), Kind: TaskStart, TID: uint32(4800 + n), Task: tasksample.TaskAttemptID(100 + n),
		Stage: tasksample.StageID(200 + n), StageAttempt: tasksample.StageAttempt(300 + n), Partition: tasksample.PartitionID(400 + n),
		Partitions: uint32(500 + n), Execution: tasksample.ExecutionID(600 + n), ThreadCPUNanos: 700000 + n, UserNanos: 800000 + n,
		SystemNanos: 900000 + n, Flags: TaskFlags(n % 4), Attempt: uint32(1000 + n), InclusionProbability: float64(n+1) / 32,
		ExecutorCPUNanos: 1100000 + n, ExecutorDeserializeNanos: 1200000 + n, GCMillis: 1300 + n,
	}
	if n%2 == 1 {
		e.Kind = TaskEnd
	}
	if n == 16 {
		e.Execution = tasksample.NoExecution
	}
	return e
}

// goldenRecords are the records of the golden log.
func goldenRecords() []Record {
	alphabet := "abcdefghijklmnopqrstuvwxyz"
	return []Record{
		&Source{Loader: 901, Class: "BB", Body: strings.Repeat(alphabet, 500)[:12000], Comments: []byte("{}")},
		&Method{
			ID: 11, Loader: 21, Ptr: 0x7f00aabbccd0, Flags: MethodHasLines | MethodGenerated,
			Class: "org.apache.spark.sql.catalyst.expressions.GeneratedClass$GeneratedIteratorForCodegenStage1", Name: "processNext",
			Descriptor: "()V", SourceFile: "generated.java", Lines: []LineEntry{{0, 31}, {7, 33}, {19, 32}},
		},
		&Method{
			ID: 12, Flags: MethodNative, Class: "java.lang.invoke.LambdaForm$MH/0x0000000800c1", Name: "a\x00z\U0001F600",
			Descriptor: "(Ljava/lang/Object;)I",
		},
		&CodeLoad{
			Address: 0x7f1122334400, Size: 128, Level: 4, Method: 11, FrameBytes: 96, FrameComplete: 12, CompileID: 1234,
			Flags: CodeReplayed | CodeInlines, PCs: []PCRegion{{8, 0, 1}, {40, 1, 2}, {100, 0, 1}}, Frames: []CodeFrame{{11, -1}, {12, 3}, {11, 17}},
			Proofs: []PCProof{{14, 100}, {26, 40}},
		},
		&CodeLoad{Address: 0x7f1122335500, Size: 64, Method: 12, FrameComplete: NoFrameComplete},
		&Dictionary{Execution: 71, Update: 72, JSON: []byte("{" + strings.Repeat(" ", 2998) + "}")},
		&CodeUnload{Address: 0x7f1122334400, Method: 11},
		&Stub{Address: 0x7f1122000000, Size: 77824, Name: "Interpreter"},
		&Source{
			Loader: 21, Class: "org.apache.spark.sql.catalyst.expressions.GeneratedClass", Body: "/* 001 */ public Object generate()\n",
			Comments: []byte(`{"project_c_0":"PRODUCE: Project"}`),
		},
		&Stage{Stage: 51, StageAttempt: 52, Execution: 53, Accumulators: []tasksample.AccumulatorID{54, -55, 5600000000}},
		&Application{JSON: []byte(`{"application_id":"app-1"}`)},
		&Replay{Begin: true, Generation: 61},
		&Replay{Generation: 62},
		&VMLayout{JSON: []byte(`{"offsets":{"CodeBlob._frame_size":56}}`)},
		&CodeHeap{Low: 0x7f1122000000, High: 0x7f1130000000, Name: "CodeHeap 'profiled nmethods'"},
		&Rows{StageID: 81, StageAttempt: 82, ExecutionID: 83, Tasks: 84, Accumulated: []Accumulated{{ID: -85, Sum: 86}, {ID: 8700000000, Sum: -88}}},
		&ExecutionEnd{ExecutionID: 91, Failed: true, UnixNano: 1795305600000000092},
		&Times{JSON: []byte(`{"version":1,"kind":"stage"}`)},
		&StageInfo{Stage: 93, JSON: []byte(`{"version":1}`)},
		&Dwell{JSON: []byte(`{"version":1,"kind":"dwell"}`)},
		&Unknown{Type: 99, Version: 1, Payload: []byte("of a later minor version")},
	}
}

func TestGoldenRecords(t *testing.T) {
	var got []Record
	next, missed, bad, err := goldenLog(t).Records(0, func(at MonoTime, r Record) error {
		require.Equal(t, MonoTime(5000001000+1000*len(got)), at)
		got = append(got, r)
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, goldenRecords(), got)
	require.Equal(t, []uint64{29712, 11056, 0}, []uint64{next, missed, bad})
}

func TestGoldenControl(t *testing.T) {
	p, err := DecodeControl(goldenFile(t, "control-v1.bin"))
	require.NoError(t, err)
	require.Equal(t, ControlPage{
		Major: 1, Minor: 8, LeaseOwner: 0x1122334455667788, LeaseHeartbeat: 8000000008, LeasePID: 6001, LeaseRank: RankNamed, Seq: 10,
		Settings: Settings{
			Enabled: true, Mode: OpenByAgent, StackBytes: 8192, BasePeriod: 10 * time.Millisecond, DetailPeriod: time.Millisecond, RingPages: 64,
			InclusionProbability: 0.125, Seed: 0x99aabbccddeeff00, MinTasksPerStage: 11, Promoted: []tasksample.TaskAttemptID{7000000019, 23},
		},
		RecordsAck: 23112, ReplayRequest: 7,
	}, p)
}
