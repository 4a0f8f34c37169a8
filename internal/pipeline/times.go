package pipeline

import (
	"encoding/json"
	"fmt"
	"hash/maphash"

	"github.com/planflame/planflame/internal/printable"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/tasksample"
)

// TimesConsumer is a Consumer that also takes where the time went, by the driver's events.
type TimesConsumer interface {
	Consumer
	// Times is called for each TIMES record of a driver's log. A later one of the same stage
	// attempt, execution or application replaces it. Each task comes once.
	Times(sampler.JVMID, TimesRecord)
}

// TimesRecord is one TIMES record (FORMAT.md), or the run queue of a task: the field that is not
// nil.
type TimesRecord struct {
	Application *ApplicationTimes
	Execution   *ExecutionTimes
	Stage       *StageTimes
	Tasks       []TaskTimes
	RunQueue    *RunQueue // of a recording, not of the driver
}

// ApplicationTimes are the times of an application up to UntilMS. Times are milliseconds since 1970
// by the driver's clock.
type ApplicationTimes struct {
	ApplicationID string `json:"application_id"`
	StartedMS     int64  `json:"started_ms"`
	EndedMS       int64  `json:"ended_ms"` // 0: it runs
	UntilMS       int64  `json:"until_ms"`
	Slots         int    `json:"slots"`         // the most there were
	SlotUS        int64  `json:"slot_us"`       // slots × time
	StageSlotUS   int64  `json:"stage_slot_us"` // part of SlotUS while a stage was active
	TaskFreeMS    int64  `json:"task_free_ms"`  // no task ran
	PlanningMS    int64  `json:"planning_ms"`   // part of TaskFreeMS in which an execution was planned or prepared its first job
	MissedTasks   uint64 `json:"missed_tasks"`  // whose times are in no stage
	LeftOut       uint64 `json:"left_out"`      // stages, executions and tasks without a record
}

// ExecutionTimes are the times of an SQL execution that is over.
type ExecutionTimes struct {
	ApplicationID  string                 `json:"application_id"`
	ID             tasksample.ExecutionID `json:"execution_id"`
	Root           tasksample.ExecutionID `json:"root_id"` // the execution that runs this one; its own ID if none does
	Query          string                 `json:"query"`   // "": not known
	QueryName      string                 `json:"query_name"`
	Plan           string                 `json:"plan"`
	RootNode       string                 `json:"root_node"` // name of its plan's root; "": not known
	Jobs           int                    `json:"jobs"`
	StartedMS      int64                  `json:"started_ms"`
	EndedMS        int64                  `json:"ended_ms"`
	Failed         bool                   `json:"failed"`
	TaskFreeMS     int64                  `json:"task_free_ms"` // none of its tasks ran
	AnalysisMS     int64                  `json:"analysis_ms"`  // of its plan, before it started, as the next two
	OptimizationMS int64                  `json:"optimization_ms"`
	PlanningMS     int64                  `json:"planning_ms"`
	HeldUS         int64                  `json:"held_us"` // of its stages, as the next two
	IdleUS         int64                  `json:"idle_us"`
	CPUNanos       int64                  `json:"cpu_ns"`

	// Inner is an execution that runs for another one of the same query, as a batch of a stream
	// does on Spark 4. Its wall time is in the other's.
	Inner bool `json:"-"`
	// TasksOf is the execution whose id the tasks have: of one with an Inner that one's, else its
	// own.
	TasksOf tasksample.ExecutionID `json:"-"`
	// Told says that its run was told in a window before, as an execution of the same query which
	// ran for it. ToldMS is the wall time of all such. TaskFreeMS is without theirs.
	Told   bool  `json:"-"`
	ToldMS int64 `json:"-"`
}

// StageTimes are the times of a stage attempt that is over, and the sums of Spark's metrics over
// its tasks that ended, failed ones included.
type StageTimes struct {
	ApplicationID       string                  `json:"application_id"`
	ID                  tasksample.StageID      `json:"stage_id"`
	Attempt             tasksample.StageAttempt `json:"attempt"`
	Execution           tasksample.ExecutionID  `json:"execution_id"`
	Name                string                  `json:"name"`
	Parents             []tasksample.StageID    `json:"parents"` // Spark's; skipped ones, whose output was there, have no record
	SubmittedMS         int64                   `json:"submitted_ms"`
	CompletedMS         int64                   `json:"completed_ms"`
	Failed              bool                    `json:"failed"`
	Tasks               int                     `json:"ended_tasks"`
	FailedTasks         int                     `json:"failed_tasks"`
	MissedTasks         int                     `json:"missed_tasks"`
	HeldUS              int64                   `json:"held_us"` // slot time that its tasks held
	IdleUS              int64                   `json:"idle_us"` // its part of the slot time that no task held
	MedianRunMS         int64                   `json:"median_run_ms"`
	MaxRunMS            int64                   `json:"max_run_ms"`
	RunMS               int64                   `json:"run_ms"`
	CPUNanos            int64                   `json:"cpu_ns"`
	DeserializeMS       int64                   `json:"deserialize_ms"`
	DeserializeCPUNanos int64                   `json:"deserialize_cpu_ns"`
	GCMS                int64                   `json:"gc_ms"`
	SerializeMS         int64                   `json:"serialize_ms"`
	FetchWaitMS         int64                   `json:"fetch_wait_ms"`
	ShuffleWriteNanos   int64                   `json:"shuffle_write_ns"`
	MemorySpilledBytes  int64                   `json:"memory_spilled_bytes"`
	DiskSpilledBytes    int64                   `json:"disk_spilled_bytes"`
	InputBytes          int64                   `json:"input_bytes"`
	InputRows           int64                   `json:"input_rows"`
	OutputBytes         int64                   `json:"output_bytes"`
	OutputRows          int64                   `json:"output_rows"`
	ShuffleReadBytes    int64                   `json:"shuffle_read_bytes"`
	ShuffleReadRows     int64                   `json:"shuffle_read_rows"`
	ShuffleWriteBytes   int64                   `json:"shuffle_write_bytes"`
	ShuffleWriteRows    int64                   `json:"shuffle_write_rows"`
}

// parseTimes reads the JSON of a TIMES record. All fields are nil for a kind that a newer agent
// writes.
func parseTimes(text []byte) (r TimesRecord, err error) {
	text = printable.JSON(text)
	var head struct {
		Kind string `json:"kind"`
	}
	if err = json.Unmarshal(text, &head); err != nil {
		return r, fmt.Errorf("decode TIMES: %w", err)
	}
	switch head.Kind {
	case "application":
		r.Application = &ApplicationTimes{}
		err = json.Unmarshal(text, r.Application)
	case "execution":
		r.Execution = &ExecutionTimes{}
		err = json.Unmarshal(text, r.Execution)
	case "stage":
		r.Stage = &StageTimes{}
		err = json.Unmarshal(text, r.Stage)
	case "tasks":
		r.Tasks, err = parseTasks(text)
	}
	if err != nil {
		return TimesRecord{}, fmt.Errorf("decode TIMES of kind %q: %w", head.Kind, err)
	}
	return r, nil
}

// mostTimed is how many executions are remembered to tell replays: more than an agent keeps for
// one.
const mostTimed = 2048

// timedExecution tells the executions of all applications apart. An application's id may be of any
// length, so its hash stands for it.
type timedExecution struct {
	application uint64
	id          tasksample.ExecutionID
}

var applicationSeed = maphash.MakeSeed()

// timedExecutions are the executions of which a JVM told the times.
type timedExecutions struct {
	known map[timedExecution]bool
	old   []timedExecution // of known, oldest first
}

// add takes note of an execution. It reports whether it is new.
func (e *timedExecutions) add(x ExecutionTimes) bool {
	key := timedExecution{maphash.String(applicationSeed, x.ApplicationID), x.ID}
	if e.known[key] {
		return false
	}
	if e.known == nil {
		e.known = map[timedExecution]bool{}
	}
	e.known[key] = true
	e.old = append(e.old, key)
	if len(e.old) > mostTimed {
		delete(e.known, e.old[0])
		e.old = e.old[1:]
	}
	return true
}
