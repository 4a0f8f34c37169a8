package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/planflame/planflame/costmodel"
	"github.com/planflame/planflame/internal/columns"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/tasksample"
)

const timeLong = `Says where the wall time of a run went, stage by stage, and how long it would take on other numbers
of cores. Without DIR it takes the last run in planflame-out.

The time of a stage is the sum of five parts:
  work          what its tasks take over all slots, with stragglers as long as the median task
  last wave     slots that have no task any more
  stragglers    tasks that run longer than 1.3 times the median
  other stages  slots that tasks of other stages held
  gaps          the driver launches tasks, takes in results, or works before and after
Of stragglers it says what they have more of: CPU, garbage collection, or waiting.

--executors and --cores replay the recorded tasks on as many slots, in the order of their launch,
each as long as it took, stages after their parents. It does not model contention for cores, disks
and the network, so a gain is an upper bound.

--rows 10 replays the run with ten times the rows. Stages that read tables get ten times the tasks,
other stages longer ones. Costs grow as rows do. With --against OLD, a recording of other sizes on
the same kind of machine, they grow by the line through both. With fewer rows no cost falls faster
than rows do.`

// timing are the flags of planflame time.
type timing struct {
	format           string
	executors, cores int
	all              bool
	rows             float64 // times the rows; 0: not asked for
	against          string
	old              *columns.Model // of against; nil: none
}

func newTime() *cobra.Command {
	var t timing
	cmd := &cobra.Command{
		Use: "time [DIR]", Short: "Where wall time went, and what more cores would buy", Long: timeLong, Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := t.validate(); err != nil {
				return err
			}
			out, err := lastRun(args)
			if err != nil {
				return fmt.Errorf("time: %w", err)
			}
			a, err := analyze(out.recording(), pipeline.Without{}, drawing{})
			if a == nil {
				return err
			}
			if t.against != "" {
				old, errOld := analyze(results(t.against).recording(), pipeline.Without{}, drawing{})
				if err = errors.Join(err, errOld); old == nil {
					return err
				}
				t.old = old.model
			}
			report := timesOf(a.model, &t)
			if len(report.Applications) == 0 {
				return errors.Join(err, fmt.Errorf("%s: no stage has a task", out.recording()))
			}
			if t.format == "json" {
				e := json.NewEncoder(os.Stdout)
				e.SetIndent("", "  ")
				return errors.Join(err, e.Encode(report))
			}
			return errors.Join(err, report.text(os.Stdout, t.all))
		},
	}
	cmd.Flags().IntVar(&t.executors, "executors", 0, "replay on so many executors; alone: of one core each")
	cmd.Flags().IntVar(&t.cores, "cores", 0, "replay on executors of so many cores; alone: one executor")
	cmd.Flags().Float64Var(&t.rows, "rows", 0, "replay with so many times the rows")
	cmd.Flags().StringVar(&t.against, "against", "", "with --rows: results of the same queries on other sizes")
	cmd.Flags().StringVar(&t.format, "format", "text", "text or json")
	cmd.Flags().BoolVar(&t.all, "all", false, "a row for every stage, however short")
	return cmd
}

func (t *timing) validate() error {
	switch {
	case t.executors < 0:
		return fmt.Errorf("--executors %d: at least 1", t.executors)
	case t.cores < 0:
		return fmt.Errorf("--cores %d: at least 1", t.cores)
	case t.rows < 0 || math.IsNaN(t.rows) || t.rows > mostRows:
		return fmt.Errorf("--rows %g: more than 0, at most %g", t.rows, mostRows)
	case t.against != "" && t.rows == 0:
		return errors.New("--against: needs --rows")
	case t.format != "text" && t.format != "json":
		return fmt.Errorf("--format %q: not text or json", t.format)
	}
	return nil
}

// mostRows bounds --rows, and so the tasks of a replay.
const mostRows = 1000.0

// slots are those to replay on; 0 none.
func (t *timing) slots() int {
	if t.executors == 0 && t.cores == 0 {
		return 0
	}
	return max(t.executors, 1) * max(t.cores, 1)
}

// timeReport says where the time of a recording went.
type timeReport struct {
	Applications []applicationTime `json:"applications"`
}

// applicationTime is where the time of an application went. Seconds.
type applicationTime struct {
	Application  string      `json:"application"`
	Slots        int         `json:"slots"`
	SlotsCounted bool        `json:"slots_counted"` // the most tasks that ran at once: no driver told more
	Wall         float64     `json:"wall_seconds"`
	Launch       float64     `json:"launch_seconds"` // from one launch to the next
	Gap          float64     `json:"gap_seconds"`    // between two tasks of a slot
	Again        float64     `json:"replayed_seconds"`
	Enough       int         `json:"enough_slots"` // more are of no use
	EnoughWall   float64     `json:"enough_seconds"`
	Asked        int         `json:"asked_slots,omitempty"`
	AskedWall    float64     `json:"asked_seconds,omitempty"`
	Rows         *rowsTime   `json:"rows,omitempty"`
	Stages       []stageTime `json:"stages"` // by start
}

// stageTime is where the time of a stage went. Wall is the sum of the five after it.
type stageTime struct {
	Stage      int              `json:"stage"`
	Attempt    int              `json:"attempt"`
	Execution  int64            `json:"execution"` // -1 none
	Query      string           `json:"query"`
	Place      string           `json:"place"`
	Tasks      int              `json:"tasks"`
	Start      float64          `json:"start_seconds"` // since the application's
	Wall       float64          `json:"wall_seconds"`
	Work       float64          `json:"work_seconds"`
	Stragglers float64          `json:"straggler_seconds"`
	LastWave   float64          `json:"last_wave_seconds"`
	Others     float64          `json:"other_stages_seconds"`
	Gaps       float64          `json:"gap_seconds"`
	Late       []stragglerCause `json:"stragglers"`
	AskedStart float64          `json:"asked_start_seconds,omitempty"` // on the slots that were asked for
	Asked      float64          `json:"asked_seconds,omitempty"`
}

// stragglerCause says why a task took longer than the median; the last three are seconds.
type stragglerCause struct {
	Task    float64 `json:"task"`
	Factor  float64 `json:"factor"`
	CPU     float64 `json:"cpu_seconds"`
	GC      float64 `json:"gc_seconds"`
	Waiting float64 `json:"waiting_seconds"`
}

func timesOf(m *columns.Model, flags *timing) *timeReport {
	out := &timeReport{Applications: []applicationTime{}}
	for _, t := range timelines(m) {
		pace := t.Pace()
		a := applicationTime{
			Application: m.Stages[t.of[0]].Application, Slots: t.Slots, SlotsCounted: t.counted, Wall: t.End.Seconds(), Launch: pace.Launch.Seconds(), Gap: pace.Gap.Seconds(),
			Again: t.Span(t.Replay(t.Slots, pace)).Seconds(), Asked: flags.slots(), Stages: []stageTime{},
		}
		n, wall := costmodel.Enough(&t.Schedule, pace)
		a.Enough, a.EnoughWall = n, wall.Seconds()
		for k, i := range t.of {
			a.Stages = append(a.Stages, t.stage(m, k, &m.Stages[i]))
		}
		if flags.rows > 0 {
			a.Rows = t.withRows(m, flags, pace)
		}
		if a.Asked > 0 {
			replayed := t.Replay(a.Asked, pace)
			a.AskedWall = t.Span(replayed).Seconds()
			for k := range replayed {
				a.Stages[k].AskedStart = replayed[k].Start.Seconds()
				a.Stages[k].Asked = (replayed[k].End - replayed[k].Start).Seconds()
			}
		}
		out.Applications = append(out.Applications, a)
	}
	return out
}

func (t *timeline) stage(m *columns.Model, k int, st *columns.Stage) stageTime {
	b := costmodel.Break(&t.Schedule, k)
	out := stageTime{
		Stage: int(st.ID), Attempt: int(st.Attempt), Execution: int64(tasksample.NoExecution), Place: st.Place, Tasks: b.Tasks, Start: t.Stages[k].Start.Seconds(), Wall: b.Wall.Seconds(), Work: b.Work.Seconds(), Stragglers: b.Stragglers.Seconds(),
		LastWave: b.LastWave.Seconds(), Others: b.Others.Seconds(), Gaps: b.Gaps.Seconds(), Late: []stragglerCause{},
	}
	if st.Execution >= 0 {
		out.Execution = int64(m.Executions[st.Execution].ID)
	}
	if st.Query >= 0 {
		out.Query = cmp.Or(m.Queries[st.Query].Name, m.Queries[st.Query].Query)
	}
	for _, late := range b.Late {
		out.Late = append(out.Late, stragglerCause{Task: t.Stages[k].Tasks[late.Task].ID, Factor: late.Factor, CPU: late.CPU.Seconds(), GC: late.GC.Seconds(), Waiting: late.Waiting.Seconds()})
	}
	return out
}

// shortStage is the part of an application's time from which on a stage has a row.
const shortStage = 0.01

// text writes a report for people.
func (r *timeReport) text(w io.Writer, all bool) error {
	var b strings.Builder
	for i := range r.Applications {
		a := &r.Applications[i]
		if i > 0 {
			b.WriteByte('\n')
		}
		a.text(&b, all)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (a *applicationTime) text(b *strings.Builder, all bool) {
	counted := ""
	if a.SlotsCounted {
		counted = " (the most tasks that ran at once)"
	}
	fmt.Fprintf(b, "planflame time: %s · %s · %d slots%s · replayed as it ran: %s\n\n", a.Application, wallText(a.Wall), a.Slots, counted, wallText(a.Again))
	order := make([]int, len(a.Stages))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(a.Stages[y].Wall, a.Stages[x].Wall) })
	rest, time := 0, 0.0
	for _, i := range order {
		if s := &a.Stages[i]; all || s.Wall >= shortStage*a.Wall {
			fmt.Fprintln(b, s.text(a.Slots))
		} else {
			rest, time = rest+1, time+s.Wall
		}
	}
	if rest > 0 {
		fmt.Fprintf(b, "%d more stages of less than 1 %% each: %s; --all shows them\n", rest, wallText(time))
	}
	b.WriteByte('\n')
	if a.Asked > 0 {
		fmt.Fprintf(b, "with %d slots: %s now → %s at best\n", a.Asked, wallText(a.Wall), wallText(a.AskedWall))
	}
	fmt.Fprintf(b, "beyond %d slots the longest tasks and the driver decide: %s\n", a.Enough, wallText(a.EnoughWall))
	if a.Rows != nil {
		fmt.Fprintln(b, a.Rows.text(a.Wall))
	}
	b.WriteString("Tasks are replayed as they ran. Contention is not modeled, so a gain is an upper bound.\n")
}

func (s *stageTime) text(slots int) string {
	parts := []string{"work " + wallText(s.Work)}
	add := func(name string, seconds float64, more string) {
		if math.Abs(seconds) >= 0.005*s.Wall { // gaps are negative if more tasks ran than there are slots
			parts = append(parts, name+" "+wallText(seconds)+more)
		}
	}
	add("stragglers", s.Stragglers, s.causes())
	add("last wave", s.LastWave, "")
	add("other stages", s.Others, "")
	add("gaps", s.Gaps, "")
	attempt := ""
	if s.Attempt > 0 {
		attempt = fmt.Sprintf(".%d", s.Attempt)
	}
	return fmt.Sprintf("stage %d%s  %s  %s  %d tasks, %d slots  %s = %s", s.Stage, attempt, cmp.Or(s.Query, "no query"), s.Place, s.Tasks, slots, wallText(s.Wall), strings.Join(parts, " + "))
}

// causes say what the stragglers of a stage have more of than its median task.
func (s *stageTime) causes() string {
	var cpu, gc, waiting float64
	for _, l := range s.Late {
		cpu, gc, waiting = cpu+l.CPU, gc+l.GC, waiting+l.Waiting
	}
	all := cpu + gc + waiting
	if all <= 0 {
		return ""
	}
	var parts []string
	for _, c := range []struct {
		name string
		of   float64
	}{{"more CPU", cpu}, {"GC", gc}, {"waiting", waiting}} {
		if c.of >= 0.01*all {
			parts = append(parts, fmt.Sprintf("%.0f %% %s", 100*c.of/all, c.name))
		}
	}
	return fmt.Sprintf(" (%d tasks: %s)", len(s.Late), strings.Join(parts, ", "))
}

// wallText is a time for people.
func wallText(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	if d < 999500*time.Microsecond {
		return fmt.Sprintf("%.0f ms", seconds*1e3)
	}
	if d < time.Minute {
		return fmt.Sprintf("%.1f s", seconds)
	}
	return d.Round(time.Second).String()
}
