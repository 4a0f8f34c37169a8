package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/recording"
	"github.com/planflame/planflame/tasksample"
)

// reduce reads the recording of a stage's statement and writes the population of its largest stage.
func (o options) reduce(s stage, execution int64) error {
	path := filepath.Join(o.dir, fileName(s.Name), "out", "recording")
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close() // read only: nothing to lose
	r, err := recording.NewReader(f)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer r.Close()
	in := newReducer(tasksample.ExecutionID(execution))
	if err := r.Replay(in); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	in.Finish()
	p, err := in.population(s.Name)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return p.save(o.population(s))
}

// reducer is the sink of a recording and, as consumer, takes what a pipeline makes of it.
type reducer struct {
	*pipeline.Pipeline
	execution tasksample.ExecutionID
	symbols   map[sampler.JVMID]symbolTable
	attempts  map[attemptKey]*attempt
}

type attemptKey struct {
	jvm sampler.JVMID
	id  tasksample.TaskAttemptID
}

// attempt is what the recording has of an attempt.
type attempt struct {
	stage tasksample.StageID
	of    task
	ended bool
	names []string
	times []jvmlog.MonoTime
}

// symbolTable has the recorded names of native code by address.
type symbolTable map[uint64]codemap.Frame

// Symbol implements pipeline.Symbolizer.
func (t symbolTable) Symbol(addr uint64) (codemap.Frame, bool) {
	f, ok := t[addr]
	return f, ok
}

func newReducer(execution tasksample.ExecutionID) *reducer {
	r := &reducer{execution: execution, symbols: map[sampler.JVMID]symbolTable{}, attempts: map[attemptKey]*attempt{}}
	r.Pipeline = pipeline.New(pipeline.Settings{Hold: pipeline.UntilEnd, MaxHeld: 1 << 20, Symbols: func(v sampler.JVM) pipeline.Symbolizer {
		r.symbols[v.ID] = symbolTable{}
		return r.symbols[v.ID]
	}}, (*attemptConsumer)(r))
	return r
}

// Symbol implements recording.Sink.
func (r *reducer) Symbol(id sampler.JVMID, f codemap.Frame) {
	if t := r.symbols[id]; t != nil {
		t[f.Addr] = f
	}
}

// population is the population of the stage with the most samples.
func (r *reducer) population(name string) (*population, error) {
	ticks := map[tasksample.StageID]int{}
	for _, a := range r.attempts {
		ticks[a.stage] += len(a.names)
	}
	most, found := tasksample.StageID(0), 0
	for id, n := range ticks {
		if n > found || (n == found && id < most) {
			most, found = id, n
		}
	}
	if found == 0 {
		return nil, fmt.Errorf("no sample of execution %d", r.execution)
	}
	p, index := &population{Stage: name}, map[string]byte{}
	for _, key := range r.sorted() {
		a := r.attempts[key]
		if a.stage != most || !a.ended {
			continue
		}
		for _, op := range a.inOrder() {
			k, known := index[op]
			if !known {
				if len(p.Keys) > 255 {
					return nil, fmt.Errorf("more than 256 operators and buckets in stage %d", most)
				}
				k = byte(len(p.Keys))
				index[op] = k
				p.Keys = append(p.Keys, op)
			}
			a.of.Ticks = append(a.of.Ticks, k)
		}
		p.Attempts = append(p.Attempts, a.of)
	}
	return p, nil
}

func (r *reducer) sorted() []attemptKey {
	out := make([]attemptKey, 0, len(r.attempts))
	for key := range r.attempts {
		out = append(out, key)
	}
	slices.SortFunc(out, func(a, b attemptKey) int { return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.jvm, b.jvm)) })
	return out
}

// inOrder are the names of the attempt's samples by time.
func (a *attempt) inOrder() []string {
	order := make([]int, len(a.names))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(a.times[i], a.times[j]) })
	out := make([]string, len(order))
	for i, from := range order {
		out[i] = a.names[from]
	}
	return out
}

// attemptConsumer is a reducer as a pipeline.Consumer.
type attemptConsumer reducer

func (c *attemptConsumer) of(jvm sampler.JVMID, t *pipeline.Task) *attempt {
	key := attemptKey{jvm, t.ID}
	a := c.attempts[key]
	if a == nil {
		a = &attempt{stage: t.Stage, of: task{Partition: int32(t.Partition)}}
		c.attempts[key] = a
	}
	return a
}

// Sample implements pipeline.Consumer.
func (c *attemptConsumer) Sample(l *pipeline.Labelled) {
	if l.Of == nil || l.Execution != c.execution {
		return
	}
	a, name := c.of(l.JVM, l.Of), l.Operator
	if name == "" {
		name = l.Name()
	}
	a.names, a.times = append(a.names, name), append(a.times, l.Time)
}

// Task implements pipeline.Consumer.
func (c *attemptConsumer) Task(t pipeline.TaskCPU) {
	if t.Execution != c.execution {
		return
	}
	a := c.of(t.JVM, &t.Of)
	a.ended, a.of.Failed, a.of.CPU = true, t.Failed, t.CPU
}

// JVM implements pipeline.Consumer.
func (c *attemptConsumer) JVM(sampler.JVM, pipeline.Application) {}

// SamplerStats implements pipeline.Consumer.
func (c *attemptConsumer) SamplerStats(sampler.JVMID, sampler.Stats) {}

// JVMGone implements pipeline.Consumer.
func (c *attemptConsumer) JVMGone(sampler.JVMID) {}
