package outcome

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/tasksample"
)

// SlowRecords are the records at which tasks stood still (docs/use/slow-tasks.md).
type SlowRecords struct {
	Watched   uint64               `json:"watched_tasks"`
	Explained uint64               `json:"explained_dwells"`          // pauses and stops of the JVM, waits for a core, or stacks explain them
	Dropped   uint64               `json:"dropped_dwells,omitempty"`  // too many to keep, or of an unknown kind
	Unwatched uint64               `json:"unwatched_tasks,omitempty"` // of which nothing is told, because of an error of ours
	Watcher   float64              `json:"watcher_cpu_share"`         // of a core, for as long as executors ran
	Steady    float64              `json:"watcher_steady_cpu_share"`  // without the first seconds, in which the JVM compiles the watcher's code; 0: it ran no longer
	Period    float64              `json:"watcher_period_seconds"`    // between two looks, at the end; the longest of all JVMs
	Apart     map[string]DwellSums `json:"apart"`                     // dwells that are no records', by kind
	Records   []SlowRecord         `json:"records"`                   // by falling net time

	sums, steady watcherSums
}

// watcherSums are the watchers' CPU and how long they ran, in nanoseconds.
type watcherSums struct{ cpu, elapsed int64 }

// add adds what a watcher used in a time, and returns the share of a core.
func (w *watcherSums) add(cpu, elapsed int64) float64 {
	if w.cpu, w.elapsed = w.cpu+cpu, w.elapsed+elapsed; w.elapsed == 0 {
		return 0
	}
	return float64(w.cpu) / float64(w.elapsed)
}

// DwellSums are dwells of a kind.
type DwellSums struct {
	Count   int     `json:"count"`
	Seconds float64 `json:"seconds"`
}

// SlowRecord is a record, or a batch of records, that cost much more than the others of its task.
// Records are counted from 1, in the order in which the task's scan returned them.
type SlowRecord struct {
	ApplicationID string                   `json:"application_id"`
	StageID       tasksample.StageID       `json:"stage_id"`
	Attempt       tasksample.StageAttempt  `json:"attempt"`
	TaskID        tasksample.TaskAttemptID `json:"task_id"`
	Partition     int                      `json:"partition"`
	Record        Range                    `json:"record"`           // of the task
	Records       int64                    `json:"records"`          // that the task read
	Shuffle       bool                     `json:"shuffle"`          // of a shuffle, whose order changes from run to run
	Python        bool                     `json:"python,omitempty"` // records are rows that came back from a Python worker
	File          string                   `json:"file,omitempty"`   // absent if not known
	Path          string                   `json:"path_sha256,omitempty"`
	Offset        int64                    `json:"file_offset"`
	FileRecord    *Range                   `json:"file_record,omitempty"` // of the file from the offset on
	Seconds       float64                  `json:"seconds"`
	Net           float64                  `json:"net_seconds"` // without pauses, stops of the JVM and waits for a core
	CPU           float64                  `json:"cpu_seconds"`
	GC            float64                  `json:"gc_seconds"`
	RunQueue      float64                  `json:"run_queue_seconds"`
	RowsOut       int64                    `json:"rows_out"`
	Key           string                   `json:"key_sha256,omitempty"` // of a key that planflame debug timed, with a salt of its JVM
	GroupRows     int64                    `json:"group_rows,omitempty"` // of the key
	Operator      string                   `json:"operator,omitempty"`
	Frames        []string                 `json:"frames,omitempty"` // leaf first

	ranged bool // of a Range
}

// Range is where a record is, at least and at most.
type Range [2]int64

// thousands is a number with a comma between thousands.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Add adds what a JVM's desk counted.
func (s *SlowRecords) Add(w *pipeline.Watch) {
	s.Watched += w.Tasks
	s.Explained += w.Explained
	s.Dropped += w.DroppedTask + w.DroppedMinute
	s.Unwatched += w.Failures
	s.Watcher = s.sums.add(w.CPUNanos, w.ElapsedNanos)
	if w.FirstElapsedNanos > 0 {
		s.Steady = s.steady.add(w.CPUNanos-w.FirstCPUNanos, w.ElapsedNanos-w.FirstElapsedNanos)
	}
	s.Period = max(s.Period, float64(w.PeriodNanos)/1e9)
}

// SlowRecordOf is a dwell as it is told.
func SlowRecordOf(application string, d *pipeline.Dwell) SlowRecord {
	out := SlowRecord{
		ApplicationID: application, StageID: d.Stage, Attempt: d.StageAttempt, TaskID: d.Task, Partition: d.Partition,
		Records: d.Records, Shuffle: d.Shuffle, Python: d.Python, File: d.File, Path: d.Path, Offset: d.FileStart,
		Seconds: float64(d.End-d.Begin) / 1e9, Net: float64(d.NetMS) / 1e3, CPU: float64(d.CPUMS) / 1e3, GC: float64(d.GCMS) / 1e3, RunQueue: float64(d.QueueMS) / 1e3,
		RowsOut: d.RowsOut, Key: d.Key, GroupRows: d.GroupRows, Operator: d.Operator, Frames: d.Frames, ranged: d.Ranged,
	}
	out.Record[0], out.Record[1] = d.Span()
	if d.File != "" {
		first, last := d.FileSpan()
		out.FileRecord = &Range{first, last}
	}
	return out
}

// String is "record 7" or "records 5 to 7".
func (r Range) String() string {
	if r[0] == r[1] {
		return "record " + thousands(r[0])
	}
	return "records " + thousands(r[0]) + " to " + thousands(r[1])
}

func (r *SlowRecord) time() string {
	parts := []string{"CPU " + seconds(r.CPU)}
	if r.GC >= 0.1 {
		parts = append(parts, "GC "+seconds(r.GC))
	}
	if r.RunQueue >= 0.1 {
		parts = append(parts, "waiting for a core "+seconds(r.RunQueue))
	}
	return fmt.Sprintf("%s s (%s)", seconds(r.Seconds), strings.Join(parts, ", "))
}

// Lines are what the record cost and where it is, for people.
func (r *SlowRecord) Lines() (what, where string) {
	attempt := ""
	if r.Attempt > 0 {
		attempt = fmt.Sprintf(".%d", r.Attempt)
	}
	what = fmt.Sprintf("stage %d%s partition %d  %s", r.StageID, attempt, r.Partition, r.time())
	if r.Operator != "" {
		what += "  " + r.Operator
	}
	switch {
	case r.Key != "":
		where = fmt.Sprintf("key %s, %s of %s", r.Key, thousands(r.Record[0]), thousands(r.Records))
		if r.GroupRows > 0 {
			where += fmt.Sprintf(", %s rows", thousands(r.GroupRows))
		}
	case r.FileRecord != nil && (!r.Shuffle || r.Python):
		where = fmt.Sprintf("%s +%d, %v", r.File, r.Offset, *r.FileRecord)
	case r.Python:
		where = fmt.Sprintf("%v of %s that came back from Python", r.Record, thousands(r.Records))
	case r.Shuffle:
		where = r.Record.String() + " of those that it read of shuffles"
	default:
		where = fmt.Sprintf("%v of %s in the partition", r.Record, thousands(r.Records))
	}
	if r.RowsOut >= manyRows {
		where += fmt.Sprintf(", %s rows out", thousands(r.RowsOut))
	}
	return what, where
}

// Code is where the task was, leaf first, without packages; "" if not known.
func (r *SlowRecord) Code() string {
	names := make([]string, len(r.Frames))
	for i, frame := range r.Frames {
		method := strings.LastIndexByte(frame, '.')
		class := strings.LastIndexByte(frame[:max(method, 0)], '.')
		names[i] = frame[class+1:]
	}
	return strings.Join(names, " < ")
}

// manyRows are more rows than a batch has, by far: the record makes many of one.
const manyRows = 100_000

// Title is the line above the records.
func (s *SlowRecords) Title() string {
	return fmt.Sprintf("slow records  %d in %d tasks", len(s.Records), s.Watched)
}

// More says what is not shown of n records, and what is not known; "" if nothing.
func (s *SlowRecords) More(shown int) (lines []string) {
	if n := len(s.Records) - shown; n > 0 {
		lines = append(lines, fmt.Sprintf("and %d more in summary.json", n))
	}
	if s.Dropped > 0 {
		lines = append(lines, fmt.Sprintf("%d dwells were left out: they were too many, or nothing tells what they were", s.Dropped))
	}
	if s.Unwatched > 0 {
		lines = append(lines, fmt.Sprintf("%d tasks could not be watched", s.Unwatched))
	}
	return lines
}

// Markdown is a section with the records that the table shows. Their texts go through escaped.
func (s *SlowRecords) Markdown(escaped func(string) string) string {
	out := "\n## " + s.Title() + "\n\n"
	shown := min(len(s.Records), mostSlowTasks)
	for i := range s.Records[:shown] {
		what, where := s.Records[i].Lines()
		out += "- " + escaped(what) + "  \n  " + escaped(where)
		if code := s.Records[i].Code(); code != "" {
			out += "  \n  in " + escaped(code)
		}
		out += "\n"
	}
	for _, line := range s.More(shown) {
		out += "- " + line + "\n"
	}
	return out
}

func (t *table) slowRecords(s *SlowRecords) {
	if s == nil {
		return
	}
	t.line("")
	t.text(bold, "%s", s.Title())
	shown := min(len(s.Records), mostSlowTasks)
	for i := range s.Records[:shown] {
		what, where := s.Records[i].Lines()
		t.line("  " + cut(what, t.Width-2))
		t.line("    " + cut(where, t.Width-4))
		if code := s.Records[i].Code(); code != "" {
			t.line("    in " + cut(code, t.Width-7))
		}
	}
	for _, line := range s.More(shown) {
		t.text(plain, "  %s", line)
	}
}
