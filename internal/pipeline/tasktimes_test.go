package pipeline

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
)

const taskTimesJSON = `{"version":1,"kind":"tasks","application_id":"app-7","columns":["stage_id","attempt","task_id","partition","try","succeeded","launched_ms",
	"finished_ms","operator_rows","host","run_ms","cpu_ns","deserialize_ms","deserialize_cpu_ns","gc_ms","serialize_ms","fetch_wait_ms","shuffle_write_ns",
	"memory_spilled_bytes","disk_spilled_bytes","input_bytes","input_rows","output_bytes","output_rows","shuffle_read_bytes","shuffle_read_rows",
	"shuffle_write_bytes","shuffle_write_rows","of_a_newer_agent"],
	"tasks":[[1,2,3,4,5,1,6,7,8,1,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27],[1,2,30,4,6,0,8,9,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]],
	"hosts":["a","b"]}`

func TestParseTasks(t *testing.T) {
	got, err := parseTimes([]byte(taskTimesJSON))
	require.NoError(t, err)
	require.Equal(t, TimesRecord{Tasks: []TaskTimes{
		{
			ApplicationID: "app-7", Stage: 1, StageAttempt: 2, ID: 3, Partition: 4, Try: 5, Succeeded: true, LaunchedMS: 6, FinishedMS: 7, OperatorRows: 8, Host: "b",
			TaskFigures: TaskFigures{
				RunMS: 9, CPUNanos: 10, DeserializeMS: 11, DeserializeCPUNanos: 12, GCMS: 13, SerializeMS: 14, FetchWaitMS: 15, MemorySpilledBytes: 17, DiskSpilledBytes: 18,
				InputBytes: 19, InputRows: 20, OutputBytes: 21, OutputRows: 22, ShuffleReadBytes: 23, ShuffleReadRows: 24, ShuffleWriteBytes: 25, ShuffleWriteRows: 26,
			},
		},
		{ApplicationID: "app-7", Stage: 1, StageAttempt: 2, ID: 30, Partition: 4, Try: 6, LaunchedMS: 8, FinishedMS: 9, Host: "a"},
	}}, got)
	long := strings.Repeat("h", 257)
	_, err = parseTimes([]byte(`{"kind":"tasks","application_id":"` + long[1:] + `","hosts":["` + long[1:] + `"]}`))
	require.NoError(t, err)
	for text, why := range map[string]string{
		`{"kind":"tasks","application_id":"` + long + `"}`:                      "257 bytes",
		`{"kind":"tasks","hosts":["a","` + long + `"]}`:                         "257 bytes",
		`{"kind":"tasks","columns":["host"],"tasks":[[1]],"hosts":["a"]}`:       "host 1 of 1",
		`{"kind":"tasks","columns":["host"],"tasks":[[-1]],"hosts":["a"]}`:      "host -1 of 1",
		`{"kind":"tasks","columns":["run_ms"],"tasks":[[1],[1,2]],"hosts":[]}`:  "task 1 has 2 values for 1 columns",
		`{"kind":"tasks","columns":["run_ms"],"tasks":[["x"]],"hosts":["a"]}`:   "decode TIMES",
		`{"kind":"tasks","columns":"run_ms","tasks":[[1],[1,2]],"hosts":["a"]}`: "decode TIMES",
	} {
		got, err := parseTimes([]byte(text))
		require.ErrorContains(t, err, why)
		require.Zero(t, got)
	}
}

func TestRunQueueRecord(t *testing.T) {
	record := RunQueue{Task: 0x0102, Waited: 0x030405}.Record().(*jvmlog.Unknown)
	require.Equal(t, []byte{2, 1, 0, 0, 0, 0, 0, 0, 5, 4, 3, 0, 0, 0, 0, 0}, record.Payload)
	got, ours, err := parseRunQueue(record)
	require.NoError(t, err)
	require.True(t, ours)
	require.Equal(t, RunQueue{Task: 0x0102, Waited: 0x030405}, got)
	_, ours, err = parseRunQueue(&jvmlog.Unknown{Type: 99, Payload: []byte("of the future")})
	require.NoError(t, err)
	require.False(t, ours)

	s := newScenario(Settings{})
	s.JVM(7, sampler.ModeSelfOpened)
	negative := append(make([]byte, 15), 0x80)
	for _, bad := range []*jvmlog.Unknown{
		{Type: runQueueRecord, Version: 2, Payload: make([]byte, 16)}, {Type: runQueueRecord, Version: 1, Payload: make([]byte, 15)},
		{Type: runQueueRecord, Version: 1, Payload: negative},
	} {
		_, ours, err := parseRunQueue(bad)
		require.True(t, ours)
		require.ErrorContains(t, err, "decode run queue")
		s.p.Record(7, 1, bad)
	}
	require.EqualValues(t, 3, s.p.Counts().BadRecords)
}
