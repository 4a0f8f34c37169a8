package pipeline

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/jvmtest"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// keptBudget is the budget of the tests here: an eighth is for all but code.
const keptBudget = 8 << 20

// kept is what a Pipeline keeps of what write makes it take.
func kept(t *testing.T, write func(*Pipeline)) (*Pipeline, int) {
	t.Helper()
	p := New(Settings{Budget: keptBudget}, nowhere{})
	p.JVMFound(sampler.JVM{ID: 7, Header: jvmlog.Header{Minor: jvmlog.Minor}})
	before := liveHeap()
	write(p)
	after := liveHeap()
	runtime.KeepAlive(p)
	return p, after - before
}

func liveHeap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// plan writes the plan of an execution, with nodes in JSON.
func plan(p *Pipeline, execution int, nodes string) {
	p.Record(7, 1, &jvmlog.Dictionary{Execution: tasksample.ExecutionID(execution), JSON: fmt.Appendf(nil, `{"version": 1, "execution_id": %d, "update": 0, "nodes": [%s]}`, execution, nodes)})
}

// each puts n texts together.
func each(n int, text func(n int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(text(i))
	}
	return b.String()
}

// However long their texts and however many they are, records of a kind take no more than the
// budget of all but code.
func TestKeptRecordsHaveABudget(t *testing.T) {
	text := strings.Repeat("x", 64<<10)
	for name, write := range map[string]func(p *Pipeline, i int){
		"stages without a plan": func(p *Pipeline, i int) {
			p.Record(7, 1, &jvmlog.StageInfo{Stage: tasksample.StageID(i), JSON: fmt.Appendf(nil, `{"query": "r1-%d", "query_name": "%s", "operator": "rdd@1"}`, i, text)})
		},
		"dwells": func(p *Pipeline, i int) {
			p.Record(7, 1, &jvmlog.Dwell{JSON: fmt.Appendf(nil, `{"kind": "dwell", "task_id": %d, "end_ns": 9, "file": "%s"}`, i, text)})
		},
		"times of executions": func(p *Pipeline, i int) {
			p.Record(7, 1, &jvmlog.Times{JSON: fmt.Appendf(nil, `{"kind": "execution", "execution_id": %d, "application_id": "%s"}`, i, text)})
		},
		"switches of the detail clock": func(p *Pipeline, i int) {
			if i == 0 {
				p.TaskEvent(7, jvmlog.TaskEvent{Kind: jvmlog.TaskStart, TID: 1, Task: 1, Time: 1})
			}
			for n := range 4096 {
				p.TaskEvent(7, jvmlog.TaskEvent{Kind: jvmlog.TaskClocks, TID: 1, Task: 1, Time: 2, Flags: jvmlog.TaskDetail * jvmlog.TaskFlags(n%2)})
			}
		},
		"ends of executions whose plans are forgotten": func(p *Pipeline, i int) {
			for n := range 1024 {
				id := tasksample.ExecutionID(i<<10 | n)
				p.Record(7, 1, &jvmlog.Stage{Execution: id})
				p.Record(7, 1, &jvmlog.ExecutionEnd{ExecutionID: id})
			}
		},
		"texts that plans share": func(p *Pipeline, i int) {
			plan(p, i, fmt.Sprintf(`{"parent":-1,"text":"%d %s"}`, i, text))
		},
		"short texts that plans share": func(p *Pipeline, i int) {
			plan(p, i, `{"parent":-1}`+each(256, func(n int) string { return fmt.Sprintf(`,{"parent":0,"text":"%d"}`, i<<10|n) }))
		},
		"nodes without texts": func(p *Pipeline, i int) {
			plan(p, i, `{"parent":-1}`+strings.Repeat(`,{"parent":0}`, 512))
		},
		"metrics of nodes": func(p *Pipeline, i int) {
			plan(p, i, `{"parent":-1,"metrics":[{"id":-1}`+each(512, func(n int) string { return fmt.Sprintf(`,{"id":%d}`, i<<10|n) })+`]}`)
		},
	} {
		_, bytes := kept(t, func(p *Pipeline) {
			for i := range 400 {
				write(p, i)
			}
		})
		require.Less(t, bytes, 3*keptBudget/16, name)
	}
}

// Every byte that is charged is given back.
func TestTheBudgetIsGivenBack(t *testing.T) {
	p, _ := kept(t, func(p *Pipeline) {
		for i := range 40 {
			id := tasksample.StageID(i % 20)
			p.Record(7, 1, &jvmlog.StageInfo{Stage: id, JSON: fmt.Appendf(nil, `{"query": "r1-%d", "operator": "rdd@1"}`, i)})
			p.Record(7, 1, &jvmlog.Dwell{JSON: []byte(dwellJSON)})
		}
	})
	j := p.jvms[7]
	j.dwellSample(&Labelled{Labels: Labels{Task: 3, OperatorName: "Scan"}, Time: 7, Weight: ms})
	require.NotZero(t, j.budget.used)
	j.drain()
	j.ops.forgetAll()
	require.Zero(t, j.budget.used)
	require.Empty(t, j.ops.rdds.by)
}

// The stages that came last are known, and so is one that comes again.
func TestOldStagesWithoutAPlanMakeRoom(t *testing.T) {
	var counts Counts
	b := &budget{most: 4 * rddStageBytes}
	o := newOperators(512, b, &counts, &attribution.Common{})
	add := func(id tasksample.StageID, text int) {
		o.stageInfo(&jvmlog.StageInfo{Stage: id, JSON: fmt.Appendf(nil, `{"query": "r1-1", "operator": "rdd@1", "stage": "%*d"}`, text, 1)})
	}
	for id := range tasksample.StageID(9) {
		add(id, 1)
		add(id, 1)
	}
	require.NotContains(t, o.rdds.by, tasksample.StageID(0))
	require.Contains(t, o.rdds.by, tasksample.StageID(8))
	require.Zero(t, counts.OverBudget)
	add(9, 5000)
	require.EqualValues(t, 1, counts.OverBudget, "larger than all there is")
	require.NotContains(t, o.rdds.by, tasksample.StageID(9))
}

// A sample falls into no more dwells of its task than a task has.
func TestDwellsOfATaskAreBounded(t *testing.T) {
	p, _ := kept(t, func(p *Pipeline) {
		for range 10 * mostTaskDwells {
			p.Record(7, 1, &jvmlog.Dwell{JSON: []byte(dwellJSON)})
		}
	})
	require.Len(t, p.jvms[7].dwells[3], mostTaskDwells)
	require.EqualValues(t, 9*mostTaskDwells, p.Counts().OverBudget)
}

// growth is how much longer a step takes with sixteen times as much there: about 1, or 16 if it
// looks at all of it. The least of a few tries counts, as the machine is busy.
func growth(of func(kept int) (step func())) float64 {
	least := func(kept int) time.Duration {
		best := time.Duration(1<<63 - 1)
		for range 5 {
			step := of(kept)
			start := time.Now()
			step()
			best = min(best, time.Since(start))
		}
		return best
	}
	const some = 512
	few := least(some)
	return float64(least(16*some)) / float64(few)
}

// What a record costs does not grow with what came before it.
func TestCostOfARecord(t *testing.T) {
	many := func(do func(i int)) func() {
		return func() {
			for i := range 500 {
				do(i)
			}
		}
	}
	for name, of := range map[string]func(kept int) func(){
		"switch of a detail clock": func(n int) func() {
			tl := newTimeline(&budget{})
			for i := range n {
				tl.event(jvmlog.TaskEvent{Index: uint64(2 * i), Kind: jvmlog.TaskStart, TID: 1, Task: tasksample.TaskAttemptID(i), Time: jvmlog.MonoTime(i + 1)})
				tl.event(jvmlog.TaskEvent{Index: uint64(2*i + 1), Kind: jvmlog.TaskEnd, TID: 1, Task: tasksample.TaskAttemptID(i), Time: jvmlog.MonoTime(i + 1)})
			}
			return many(func(int) { tl.event(jvmlog.TaskEvent{Kind: jvmlog.TaskClocks, TID: 1, Task: -5}) })
		},
		"end of an execution": func(n int) func() {
			p := New(Settings{MaxExecutions: n}, nowhere{})
			p.JVMFound(sampler.JVM{ID: 7})
			end := func(i int) { p.Record(7, 1, &jvmlog.ExecutionEnd{ExecutionID: tasksample.ExecutionID(i)}) }
			for i := range n {
				end(i)
			}
			return many(func(i int) { end(n + i) })
		},
	} {
		require.Less(t, growth(of), 6.0, name)
	}
}

// Stage attempts of an interval are found in time that grows as their number does.
func TestCostOfAnInterval(t *testing.T) {
	require.Less(t, growth(func(n int) func() {
		tl := newTimeline(&budget{})
		for i := range n {
			tl.event(jvmlog.TaskEvent{Index: uint64(i), Kind: jvmlog.TaskStart, TID: uint32(i % 8), Task: tasksample.TaskAttemptID(i), Stage: tasksample.StageID(i), Time: jvmlog.MonoTime(i + 1)})
		}
		return func() { require.Len(t, tl.during(0, 1<<40), n) }
	}), 128.0)
}

// Memory of a method that is used again and again is remembered so often and no more.
func TestMethodsInOnePlace(t *testing.T) {
	s := newScenario(Settings{})
	s.p.JVMFound(sampler.JVM{ID: 7})
	for i := range mostBefore + 100 {
		s.p.Record(7, jvmtest.At(1000)-jvmlog.MonoTime(i), &jvmlog.Method{ID: jvmlog.MethodID(i + 1), Ptr: 8, Class: fmt.Sprint("C", i), Name: "m"})
	}
	interp := s.p.jvms[7].interp
	require.Len(t, interp.before[8], mostBefore)
	require.Equal(t, mostBefore+1, interp.count)
}

// Nor does what waits cost more for each execution that is over.
func TestCostOfEndsThatWait(t *testing.T) {
	require.Less(t, growth(func(n int) func() {
		p := New(Settings{MaxExecutions: 1 << 20}, nowhere{})
		p.JVMFound(sampler.JVM{ID: 7, Header: jvmlog.Header{Minor: jvmlog.Minor}})
		j := p.jvms[7]
		for i := range n {
			id := tasksample.ExecutionID(i)
			p.Record(7, 1, &jvmlog.ExecutionEnd{ExecutionID: id})
			j.waiting = append(j.waiting, heldRows{&jvmlog.Rows{ExecutionID: id}, jvmtest.At(11)})
		}
		return func() { p.Watermark(7, jvmtest.At(12)) }
	}), 128.0)
}

// nowhere is a consumer that wants all and keeps nothing.
type nowhere struct{}

var _ = []any{OutsideConsumer(nowhere{}), ExecutionConsumer(nowhere{}), TimesConsumer(nowhere{}), DwellConsumer(nowhere{}), UserLineConsumer(nowhere{}), DictionaryConsumer(nowhere{})}

func (nowhere) JVM(sampler.JVM, Application)                 {}
func (nowhere) Sample(*Labelled)                             {}
func (nowhere) Task(TaskCPU)                                 {}
func (nowhere) SamplerStats(sampler.JVMID, sampler.Stats)    {}
func (nowhere) JVMGone(sampler.JVMID)                        {}
func (nowhere) Outside(Outside)                              {}
func (nowhere) Processes(sampler.JVMID, Processes)           {}
func (nowhere) Rows(Rows)                                    {}
func (nowhere) ExecutionOver(ExecutionOver)                  {}
func (nowhere) Times(sampler.JVMID, TimesRecord)             {}
func (nowhere) Dwell(sampler.JVMID, Dwell)                   {}
func (nowhere) Watch(sampler.JVMID, Watch)                   {}
func (nowhere) UserLine(sampler.JVMID, UserLineOf, string)   {}
func (nowhere) Dictionary(*Labelled, attribution.Dictionary) {}
