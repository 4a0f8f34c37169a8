package sampler

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// drawn is an execution of application "app-7" that is drawn at 0.5 under seed 3, and leftOut one
// that is not.
func drawn(t *testing.T) (in, leftOut tasksample.ExecutionID) {
	t.Helper()
	in, leftOut = -1, -1
	for id := tasksample.ExecutionID(20); in < 0 || leftOut < 0; id++ {
		require.Less(t, id, tasksample.ExecutionID(100))
		if tasksample.SelectRun(3, "app-7", id, 0.5) {
			in = id
		} else {
			leftOut = id
		}
	}
	return in, leftOut
}

func halfOfRuns() runFilter { return newRunFilter(Settings{RunFraction: 0.5, Seed: 3}) }

func (f *runFilter) play(kind jvmlog.TaskEventKind, tid uint32, at int, run tasksample.ExecutionID) jvmlog.TaskEvent {
	e := jvmlog.TaskEvent{Kind: kind, TID: tid, Time: jvmlog.MonoTime(at), Execution: run, RunProbability: 9, LeftOut: true} // what a log must not say
	f.event(&e)
	return e
}

func (f *runFilter) at(tid uint32, at int) float64 {
	return f.part(tid, jvmlog.MonoTime(at), time.Unix(1000, 0))
}

func application(id string) *jvmlog.Application {
	return &jvmlog.Application{JSON: fmt.Appendf(nil, `{"application_id": %q}`, id)}
}

func TestRunsThatAreLeftOut(t *testing.T) {
	in, out := drawn(t)
	f := halfOfRuns()
	early := f.play(jvmlog.TaskStart, 1, 10, out)
	assert.Equal(t, []any{1., false}, []any{early.RunProbability, early.LeftOut}, "the application is not known: sampled, with π 1")
	f.apply(application(""))
	f.apply(application("app-7"))
	early = f.play(jvmlog.TaskEnd, 1, 20, out)
	assert.Equal(t, []any{1., false}, []any{early.RunProbability, early.LeftOut}, "and stays so")

	f = halfOfRuns()
	f.apply(application("app-7"))
	for _, c := range []struct {
		run     tasksample.ExecutionID
		pi      float64
		leftOut bool
	}{{in, 0.5, false}, {out, 0.5, true}, {tasksample.NoExecution, 0, false}} {
		for _, kind := range []jvmlog.TaskEventKind{jvmlog.TaskStart, jvmlog.TaskEnd} {
			e := f.play(kind, 9, 5, c.run)
			assert.Equal(t, []any{c.pi, c.leftOut}, []any{e.RunProbability, e.LeftOut}, "execution %d", c.run)
		}
	}
	clocks := f.play(jvmlog.TaskClocks, 9, 5, tasksample.NoExecution)
	assert.False(t, clocks.LeftOut)

	// On thread 1 two tasks of a run that is left out between two of one that is drawn; what a
	// thread does before a task is the task's.
	for i, run := range []tasksample.ExecutionID{in, out, out, in} {
		f.play(jvmlog.TaskStart, 1, 100*i+50, run)
		f.play(jvmlog.TaskEnd, 1, 100*i+100, run)
	}
	for at, want := range map[int]float64{10: 1, 100: 1, 101: 0, 151: 0, 250: 0, 300: 0, 301: 1, 400: 1, 401: 1} {
		assert.Equal(t, want, f.at(1, at), "at %d", at)
	}
	assert.Equal(t, 1., f.at(2, 150), "a thread that no one has seen")
	f.forget(250)
	assert.Equal(t, 0., f.at(1, 250), "of the third task samples may come")
	f.play(jvmlog.TaskStart, 1, 450, out)
	assert.Equal(t, 0., f.at(1, 500), "one that runs")
	f.play(jvmlog.TaskStart, 1, 550, in) // the end before is lost
	assert.Equal(t, 0., f.at(1, 550))
	assert.Equal(t, 1., f.at(1, 600))
	f.play(jvmlog.TaskEnd, 2, 700, out) // the start is lost
	assert.Equal(t, 0., f.at(2, 650))
}

// A notebook starts Spark again in the same JVM: its executions may have the numbers of the first
// application's.
func TestRunsOfASecondApplication(t *testing.T) {
	_, out := drawn(t)
	f := halfOfRuns()
	f.apply(application("app-7"))
	require.True(t, f.play(jvmlog.TaskStart, 1, 10, out).LeftOut)
	other := "app-8"
	for n := 9; !tasksample.SelectRun(3, other, out, 0.5); n++ {
		other = fmt.Sprintf("app-%d", n)
	}
	f.apply(application("app-7"))
	require.True(t, f.play(jvmlog.TaskEnd, 1, 20, out).LeftOut, "told again, it changes nothing")
	f.apply(application(other))
	e := f.play(jvmlog.TaskStart, 1, 30, out)
	assert.Equal(t, []any{0.5, false}, []any{e.RunProbability, e.LeftOut}, "drawn by the second application's id")
}

func TestAllRunsAreSampled(t *testing.T) {
	_, out := drawn(t)
	for name, f := range map[string]*runFilter{"nil": nil, "zero": {}, "all": {}} {
		if name == "all" {
			*f = newRunFilter(Settings{RunFraction: 1, Seed: 3})
		}
		if f != nil {
			f.apply(application("app-7"))
			e := f.play(jvmlog.TaskStart, 1, 10, out)
			assert.Zero(t, e.RunProbability, name)
			assert.False(t, e.LeftOut, name)
			assert.Empty(t, f.threads, name)
			f.forget(100)
		}
		assert.Equal(t, 1., f.part(1, 20, time.Unix(1000, 0)), name)
		f.use(out, 100, time.Unix(1000, 0))
	}
}

func plan(execution int, query string) *jvmlog.Dictionary {
	return &jvmlog.Dictionary{Execution: tasksample.ExecutionID(execution), JSON: fmt.Appendf(nil, `{"version": 1, "nodes": [{"query": "no"}], "query": %q, "cut`, query)}
}

// The plan of execution 4 comes after its tasks were offered 700 samples: its query's budget of
// 1,000 is told of them. What its tasks were offered does not depend on which samples were kept.
func TestQueriesBeyondTheirBudget(t *testing.T) {
	budget, err := tasksample.NewQueryBudget(1000)
	require.NoError(t, err)
	f, now := newRunFilter(Settings{QueryBudget: budget}), time.Unix(1000, 0)
	f.play(jvmlog.TaskStart, 1, 10, 4)
	f.play(jvmlog.TaskStart, 2, 10, 5)
	f.use(4, 300, now)
	f.use(4, 400, now)
	f.use(tasksample.NoExecution, 400, now)
	assert.Equal(t, 1., f.at(1, 20), "whose query is not known")
	f.plan(plan(4, "q1-a"), now)
	f.plan(plan(4, "q1-other"), now) // of a later update; a run has one query
	f.plan(plan(5, "q1-b"), now)
	assert.InDelta(t, math.Exp(-0.7), f.at(1, 20), 1e-9)
	assert.Equal(t, 1., f.at(2, 20), "another query")
	f.use(4, 300, now)
	assert.InDelta(t, math.Exp(-1), f.at(1, 20), 1e-9)
	kept := 0
	for range 10_000 {
		if f.draw(1, 0.25) {
			kept++
		}
	}
	assert.InDelta(t, 2500, kept, 1)
	assert.Empty(t, plan(4, "").Query())
	for _, text := range []string{"", "[]", `{"version"`, `{"query": 5}`, `{"version": 1}`, `{"query": {`} {
		assert.Empty(t, (&jvmlog.Dictionary{JSON: []byte(text)}).Query(), text)
	}
}

func TestFilteredRunsAreBounded(t *testing.T) {
	f := halfOfRuns()
	f.apply(application("app-7"))
	const long = 0
	f.play(jvmlog.TaskStart, 2, 0, long)
	f.runs[long].query = "q1-a"
	for i := range 2 * mostFilteredRuns {
		f.play(jvmlog.TaskStart, 1, 2*i, tasksample.ExecutionID(i))
		f.play(jvmlog.TaskEnd, 1, 2*i+1, tasksample.ExecutionID(i))
		if i%100 == 0 {
			f.play(jvmlog.TaskEnd, 2, 2*i+1, long)
			f.play(jvmlog.TaskStart, 2, 2*i+1, long)
		}
	}
	assert.Len(t, f.runs, mostFilteredRuns)
	assert.Equal(t, "q1-a", f.runs[long].query, "others were used less recently")
	assert.NotNil(t, f.runs[2*mostFilteredRuns-1])
	for tid := range uint32(mostFilteredThreads + 9) {
		f.play(jvmlog.TaskEnd, tid, 10_000, 5)
	}
	f.forget(10_001)
	assert.LessOrEqual(t, len(f.threads), mostFilteredThreads)
}

// What the tasks of a run are offered is their CPU at the rates in force, of selected ones at both
// clocks'.
func TestOfferedIsCPUAtTheRatesInForce(t *testing.T) {
	budget, err := tasksample.NewQueryBudget(1000)
	require.NoError(t, err)
	s := Settings{BasePeriod: 100 * time.Millisecond, DetailPeriod: 10 * time.Millisecond, QueryBudget: budget}.withDefaults()
	f := newRunFilter(s)
	r := newRates(s, &load{})
	r.runs = &f
	f.plan(plan(4, "q1-a"), time.Now())
	for i, flags := range []jvmlog.TaskFlags{0, jvmlog.TaskSelected} {
		for _, kind := range []jvmlog.TaskEventKind{jvmlog.TaskStart, jvmlog.TaskEnd} {
			cpu := time.Duration(0)
			if kind == jvmlog.TaskEnd {
				cpu = time.Duration(i+1) * time.Second
			}
			r.event(jvmlog.TaskEvent{Kind: kind, TID: uint32(i), Task: tasksample.TaskAttemptID(i), Stage: 6, Execution: 4, ThreadCPUNanos: uint64(cpu), Flags: flags})
		}
	}
	// 1 s at 10 Hz and 2 s at 110 Hz
	assert.InDelta(t, math.Exp(-0.230), budget.Kept("q1-a", time.Now()), 1e-4)
}

func TestWeightOfAThinnedSample(t *testing.T) {
	s := Sample{Period: 100 * time.Millisecond, Base: 100 * time.Millisecond, Detail: 25 * time.Millisecond}
	assert.Equal(t, 100*time.Millisecond, s.Weight(false))
	s.Kept = 0.25
	assert.Equal(t, 400*time.Millisecond, s.Weight(false))
	assert.Equal(t, 80*time.Millisecond, s.Weight(true))
	s.Period = s.Detail
	assert.Zero(t, s.Weight(false))
}
