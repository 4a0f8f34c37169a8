package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/perfevent"
	"github.com/planflame/planflame/sampler/procfs"
)

// asyncCost is the share of the task threads' CPU that async-profiler uses. It is counted from
// outside by perf events. Samples count if their frame-pointer chain has its library, or a function
// of the kernel that delivers signals. What chains are cut off is missed; what its signals do to
// the caches is not its own CPU and is not counted.
type asyncCost struct {
	IntervalMillis int     `json:"interval_ms"` // of event ctimer; 0: switched off, the share is what the rule finds without it
	Samples        int     `json:"samples"`
	Library        int     `json:"in_library"`
	Signals        int     `json:"in_signal_delivery"` // and not in the library
	Own            int64   `json:"async_samples"`      // that async-profiler took itself, of all threads
	Share          float64 `json:"share"`              // of the task threads' CPU, less what is found when it is off
}

// countHz is the rate of counting; without a copy of the stack a sample costs little.
const countHz = 2000

// asyncIntervals in milliseconds, off first.
var asyncIntervals = []int{0, 5, 50}

// counter sorts samples.
type counter struct {
	library func(addr uint64) bool
	kernel  func(addr uint64) string // name of a function
	cost    asyncCost
}

// signalWords are parts of the names of kernel functions that expire a thread's timers, deliver a
// signal and return from its handler.
var signalWords = []string{"signal", "sigreturn", "posix_cpu_timer", "posix_timer", "posixtimer", "sigframe", "rt_frame"}

func (c *counter) sample(s *perfevent.Sample) {
	c.cost.Samples++
	for _, addr := range s.User {
		if c.library(addr) {
			c.cost.Library++
			return
		}
	}
	for _, addr := range s.Kernel {
		name := c.kernel(addr)
		for _, w := range signalWords {
			if strings.Contains(name, w) {
				c.cost.Signals++
				return
			}
		}
	}
}

// asyncShares counts at each interval, in turns.
func (b *bench) asyncShares(c *console) ([]asyncCost, error) {
	if _, err := c.profiler("version"); err != nil { // loads the library
		return nil, err
	}
	maps, err := procfs.FS{}.Executable(c.pid)
	if err != nil {
		return nil, err
	}
	symbols := &codemap.KernelSymbols{}
	costs := make([]asyncCost, len(asyncIntervals))
	for range b.o.passes {
		for i, millis := range asyncIntervals {
			got, err := b.countAsync(c, millis, &counter{
				library: func(addr uint64) bool {
					m, ok := maps.Find(addr)
					return ok && filepath.Base(m.Path) == "libasyncProfiler.so"
				},
				kernel: func(addr uint64) string { return symbols.Symbol(addr).Method },
			})
			if err := errors.Join(err, symbols.Err()); err != nil {
				return nil, err
			}
			costs[i].add(got)
		}
	}
	return shares(costs), nil
}

// countAsync is one pass.
func (b *bench) countAsync(c *console, millis int, count *counter) (asyncCost, error) {
	if millis > 0 {
		if _, err := c.profiler(fmt.Sprintf("start,event=ctimer,interval=%dms,jfr,file=%s", millis, filepath.Join(b.o.dir, "samples", "async.jfr"))); err != nil {
			return asyncCost{}, err
		}
	}
	_, _, err := c.sampled(level{Hz: countHz}, perfevent.Handler{Sample: count.sample})
	if err != nil {
		return asyncCost{}, err
	}
	count.cost.IntervalMillis = millis
	if millis > 0 {
		a, err := c.profiler("stop")
		if err != nil {
			return asyncCost{}, err
		}
		if count.cost.Own = a.Samples; a.Samples == 0 {
			return asyncCost{}, fmt.Errorf("async-profiler took no sample: %s", a.Text)
		}
	}
	return count.cost, nil
}

func (a *asyncCost) add(b asyncCost) {
	a.IntervalMillis = b.IntervalMillis
	a.Samples += b.Samples
	a.Library += b.Library
	a.Signals += b.Signals
	a.Own += b.Own
}

// shares fills in the shares; costs[0] is the cost with the profiler switched off, which keeps its
// own for the reader.
func shares(costs []asyncCost) []asyncCost {
	for i := range costs {
		if a := &costs[i]; a.Samples > 0 {
			a.Share = float64(a.Library+a.Signals) / float64(a.Samples)
			if i > 0 {
				a.Share -= costs[0].Share
			}
		}
	}
	return costs
}
