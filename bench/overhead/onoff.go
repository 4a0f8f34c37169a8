package main

import (
	"context"
	"errors"
	"math/rand/v2"
)

// onOff compares blocks of passes of Q6 with the sampler and without, in one warmed session that
// has planflame's agent all the time.
type onOff struct {
	Hz   int      `json:"hz"`
	On   interval `json:"on_ratio"`   // CPU of the JVM, on against off
	Null interval `json:"null_ratio"` // off against off
	Task interval `json:"task_ratio"` // CPU of the task threads, on against off
	// Rounds are seconds of CPU of the JVM, a block each.
	Rounds []onOffRound `json:"rounds"`
}

// onOffRound has two blocks without and one with the sampler.
type onOffRound struct {
	Off     float64 `json:"off"`
	Again   float64 `json:"off_again"`
	On      float64 `json:"on"`
	TaskOff float64 `json:"task_off"`
	TaskOn  float64 `json:"task_on"`
}

// blockPasses are the passes of a block; one more before them is not counted, for a reader that
// comes has the agent write all live code.
const blockPasses = 5

func (b *bench) onOff(ctx context.Context) error {
	out := &onOff{Hz: 200}
	c, err := b.startConsole(ctx, consoleSpec{name: "onoff", master: b.o.master, jvm: agentFlags, plugin: true})
	if err != nil {
		return err
	}
	if err := errors.Join(b.rounds(ctx, c, out), c.close()); err != nil {
		return err
	}
	out.summarise()
	b.r.OnOff = out
	f := b.r.Figures
	f["onoff_ratio_median"], f["onoff_ratio_low"], f["onoff_ratio_high"] = out.On.Median, out.On.Low, out.On.High
	f["onoff_null_low"], f["onoff_null_high"] = out.Null.Low, out.Null.High
	return nil
}

func (o *onOff) summarise() {
	var on, null, task []float64
	for _, r := range o.Rounds {
		on, null, task = append(on, r.On/r.Off), append(null, r.Again/r.Off), append(task, r.TaskOn/r.TaskOff)
	}
	o.On, o.Null, o.Task = intervalOf(on), intervalOf(null), intervalOf(task)
}

func (b *bench) rounds(ctx context.Context, c *console, out *onOff) error {
	for range b.o.warm * blockPasses {
		if _, err := c.queries([]int{6}); err != nil {
			return err
		}
	}
	order := rand.New(rand.NewPCG(b.o.seed, 4))
	for n := range b.o.passes {
		var r onOffRound
		for _, which := range order.Perm(3) {
			process, task, err := c.block(ctx, which == 2, out.Hz)
			if err != nil {
				return err
			}
			switch which {
			case 0:
				r.Off, r.TaskOff = process, task
			case 1:
				r.Again = process
			case 2:
				r.On, r.TaskOn = process, task
			}
		}
		out.Rounds = append(out.Rounds, r)
		b.say("on and off, round %d of %d: off %.2f, off again %.2f, on %.2f s CPU", n+1, b.o.passes, r.Off, r.Again, r.On)
	}
	return nil
}

// block is the CPU of the JVM and of its task threads, in seconds, in some passes.
func (c *console) block(ctx context.Context, on bool, hz int) (process, task float64, err error) {
	if on {
		r, err := startReader(ctx, c.pid, hz)
		if err != nil {
			return 0, 0, err
		}
		defer func() {
			if r.tally.get().samples == 0 {
				err = errors.Join(err, errors.New("the sampler got no sample"))
			}
			err = errors.Join(err, r.stop())
		}()
	}
	for n := range blockPasses + 1 {
		p, err := c.queries([]int{6})
		if err != nil {
			return 0, 0, err
		}
		if n > 0 {
			process, task = process+p.Process.Seconds(), task+p.Task.Seconds()
		}
	}
	return process, task, nil
}
