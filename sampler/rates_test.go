package sampler

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

const fast = 20 * time.Millisecond // the CPU of an ordinary task below

func tailRates(selected float64) rates {
	fixed := tasksample.Fixed{BaseHz: 20, DetailHz: 200, Fraction: selected, Least: 3}
	s := Settings{BasePeriod: 50 * time.Millisecond, DetailPeriod: 5 * time.Millisecond, Fraction: selected, MinTasksPerStage: 3,
		Rates: tasksample.Tail{Of: fixed, Multiple: 4, MinEnded: 10, Least: time.Millisecond}}
	return newRates(s.withDefaults(), &load{})
}

func (r *rates) play(kind jvmlog.TaskEventKind, tid uint32, task, stage int, cpu time.Duration, flags jvmlog.TaskFlags) {
	r.event(jvmlog.TaskEvent{Kind: kind, TID: tid, Task: tasksample.TaskAttemptID(task), Stage: tasksample.StageID(stage), Partitions: 30,
		ThreadCPUNanos: uint64(cpu), Flags: flags})
}

// Ten tasks of 20 ms have ended. One that runs with 100 ms is a straggler. One with 60 is not, nor
// is one of another stage or one that is selected.
func TestStragglersByTheCPUOfAllTasks(t *testing.T) {
	r := tailRates(0.05)
	now := map[uint32]time.Duration{1: 5100 * time.Millisecond, 2: 60 * time.Millisecond, 3: time.Minute, 4: time.Minute}
	cpu := func(tid uint32) (time.Duration, bool) { return now[tid], now[tid] > 0 }
	for i := range 10 {
		r.play(jvmlog.TaskStart, 9, i, 6, time.Duration(i)*fast, 0)
		assert.Empty(t, r.stragglers(cpu), "the median is not known")
		r.play(jvmlog.TaskEnd, 9, i, 6, time.Duration(i+1)*fast, 0)
	}
	r.play(jvmlog.TaskStart, 1, 101, 6, 5*time.Second, 0) // its thread has run others before
	r.play(jvmlog.TaskStart, 2, 102, 6, 0, 0)
	r.play(jvmlog.TaskStart, 3, 103, 8, 0, 0)
	r.play(jvmlog.TaskStart, 4, 104, 6, 0, jvmlog.TaskSelected)
	r.play(jvmlog.TaskStart, 5, 105, 6, 0, 0) // ended meanwhile
	assert.Equal(t, []tasksample.TaskAttemptID{101}, r.stragglers(cpu))
	r.promoted = []tasksample.TaskAttemptID{101}
	assert.Empty(t, r.stragglers(cpu), "once")
	assert.Equal(t, r.promoted, r.control(ModeSelfOpened).Promoted)
	assert.Empty(t, r.control(ModePrivileged).Promoted, "the reader switches")
	r.play(jvmlog.TaskEnd, 1, 101, 6, 6*time.Second, 0)
	assert.Empty(t, r.promoted, "the list holds running tasks only")
	r.promoted = []tasksample.TaskAttemptID{102, 103}
	r.play(jvmlog.TaskStart, 3, 110, 8, 0, 0) // the end of 103 was missed
	r.stragglers(cpu)
	assert.Equal(t, []tasksample.TaskAttemptID{102}, r.promoted)
}

func TestPromotedAreBounded(t *testing.T) {
	r := tailRates(0)
	for i := range 10 {
		r.play(jvmlog.TaskStart, 9, i, 6, 0, 0)
		r.play(jvmlog.TaskEnd, 9, i, 6, fast, 0)
	}
	for i := range uint32(100) {
		r.play(jvmlog.TaskStart, 100+i, int(i), 6, 0, 0)
	}
	assert.Len(t, r.stragglers(func(uint32) (time.Duration, bool) { return time.Hour, true }), jvmlog.MaxPromoted)
}

// Two JVMs that use a CPU each: the budget is the node's, and halves the rates for both.
func TestBudgetIsTheNodes(t *testing.T) {
	fixed := tasksample.Fixed{BaseHz: 100, DetailHz: 200, Fraction: 0}
	s := Settings{Rates: &tasksample.Budget{Of: fixed, NodeHz: 100, Smoothing: time.Nanosecond}}.withDefaults()
	node := &load{}
	jvms := []rates{newRates(s, node), newRates(s, node)}
	now := time.Unix(1000, 0)
	for range 3 {
		for i := range jvms {
			jvms[i].play(jvmlog.TaskStart, 1, 5, 6, 0, 0)
			jvms[i].play(jvmlog.TaskEnd, 1, 5, 6, time.Second, 0)
		}
		now = now.Add(time.Second)
		for i := range jvms {
			jvms[i].ask(now)
		}
	}
	for i := range jvms {
		base, _ := jvms[i].periods()
		assert.Equal(t, 20*time.Millisecond, base, "100 samples a second of two CPUs")
		assert.False(t, jvms[i].ask(now.Add(time.Millisecond)), "clocks are set again when something has changed")
	}
}

// Of small stages more is selected than a fraction of the CPU: half of a CPU of tasks here.
func TestBudgetCountsSelectedTasks(t *testing.T) {
	fixed := tasksample.Fixed{BaseHz: 20, DetailHz: 200, Fraction: 0.05, Least: 3}
	s := Settings{Rates: &tasksample.Budget{Of: fixed, NodeHz: 60}}.withDefaults()
	r := newRates(s, &load{})
	now := time.Unix(1000, 0)
	r.ask(now)
	r.play(jvmlog.TaskStart, 1, 5, 6, 0, jvmlog.TaskSelected)
	r.play(jvmlog.TaskStart, 2, 6, 6, 0, 0)
	r.play(jvmlog.TaskEnd, 1, 5, 6, 500*time.Millisecond, jvmlog.TaskSelected)
	r.play(jvmlog.TaskEnd, 2, 6, 6, 500*time.Millisecond, 0)
	r.ask(now.Add(time.Second))
	base, detail := r.periods()
	assert.Equal(t, [2]time.Duration{100 * time.Millisecond, 10 * time.Millisecond}, [2]time.Duration{base, detail}, "60 of 120 samples a second")
}

// What tasks used before this reader came is none of the load, and what a task uses is so while it
// runs.
func TestLoadIsWhatTasksUseNow(t *testing.T) {
	s := Settings{Rates: &tasksample.Budget{Of: tasksample.Fixed{BaseHz: 100}, NodeHz: 100}}.withDefaults()
	r := newRates(s, &load{})
	r.leasedAt = 1000
	event := func(kind jvmlog.TaskEventKind, at jvmlog.MonoTime, tid uint32, task int, cpu time.Duration) {
		r.event(jvmlog.TaskEvent{Kind: kind, Time: at, TID: tid, Task: tasksample.TaskAttemptID(task), Stage: 6, ThreadCPUNanos: uint64(cpu)})
	}
	event(jvmlog.TaskStart, 10, 1, 1, 0)
	event(jvmlog.TaskEnd, 20, 1, 1, time.Hour)
	event(jvmlog.TaskStart, 30, 2, 2, 0)
	event(jvmlog.TaskStart, 1000, 3, 3, 7*time.Second)
	assert.Zero(t, r.load.used, "history")
	cpu := map[uint32]time.Duration{2: time.Minute, 3: 8 * time.Second}
	look := func(at int64) {
		r.look(time.Unix(at, 0), func(tid uint32) (time.Duration, bool) { used, ok := cpu[tid]; return used, ok })
	}
	look(100)
	assert.Equal(t, time.Second, r.load.used, "of task 2 it is not known when")
	cpu[2], cpu[3] = 62*time.Second, 9*time.Second
	look(100)
	assert.Equal(t, time.Second, r.load.used, "once a second at most")
	look(101)
	assert.Equal(t, 4*time.Second, r.load.used)
	event(jvmlog.TaskEnd, 2000, 2, 2, 65*time.Second)
	event(jvmlog.TaskEnd, 2000, 3, 3, 9*time.Second)
	assert.Equal(t, 7*time.Second, r.load.used)
}

func TestPeriodsDiffer(t *testing.T) {
	for _, x := range []struct {
		base, detail, wantBase, wantDetail time.Duration
	}{
		{50 * time.Millisecond, 5 * time.Millisecond, 50 * time.Millisecond, 5 * time.Millisecond},
		{5 * time.Millisecond, 5 * time.Millisecond, 5 * time.Millisecond, 5*time.Millisecond - 1},
		{jvmlog.MinPeriod, jvmlog.MinPeriod, jvmlog.MinPeriod, jvmlog.MinPeriod + 1},
		{NoBase, 5 * time.Millisecond, 0, 5 * time.Millisecond},
		{7 * time.Millisecond, 0, 7 * time.Millisecond, 0},
	} {
		r := newRates(Settings{BasePeriod: x.base, DetailPeriod: x.detail, Fraction: 0.1, StackBytes: -1}.withDefaults(), &load{})
		base, detail := r.periods()
		assert.Equal(t, x.wantBase, base, "%+v", x)
		assert.Equal(t, x.wantDetail, detail, "%+v", x)
		c := r.control(ModeSelfOpened)
		assert.Equal(t, [2]time.Duration{x.wantBase, x.wantDetail}, [2]time.Duration{c.BasePeriod, c.DetailPeriod})
		assert.NoError(t, c.Validate())
	}
}

func TestWeights(t *testing.T) {
	for _, x := range []struct {
		sample Sample
		on     bool
		want   time.Duration
	}{
		{Sample{Period: 7}, false, 7}, // of a recording before 1.3
		{Sample{Period: 50000, Base: 50000, Detail: 5000}, false, 50000},
		{Sample{Period: 50000, Base: 50000, Detail: 5000}, true, 4545},
		{Sample{Period: 5000, Base: 50000, Detail: 5000}, true, 4545},
		{Sample{Period: 5000, Base: 50000, Detail: 5000}, false, 0},
		{Sample{Period: 5000, Detail: 5000}, true, 5000},
		{Sample{Period: 5000, Detail: 5000}, false, 0},
	} {
		assert.Equal(t, x.want, x.sample.Weight(x.on), "%+v", x)
	}
}
