package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/perfevent"
)

// sampleCost is what a sample costs the sampled thread.
type sampleCost struct {
	// Burning and Spark are the kernel's work in nanoseconds a sample, by bytes of the copied stack
	// (-1: the timer's interrupt alone). Burning is on a thread of our own that burns CPU, Spark on
	// the task thread of a Spark that runs TPC-H queries.
	Burning map[int]line `json:"burning_thread_ns"`
	Spark   map[int]line `json:"spark_ns"`
	// Nanos is the larger of the two for the sampler's own size of the stack: what the account is
	// made with.
	Nanos float64     `json:"ns"`
	Async []asyncCost `json:"async_profiler"`
	// Passes are Spark's points: x samples, y nanoseconds of the task thread.
	Passes []sparkPoint `json:"passes"`
}

// sparkPoint is one pass.
type sparkPoint struct {
	level
	point
	// Coverage is samples × period over the CPU of the task threads; 0 without events.
	Coverage float64 `json:"coverage,omitempty"`
}

// sparkLevels are fewer than the burning thread's: a pass takes seconds.
var sparkLevels = []level{{0, 0}, {4000, 32768}, {8000, 32768}, {8000, 8192}, {8000, 0}}

// tpchQueries are the TPC-H queries of the workload.
var tpchQueries = []int{1, 3, 6, 9, 18}

// samples measures what a sample costs, planflame's and async-profiler's, in one warmed Spark
// without planflame's agent. It runs on one task thread, so that who drains has a CPU of its own.
func (b *bench) samples(ctx context.Context) error {
	out := &sampleCost{}
	var err error
	if out.Burning, err = burningThread(b.o.seed); err != nil {
		return fmt.Errorf("burning thread: %w", err)
	}
	b.say("a sample on a burning thread: %s", describe(out.Burning))
	c, err := b.startConsole(ctx, consoleSpec{name: "samples", master: "local[1]", jvm: agentFlags, async: true})
	if err != nil {
		return err
	}
	err = b.sampleSpark(c, out)
	if err == nil {
		out.Async, err = b.asyncShares(c)
	}
	if err = errors.Join(err, c.close()); err != nil {
		return err
	}
	stack := sampler.DefaultStackBytes
	out.Nanos = max(out.Burning[stack].Slope, out.Spark[stack].Slope)
	b.r.Samples = out
	b.r.Figures["interrupt_ns"] = out.Burning[interruptAlone].Slope
	b.r.Figures["sample_ns_burning"], b.r.Figures["sample_ns_spark"] = out.Burning[stack].Slope, out.Spark[stack].Slope
	for _, a := range out.Async {
		if a.IntervalMillis == 5 {
			b.r.Figures["async_profiler_share_200hz"] = a.Share
		}
		if a.IntervalMillis == 50 {
			b.r.Figures["async_profiler_share_20hz"] = a.Share
		}
	}
	return nil
}

// sampleSpark observes passes at all levels, in a random order, and fits them.
func (b *bench) sampleSpark(c *console, out *sampleCost) error {
	for range b.o.warm {
		if _, err := c.queries(tpchQueries); err != nil {
			return err
		}
	}
	order := rand.New(rand.NewPCG(b.o.seed, 3))
	var points []burnPoint
	for round := range b.o.passes {
		for _, i := range order.Perm(len(sparkLevels)) {
			l := sparkLevels[i]
			p, samples, err := c.sampled(l, perfevent.Handler{})
			if err != nil {
				return err
			}
			at := point{Group: round, X: float64(samples), Y: float64(p.Task)}
			s := sparkPoint{level: l, point: at}
			if l.Hz > 0 {
				s.Coverage = at.X / float64(l.Hz) / p.Task.Seconds()
			}
			points = append(points, burnPoint{l, at})
			out.Passes = append(out.Passes, s)
		}
		b.say("samples, round %d of %d", round+1, b.o.passes)
	}
	var err error
	if out.Spark, err = fitByStack(points); err == nil {
		b.say("a sample on Spark's task thread: %s", describe(out.Spark))
	}
	return err
}

// sampled runs a pass with events on the task threads.
func (c *console) sampled(l level, handler perfevent.Handler) (pass, int, error) {
	if l.Hz == 0 {
		p, err := c.queries(tpchQueries)
		return p, 0, err
	}
	threads, err := threadCPU(c.pid)
	if err != nil {
		return pass{}, 0, err
	}
	var tids []int
	for t := range threads {
		if t.isTask() {
			tids = append(tids, t.tid)
		}
	}
	if len(tids) == 0 {
		return pass{}, 0, errors.New("the session has no task thread")
	}
	e, err := openEvents(tids, eventSpec(l.Hz, l.StackBytes), handler)
	if err != nil {
		return pass{}, 0, err
	}
	p, err := c.queries(tpchQueries)
	samples, closeErr := e.close()
	return p, samples, errors.Join(err, closeErr)
}

func describe(lines map[int]line) string {
	var stacks []int
	for s := range lines {
		stacks = append(stacks, s)
	}
	slices.Sort(stacks)
	text := ""
	for _, s := range stacks {
		text += fmt.Sprintf("%d B %.0f ± %.0f ns  ", s, lines[s].Slope, lines[s].SE)
	}
	return text
}
