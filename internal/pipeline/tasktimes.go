package pipeline

import (
	"encoding/json"
	"fmt"

	"github.com/planflame/planflame/tasksample"
)

// TaskTimes are Spark's figures of one task attempt that ended. All figures are 0 if Spark has none
// of an attempt that failed. Times that say when are milliseconds since 1970 by the driver's clock.
type TaskTimes struct {
	ApplicationID string
	Stage         tasksample.StageID
	StageAttempt  tasksample.StageAttempt
	ID            tasksample.TaskAttemptID
	Partition     int
	Try           int // Spark's attemptNumber
	Succeeded     bool
	LaunchedMS    int64
	FinishedMS    int64
	OperatorRows  int64 // the most rows that one SQL operator put out in it
	Host          string
	TaskFigures
}

// TaskFigures are Spark's TaskMetrics, in its units.
type TaskFigures struct {
	RunMS               int64
	CPUNanos            int64
	DeserializeMS       int64
	DeserializeCPUNanos int64
	GCMS                int64
	SerializeMS         int64
	FetchWaitMS         int64
	MemorySpilledBytes  int64
	DiskSpilledBytes    int64
	InputBytes          int64
	InputRows           int64
	OutputBytes         int64
	OutputRows          int64
	ShuffleReadBytes    int64
	ShuffleReadRows     int64
	ShuffleWriteBytes   int64
	ShuffleWriteRows    int64
}

// taskColumns are the columns of a record of tasks that are read. All but the host are numbers.
var taskColumns = map[string]func(*TaskTimes, int64){
	"stage_id":             func(t *TaskTimes, v int64) { t.Stage = tasksample.StageID(v) },
	"attempt":              func(t *TaskTimes, v int64) { t.StageAttempt = tasksample.StageAttempt(v) },
	"task_id":              func(t *TaskTimes, v int64) { t.ID = tasksample.TaskAttemptID(v) },
	"partition":            func(t *TaskTimes, v int64) { t.Partition = int(v) },
	"try":                  func(t *TaskTimes, v int64) { t.Try = int(v) },
	"succeeded":            func(t *TaskTimes, v int64) { t.Succeeded = v != 0 },
	"launched_ms":          func(t *TaskTimes, v int64) { t.LaunchedMS = v },
	"finished_ms":          func(t *TaskTimes, v int64) { t.FinishedMS = v },
	"operator_rows":        func(t *TaskTimes, v int64) { t.OperatorRows = v },
	"run_ms":               func(t *TaskTimes, v int64) { t.RunMS = v },
	"cpu_ns":               func(t *TaskTimes, v int64) { t.CPUNanos = v },
	"deserialize_ms":       func(t *TaskTimes, v int64) { t.DeserializeMS = v },
	"deserialize_cpu_ns":   func(t *TaskTimes, v int64) { t.DeserializeCPUNanos = v },
	"gc_ms":                func(t *TaskTimes, v int64) { t.GCMS = v },
	"serialize_ms":         func(t *TaskTimes, v int64) { t.SerializeMS = v },
	"fetch_wait_ms":        func(t *TaskTimes, v int64) { t.FetchWaitMS = v },
	"memory_spilled_bytes": func(t *TaskTimes, v int64) { t.MemorySpilledBytes = v },
	"disk_spilled_bytes":   func(t *TaskTimes, v int64) { t.DiskSpilledBytes = v },
	"input_bytes":          func(t *TaskTimes, v int64) { t.InputBytes = v },
	"input_rows":           func(t *TaskTimes, v int64) { t.InputRows = v },
	"output_bytes":         func(t *TaskTimes, v int64) { t.OutputBytes = v },
	"output_rows":          func(t *TaskTimes, v int64) { t.OutputRows = v },
	"shuffle_read_bytes":   func(t *TaskTimes, v int64) { t.ShuffleReadBytes = v },
	"shuffle_read_rows":    func(t *TaskTimes, v int64) { t.ShuffleReadRows = v },
	"shuffle_write_bytes":  func(t *TaskTimes, v int64) { t.ShuffleWriteBytes = v },
	"shuffle_write_rows":   func(t *TaskTimes, v int64) { t.ShuffleWriteRows = v },
}

// longestTaskName bounds an application's id and a host's name in a record of tasks, in bytes. A
// name in DNS has at most 253. Consumers bound tasks by their number.
const longestTaskName = 256

// parseTasks reads the JSON of a TIMES record of tasks.
func parseTasks(text []byte) ([]TaskTimes, error) {
	var in struct {
		ApplicationID string    `json:"application_id"`
		Columns       []string  `json:"columns"`
		Tasks         [][]int64 `json:"tasks"`
		Hosts         []string  `json:"hosts"`
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return nil, err
	}
	for _, name := range append(in.Hosts, in.ApplicationID) {
		if len(name) > longestTaskName {
			return nil, fmt.Errorf("a name has %d bytes, more than %d", len(name), longestTaskName)
		}
	}
	out := make([]TaskTimes, len(in.Tasks))
	for i, row := range in.Tasks {
		if len(row) != len(in.Columns) {
			return nil, fmt.Errorf("task %d has %d values for %d columns", i, len(row), len(in.Columns))
		}
		out[i].ApplicationID = in.ApplicationID
		for k, column := range in.Columns {
			if set := taskColumns[column]; set != nil {
				set(&out[i], row[k])
			}
			if column != "host" {
				continue
			}
			if row[k] < 0 || row[k] >= int64(len(in.Hosts)) {
				return nil, fmt.Errorf("task %d has host %d of %d", i, row[k], len(in.Hosts))
			}
			out[i].Host = in.Hosts[row[k]]
		}
	}
	return out, nil
}
