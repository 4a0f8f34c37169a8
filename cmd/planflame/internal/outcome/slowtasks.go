package outcome

import (
	"fmt"

	"github.com/planflame/planflame/skew"
	"github.com/planflame/planflame/tasksample"
)

// SlowTasks are the tasks that are slow beside their peers (docs/use/slow-tasks.md).
type SlowTasks struct {
	Stages      int        `json:"stages"`                            // stage attempts that ended
	Judged      int        `json:"judged_tasks"`                      // tasks with enough peers
	Unqueued    int        `json:"tasks_without_run_queue,omitempty"` // of 1 s or more, of which is not known how long they waited for a core
	Missing     int        `json:"missing_tasks,omitempty"`           // attempts whose figures are not known
	Wall        float64    `json:"wall_seconds"`                      // of the applications, as Time has it
	WithoutWall float64    `json:"without_wall_seconds"`              // without the excess of the slow tasks: wall less what the replay gains
	Replayed    float64    `json:"replayed_seconds"`                  // of the stages' replay, 0 without slow tasks
	Tasks       []SlowTask `json:"tasks"`                             // by falling excess
}

// SlowTask is a task that is slow beside its peers.
type SlowTask struct {
	ApplicationID string                   `json:"application_id"`
	ExecutionID   *tasksample.ExecutionID  `json:"sql_execution_id,omitempty"` // absent outside SQL
	StageID       tasksample.StageID       `json:"stage_id"`
	Attempt       tasksample.StageAttempt  `json:"attempt"`
	TaskID        tasksample.TaskAttemptID `json:"task_id"`
	Partition     int                      `json:"partition"`
	Host          string                   `json:"host"`
	Verdict       skew.Verdict             `json:"verdict"`
	Seconds       float64                  `json:"seconds"`      // for which it held a slot
	PeerSeconds   float64                  `json:"peer_seconds"` // the middle half of its peers, on average
	Excess        Excess                   `json:"excess_seconds"`
	Volume        float64                  `json:"volume_ratio"`        // over its peers'
	Measure       skew.Measure             `json:"volume_of,omitempty"` // what differs most: "row", "byte", "row out"; absent if nothing is counted
	CPURatio      float64                  `json:"cpu_ratio"`           // CPU for each of these, over its peers'; 0: they have none
	Operator      string                   `json:"operator,omitempty"`  // name of the one that has most of the excess CPU, if samples tell
	OperatorCPU   float64                  `json:"operator_excess_cpu_seconds,omitempty"`
	Half          *Half                    `json:"half_of_time,omitempty"` // at most a fourth of its records; absent if not so few, or if records were not watched
	PausedBy      *PausedBy                `json:"paused_by,omitempty"`    // of verdict gc: the slow task in whose time the pauses fall, if it is another
}

// Half are the records that took half of a task's reading time.
type Half struct {
	Record  Range `json:"record"`  // of the task, counted from 1, in the order in which it read them
	Records int64 `json:"records"` // that it read in all
}

// String is "half of its time: records 5 to 7 of 400".
func (h *Half) String() string {
	return fmt.Sprintf("half of its time: %v of %s", h.Record, thousands(h.Records))
}

// PausedBy is a task in whose time the pauses of a JVM fall.
type PausedBy struct {
	StageID   tasksample.StageID      `json:"stage_id"`
	Attempt   tasksample.StageAttempt `json:"attempt"`
	Partition int                     `json:"partition"`
}

// Excess is what a slow task has beyond its peers, and what it is made of.
type Excess struct {
	All           float64 `json:"all"` // the sum of the others
	Rows          float64 `json:"rows"`
	CPU           float64 `json:"cpu_per_row"`
	GC            float64 `json:"gc"`
	Serialization float64 `json:"serialization"`
	FetchWait     float64 `json:"fetch_wait"`
	Wait          float64 `json:"wait"`
	Host          float64 `json:"host"`
}

// ExcessOf names the parts of an excess.
func ExcessOf(s *skew.Slow) Excess {
	p := s.Parts
	return Excess{
		All: s.Excess, Rows: p[skew.PartRows], CPU: p[skew.PartCPU], GC: p[skew.PartGC], Serialization: p[skew.PartSerde],
		FetchWait: p[skew.PartFetch], Wait: p[skew.PartWait], Host: p[skew.PartHost],
	}
}

// mostSlowTasks are shown below the table. summary.json has all.
const mostSlowTasks = 5

func (t *table) slowTasks(s *SlowTasks) {
	if s == nil || len(s.Tasks) == 0 {
		return
	}
	t.line("")
	t.text(bold, "slow tasks  %d of %d; without their excess the job takes %s s instead of %s s (replayed)", len(s.Tasks), s.Judged, seconds(s.WithoutWall), seconds(s.Wall))
	for i := range s.Tasks[:min(len(s.Tasks), mostSlowTasks)] {
		t.slowTask(&s.Tasks[i])
	}
	if n := len(s.Tasks) - mostSlowTasks; n > 0 {
		t.text(plain, "  and %d more in summary.json", n)
	}
	if s.Missing > 0 {
		t.text(plain, "  of %d task attempts no figures are known", s.Missing)
	}
}

// many names more than one of a measure.
var many = map[skew.Measure]string{skew.RowsIn: "rows", skew.BytesIn: "bytes", skew.RowsOut: "rows out"}

func (t *table) slowTask(x *SlowTask) {
	line := fmt.Sprintf("  %s  %s  %s s, peers %s s", placeOf(x.StageID, x.Attempt, x.Partition), x.Verdict, seconds(x.Seconds), seconds(x.PeerSeconds))
	if x.Measure != skew.NoMeasure {
		line += fmt.Sprintf(", %s %s ×", many[x.Measure], ratio(x.Volume))
		if x.CPURatio > 0 {
			line += fmt.Sprintf(", CPU a %s %s ×", x.Measure, ratio(x.CPURatio))
		}
	}
	t.text(plain, "%s", line)
	if p := x.PausedBy; p != nil {
		t.text(plain, "    victim: its JVM paused while %s ran", placeOf(p.StageID, p.Attempt, p.Partition))
	}
	if x.Half != nil {
		t.text(plain, "    %v", x.Half)
	}
	if x.Operator != "" {
		more := fmt.Sprintf("    %s s more CPU: ", seconds(x.OperatorCPU))
		t.line(more + cut(x.Operator, t.Width-length(more)))
	}
}

func placeOf(stage tasksample.StageID, attempt tasksample.StageAttempt, partition int) string {
	if attempt == 0 {
		return fmt.Sprintf("stage %d partition %d", stage, partition)
	}
	return fmt.Sprintf("stage %d.%d partition %d", stage, attempt, partition)
}

// ratio is a ratio with as many digits as tell something.
func ratio(x float64) string {
	if x < 9.95 {
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}
