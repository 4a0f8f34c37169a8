package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/costmodel"
	"github.com/planflame/planflame/internal/columns"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/tasksample"
)

// timedModel has three stages of one application, in milliseconds: 7, then 8, whose parent is 7,
// then 9, whose parent Spark skipped.
func timedModel() *columns.Model {
	m := &columns.Model{Head: columns.Head{
		TickNanos: 1e6, Span: 20000,
		Applications: []columns.Application{{ID: "app", End: 20000, Slots: 2}},
		Queries:      []columns.Query{{Query: "q1-3", Name: "nightly"}},
		Executions:   []columns.Execution{{ID: 5}},
		Stages: []columns.Stage{
			{Application: "app", ID: 9, Attempt: 1, Execution: 0, Query: 0, Place: "result", Start: 9000, End: 12000, Times: &pipeline.StageTimes{Parents: []tasksample.StageID{11}}},
			{Application: "app", ID: 7, Execution: 0, Query: 0, Place: "exchange>a@1", Start: 1000, End: 5000, Times: &pipeline.StageTimes{}},
			{Application: "app", ID: 8, Execution: 0, Query: 0, Place: "exchange>b@2", Start: 6000, End: 8000, Times: &pipeline.StageTimes{Parents: []tasksample.StageID{7}}},
		},
	}}
	m.Tasks = columns.TaskRows{
		ID: []float64{-1, 70, 71, 72, 80, 90}, Stage: []int32{-1, 1, 1, 1, 2, 0}, Lane: make([]int32, 6),
		Start: []uint32{0, 1000, 1000, 2000, 6000, 9000}, End: []uint32{0, 2000, 5000, 3000, 8000, 12000},
		CPUNanos: []float64{0, 5e8, 2e9, 5e8, 1e9, 1e9}, GCMillis: []uint32{0, 0, 500, 0, 0, 0},
	}
	return m
}

func TestTimelineFollowsParentsAndWhatRanBefore(t *testing.T) {
	got := timelines(timedModel())
	require.Len(t, got, 1)
	assert.Equal(t, []int{1, 2, 0}, got[0].of, "by start")
	assert.Empty(t, got[0].Stages[0].Parents)
	assert.Equal(t, []int{0}, got[0].Stages[1].Parents, "Spark's parent")
	assert.Equal(t, []int{1}, got[0].Stages[2].Parents, "Spark skipped the parent: the last stage before")
	assert.Equal(t, 2, got[0].Slots)
	assert.Equal(t, 20*time.Second, got[0].End)
}

func TestSlotsAreCountedIfNoDriverToldThem(t *testing.T) {
	m := timedModel()
	m.Applications = nil
	got := timelines(m)[0]
	assert.Equal(t, 2, got.Slots, "70 ends when 72 starts")
	assert.True(t, got.counted)
	assert.Equal(t, 20*time.Second, got.End, "the recording's")
}

// A second application starts 20.5 s after the first, on three slots.
func TestApplicationsOfOneRecording(t *testing.T) {
	m, second := timedModel(), timedModel()
	second.Applications[0].Slots = 3
	flags := &timing{executors: 5}
	want := []applicationTime{timesOf(m, flags).Applications[0], timesOf(second, flags).Applications[0]}
	require.NotEqual(t, want[0].Stages, want[1].Stages, "other slots")

	const after = 20500
	m.Span = 45000
	m.Applications = append(m.Applications, columns.Application{ID: "app-2", Start: after, End: after + 20000, Slots: 3})
	for _, st := range second.Stages {
		st.Application, st.Start, st.End = "app-2", st.Start+after, st.End+after
		m.Stages = append(m.Stages, st)
	}
	tasks := &second.Tasks
	for n := 1; n < len(tasks.ID); n++ {
		m.Tasks.ID, m.Tasks.Stage, m.Tasks.Lane = append(m.Tasks.ID, tasks.ID[n]), append(m.Tasks.Stage, tasks.Stage[n]+3), append(m.Tasks.Lane, 0)
		m.Tasks.Start, m.Tasks.End = append(m.Tasks.Start, tasks.Start[n]+after), append(m.Tasks.End, tasks.End[n]+after)
		m.Tasks.CPUNanos, m.Tasks.GCMillis = append(m.Tasks.CPUNanos, tasks.CPUNanos[n]), append(m.Tasks.GCMillis, tasks.GCMillis[n])
	}
	want[1].Application = "app-2"
	got := timesOf(m, flags).Applications
	assert.Equal(t, want, got, "each as if it were alone")
	assert.Equal(t, [2]float64{20, 20}, [2]float64{got[0].Wall, got[1].Wall})
	assert.Equal(t, [2]int{2, 3}, [2]int{got[0].Slots, got[1].Slots})
}

func TestTimeText(t *testing.T) {
	var b strings.Builder
	require.NoError(t, timesOf(timedModel(), &timing{executors: 1, cores: 1}).text(&b, false))
	assert.Equal(t, `planflame time: app · 20.0 s · 2 slots · replayed as it ran: 20.0 s

stage 7  nightly  exchange>a@1  3 tasks, 2 slots  4.0 s = work 1.5 s + stragglers 2.0 s (1 tasks: 50 % more CPU, 17 % GC, 33 % waiting) + last wave 500 ms
stage 9.1  nightly  result  1 tasks, 2 slots  3.0 s = work 1.5 s + last wave 1.5 s
stage 8  nightly  exchange>b@2  1 tasks, 2 slots  2.0 s = work 1.0 s + last wave 1.0 s

with 1 slots: 20.0 s now → 22.0 s at best
beyond 2 slots the longest tasks and the driver decide: 20.0 s
Tasks are replayed as they ran. Contention is not modeled, so a gain is an upper bound.
`, b.String())
}

// On one slot the first stage takes 1 + 4 + 1 s. The others follow a second after their parents.
func TestStagesOnOtherSlots(t *testing.T) {
	a := timesOf(timedModel(), &timing{executors: 1, cores: 1}).Applications[0]
	var got [][4]float64
	for _, s := range a.Stages {
		got = append(got, [4]float64{s.Start, s.Wall, s.AskedStart, s.Asked})
	}
	assert.Equal(t, [][4]float64{{1, 4, 1, 6}, {6, 2, 8, 2}, {9, 3, 11, 3}}, got)
}

// Without operators all of a stage grows: twice the rows add the stages' 9 s to the 20.
func TestTimeWithRows(t *testing.T) {
	report := timesOf(timedModel(), &timing{rows: 2})
	got := report.Applications[0].Rows
	assert.Equal(t, &rowsTime{Factor: 2, Slots: 2, Wall: 29, CPU: 2}, got)
	got.Scanned = [2]float64{3e6, 3e6}
	assert.Equal(t, "with 2 × the rows on 2 slots: 20.0 s now → 29.0 s, 2.0 × the CPU, as if all costs grew as rows do: one size was recorded, 3.0 M rows of scans; --against gives slopes", got.text(20))
	got.Scanned[0] = 1e6
	assert.Equal(t, "with 2 × the rows on 2 slots: 20.0 s now → 29.0 s, 2.0 × the CPU, by slopes between 1.0 M and 3.0 M rows of scans", got.text(20))
	one := timesOf(timedModel(), &timing{rows: 2, executors: 1}).Applications[0].Rows
	assert.Equal(t, 1, one.Slots)
	assert.Equal(t, 33.0, one.Wall, "four more seconds of the first stage's tasks")
}

// Of 10 s of CPU operators have 8, of which 6 grow; 2 are each task's.
func TestStagesGrow(t *testing.T) {
	p := stagePart{operators: 8, grows: 6, tasks: 10}
	assert.InDelta(t, (60+2+2)/10.0, p.growth(10, 1), 1e-9)
	assert.InDelta(t, (60+2+20)/10.0, p.growth(10, 10), 1e-9)
	assert.InDelta(t, 1, p.growth(1, 1), 1e-9)
	assert.InDelta(t, 10, (&stagePart{tasks: 10}).growth(10, 1), 1e-9, "no operator is known")
}

// With fewer rows no cost falls faster than rows do: a line of slope 3 leads to -1.7 times the CPU.
func TestCostsOfFewerRows(t *testing.T) {
	m := ranFor(10)
	for rows, want := range map[float64]float64{0.1: 0.1, 2: 4} {
		for _, part := range stageParts(m, &slopes{of: map[placedIn]float64{{"q1-3", "result", "scan@1", "Scan t"}: 3}}, rows) {
			assert.InDelta(t, want, part.growth(rows, rows), 1e-9, "%g times the rows", rows)
		}
	}
}

// A stage that reads a table has more tasks; another has longer ones.
func TestTasksGrow(t *testing.T) {
	m := timedModel()
	all := stagePart{operators: 1, grows: 1, tasks: 1}
	read := all
	read.reads = true
	got, cpu := timelines(m)[0].grown(m, map[stageKind]*stagePart{{"q1-3", "exchange>a@1"}: &read, {"q1-3", "exchange>b@2"}: &all, {"q1-3", "result"}: &all}, 3)
	assert.InDelta(t, 3, cpu, 1e-9)
	var ids []float64
	for _, task := range got.Stages[0].Tasks {
		ids = append(ids, task.ID)
		assert.Zero(t, task.Excess)
	}
	assert.Equal(t, []float64{70, 70, 70, 71, 71, 71, 72, 72, 72}, ids)
	require.Len(t, got.Stages[1].Tasks, 1)
	assert.Equal(t, -4*time.Second, got.Stages[1].Tasks[0].Excess, "6 s in place of 2")
}

func TestSlopesOfMatchedOperators(t *testing.T) {
	x := &matched{query: "q1-3"}
	x.match(joined("SortMergeJoin", "result", map[string]costmodel.Side{"Scan": cost(3, 1e6), "Filter": cost(1, 1e6), "SortMergeJoin": cost(1, 100)}),
		joined("SortMergeJoin", "result", map[string]costmodel.Side{"Scan": cost(5, 3e6), "Filter": cost(3, 3e6), "SortMergeJoin": cost(2, 100)}))
	s := &slopes{of: map[placedIn]float64{}}
	s.add(x)
	assert.Len(t, s.of, 2, "the join took in as many rows")
	assert.InDelta(t, 0.6, s.of[placedIn{"q1-3", "result", "scan@1", "Scan lineitem"}], 1e-6)
	assert.InDelta(t, 1, s.of[placedIn{"q1-3", "result", "filter@2", "Filter like(?)"}], 1e-6)
}

func TestTimeRefuses(t *testing.T) {
	for want, args := range map[string][]string{
		"--executors -1: at least 1":             {"time", "--executors", "-1"},
		"--cores -2: at least 1":                 {"time", "--cores", "-2"},
		`--format "xml"`:                         {"time", "--format", "xml"},
		"--rows -3: more than 0, at most 1000":   {"time", "--rows", "-3"},
		"--rows 1001: more than 0, at most 1000": {"time", "--rows", "1001"},
		"--against: needs --rows":                {"time", "--against", "old"},
		"open recording":                         {"time", t.TempDir()},
	} {
		root := newRoot()
		root.SetArgs(args)
		assert.ErrorContains(t, root.Execute(), want)
	}
}
