package pipeline

import (
	"fmt"
	"slices"
	"time"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/jvmtest"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/tasksample"
)

const ms = time.Millisecond

// got collects what a Pipeline delivers.
type got struct {
	jvms    []Application
	samples []Labelled
	tasks   []TaskCPU
	gone    []sampler.JVMID
	order   []string
}

func (g *got) JVM(_ sampler.JVM, a Application) { g.jvms = append(g.jvms, a) }
func (g *got) Task(t TaskCPU) {
	g.tasks = append(g.tasks, t)
	g.order = append(g.order, fmt.Sprintf("task %d", t.Of.ID))
}
func (g *got) SamplerStats(sampler.JVMID, sampler.Stats) {}
func (g *got) JVMGone(id sampler.JVMID)                  { g.gone = append(g.gone, id) }
func (g *got) Sample(l *Labelled) {
	kept := *l
	kept.Frames = slices.Clone(l.Frames)
	g.samples = append(g.samples, kept)
	g.order = append(g.order, fmt.Sprintf("sample %d", l.Time))
}

// told collects also what a Pipeline delivers beside samples and tasks.
type told struct {
	got
	rows    []Rows
	over    []ExecutionOver
	outside []Outside
	sums    Processes
	times   []TimesRecord
}

func (o *told) Rows(r Rows)       { o.rows = append(o.rows, r) }
func (o *told) Outside(x Outside) { o.outside = append(o.outside, x) }
func (o *told) ExecutionOver(x ExecutionOver) {
	o.over = append(o.over, x)
	o.order = append(o.order, fmt.Sprintf("over %d", x.Execution))
}
func (o *told) Times(_ sampler.JVMID, r TimesRecord) { o.times = append(o.times, r) }
func (o *told) Processes(_ sampler.JVMID, p Processes) {
	o.sums.Process += p.Process
	o.sums.TaskThreads += p.TaskThreads
	o.sums.Threads += p.Threads
	o.sums.Children += p.Children
	o.sums.Workers += p.Workers
	o.sums.Unplaced += p.Unplaced
}

// scenario drives a Pipeline as a sampler does.
type scenario struct {
	*jvmtest.Script
	p   *Pipeline
	got *got
}

func newScenario(s Settings) *scenario {
	out := &got{}
	return into(s, out, out)
}

// into is a scenario whose Pipeline delivers to a consumer that has a got.
func into(s Settings, out Consumer, got *got) *scenario {
	p := New(s, out)
	return &scenario{Script: jvmtest.New(p), p: p, got: got}
}

// verdict is the part of a Labelled that most tests look at.
type verdict struct {
	Query, Operator string
	Bucket          attribution.Bucket
	Task            tasksample.TaskAttemptID
	InTask          bool
}

func (g *got) verdicts() []verdict {
	var out []verdict
	for _, l := range g.samples {
		out = append(out, verdict{l.Query, l.Operator, l.Bucket, l.Task, l.InTask})
	}
	return out
}

// newTelling is a scenario whose Pipeline tells all that it knows.
func newTelling(s Settings) (*scenario, *told) {
	out := &told{}
	return into(s, out, &out.got), out
}

// stackOf is a sample's stack as it is shown, leaf first, with the operator frame.
func stackOf(l *Labelled) (out []StackFrame) {
	for i, f := range l.Frames {
		out = append(out, Shown(f))
		if i == l.OperatorAt {
			out = append(out, l.OperatorFrame())
		}
	}
	return out
}

// frame is a compiled Java frame.
func frame(class string) codemap.Frame {
	return codemap.Frame{Kind: codemap.Java, Class: class, Method: "m"}
}
