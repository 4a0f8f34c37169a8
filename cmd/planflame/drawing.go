package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// drawing leaves runs out of a recording of all runs, as if they had been drawn when it was made.
// The zero value draws nothing.
type drawing struct {
	fraction float64 // π of a run; 0: all are in
	seed     uint64
}

func (d *drawing) flags(f *pflag.FlagSet) {
	f.Float64Var(&d.fraction, "run-fraction", 0, "as if only this part of the runs (SQL executions) had been sampled, 0 to 1; 0: all that were recorded")
	f.Uint64Var(&d.seed, "seed", 0, "seed of the draw of --run-fraction")
}

func (d *drawing) validate() error {
	if !(d.fraction >= 0 && d.fraction <= 1) {
		return fmt.Errorf("--run-fraction %v is not in 0 to 1", d.fraction)
	}
	return nil
}

// drawn is a replay with runs left out.
type drawn struct {
	*replay
	drawing
	applications map[sampler.JVMID]string
	in           map[runOfJVM]bool // what was decided, when a run's first task was seen
}

type runOfJVM struct {
	jvm       sampler.JVMID
	execution tasksample.ExecutionID
}

func (r *replay) drawn(d drawing) *drawn {
	return &drawn{replay: r, drawing: d, applications: map[sampler.JVMID]string{}, in: map[runOfJVM]bool{}}
}

// Record implements sampler.Sink.
func (d *drawn) Record(id sampler.JVMID, t jvmlog.MonoTime, r jvmlog.Record) {
	if app, ok := r.(*jvmlog.Application); ok {
		if name := app.ApplicationID(); name != "" {
			d.applications[id] = name
		}
	}
	d.replay.Record(id, t, r)
}

// TaskEvent implements sampler.Sink.
func (d *drawn) TaskEvent(id sampler.JVMID, e jvmlog.TaskEvent) {
	if e.Execution != tasksample.NoExecution && e.Kind != jvmlog.TaskClocks {
		run := runOfJVM{id, e.Execution}
		in, known := d.in[run]
		if !known {
			in = tasksample.SelectRun(d.seed, d.applications[id], e.Execution, d.fraction)
			d.in[run] = in
		}
		e.RunProbability, e.LeftOut = d.fraction, !in
	}
	d.replay.TaskEvent(id, e)
}
