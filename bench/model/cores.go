package main

import (
	"fmt"
	"math"

	"github.com/planflame/planflame/bench/internal/session"
)

// cores holds the time of TPC-H's queries on two slots against what planflame predicts of it from
// their run on one. What passes outside a query's stages is the driver's, which has it again.
func (o *options) cores(r *results) error {
	one, err := o.spans(cores1, 2)
	if err != nil {
		return err
	}
	two, err := o.spans(cores2, 0)
	if err != nil {
		return err
	}
	sum, change := 0.0, 0.0
	for statement, from := range one {
		to, there := two[statement]
		if !there {
			return fmt.Errorf("%s: no statement %s", o.folder(cores2), statement)
		}
		predicted := from.took - from.stages + from.asked
		off := predicted/to.took - 1
		sum, change = sum+math.Abs(off), change+math.Abs(from.took/to.took-1)
		r.line("cores %s: %.2f s on one, %.2f s predicted, %.2f s taken on two, %+.1f %%", statement, from.took, predicted, to.took, 100*off)
	}
	r.Figures["time_error_2cores"], r.Figures["time_change_2cores"] = sum/float64(len(one)), change/float64(len(one))
	return nil
}

// span is the time of a statement in seconds: as the driver saw it, of its stages, and of these on
// the slots that were asked for.
type span struct{ took, stages, asked float64 }

// spans are the times of the last pass of a recording, by statement. Earlier passes warm up.
func (o *options) spans(n name, slots int) (map[string]span, error) {
	all, err := session.Read(o.dir(n))
	if err != nil {
		return nil, err
	}
	times, err := o.times(n, slots)
	if err != nil {
		return nil, err
	}
	type bounds struct{ start, end, askedStart, askedEnd float64 }
	stages := map[int64]bounds{}
	for _, a := range times.Applications {
		for _, s := range a.Stages {
			b, known := stages[s.Execution]
			if !known {
				b = bounds{start: math.Inf(1), askedStart: math.Inf(1)}
			}
			stages[s.Execution] = bounds{min(b.start, s.Start), max(b.end, s.Start+s.Wall), min(b.askedStart, s.AskedStart), max(b.askedEnd, s.AskedStart+s.Asked)}
		}
	}
	out := map[string]span{}
	for _, e := range all {
		if b, known := stages[e.ID]; known && e.Pass == o.plans()[n].passes-1 {
			out[e.Statement] = span{e.Wall.Seconds(), b.end - b.start, b.askedEnd - b.askedStart}
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no statement with stages in %s", o.folder(n))
	}
	return out, nil
}
