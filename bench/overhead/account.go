package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/planflame/planflame/bench/internal/report"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// account is what planflame does in warmed TPC-H passes, in seconds, beside the CPU of the tasks.
type account struct {
	Hz       int     `json:"hz"`
	TaskCPU  float64 `json:"task_cpu_seconds"` // of task threads
	Samples  int     `json:"samples"`
	Tasks    int     `json:"tasks"`
	Lost     uint64  `json:"lost"`
	Sampling float64 `json:"sampling_seconds"` // samples × the kernel's work for one
	Tagging  float64 `json:"tagging_seconds"`  // tasks × what a task pays with cold caches
	Agent    float64 `json:"agent_seconds"`    // the agent's own thread
	Poller   float64 `json:"poller_seconds"`   // the plugin's thread on an executor
	Plans    float64 `json:"plans_seconds"`    // the plugin's thread that reads plans on the driver, whose JVM is the executor here
	// Service is the growth of HotSpot's Service Thread, which delivers compiled methods to the
	// agent, over a session with stock flags and the same passes.
	Service float64 `json:"service_seconds"`
	// Flags is what the JVM's flags cost: the median of whole sessions with the flags alone, less
	// one, times TaskCPU; 0 where the interval includes that they cost nothing.
	Flags     float64 `json:"flags_seconds"`
	Share     float64 `json:"share"`              // of all these in TaskCPU
	TaskShare float64 `json:"task_threads_share"` // of those alone that task threads pay: sampling, tagging, flags
	// Passes show what fades: code is still being compiled in the first.
	Passes []accountPass `json:"passes"`
}

// accountPass is one pass, in seconds.
type accountPass struct {
	Task    float64 `json:"task"`
	Agent   float64 `json:"agent"`
	Poller  float64 `json:"poller"`
	Plans   float64 `json:"plans"`
	Service float64 `json:"service"`
}

// share sums the parts. What the agent does for a compiled method is in Service; for classes and
// threads it does next to nothing, on theirs.
func (a *account) share() {
	a.TaskShare = (a.Sampling + a.Tagging + a.Flags) / a.TaskCPU
	a.Share = a.TaskShare + (a.Agent+a.Poller+a.Plans+a.Service)/a.TaskCPU
}

// accountRates are the rates of the figures.
var accountRates = []int{200, 20}

// account measures the parts at each rate, in a session of its own.
func (b *bench) account(ctx context.Context) error {
	if b.r.Samples == nil || b.r.Tasks == nil {
		return errors.New("needs the parts samples and tasks in the same run")
	}
	plain, err := b.accountAt(ctx, 0)
	if err != nil {
		return fmt.Errorf("stock: %w", err)
	}
	for _, hz := range accountRates {
		a, err := b.accountAt(ctx, hz)
		if err != nil {
			return fmt.Errorf("%d Hz: %w", hz, err)
		}
		a.Service = max(0, a.Service-plain.Service)
		b.r.Account = append(b.r.Account, a)
		b.accountFigures()
		b.say("%d Hz: %.3f %% of %.1f s, task threads %.3f %%: sampling %.4f, tags %.4f, agent %.4f, poller %.4f, plans %.4f, service thread %.4f s", hz,
			100*b.r.Figures[fmt.Sprintf("profiler_share_%dhz", hz)], a.TaskCPU, 100*b.r.Figures[fmt.Sprintf("profiler_share_task_threads_%dhz", hz)],
			a.Sampling, a.Tagging, a.Agent, a.Poller, a.Plans, a.Service)
		if err := b.write(); err != nil {
			return err
		}
	}
	return nil
}

// accountFigures computes the shares, again when sessions have told what the flags cost.
func (b *bench) accountFigures() {
	var ratio report.Interval
	for _, c := range b.r.Comparisons {
		if c.Workload == everything && c.Variant == flags {
			ratio = c.CPU
			b.r.Figures["flags_ratio_median"], b.r.Figures["flags_ratio_low"], b.r.Figures["flags_ratio_high"] = ratio.Median, ratio.Low, ratio.High
		}
	}
	for i := range b.r.Account {
		a := &b.r.Account[i]
		a.Flags = 0
		if ratio.Resolved() {
			a.Flags = (ratio.Median - 1) * a.TaskCPU
		}
		a.share()
		b.r.Figures[fmt.Sprintf("profiler_share_%dhz", a.Hz)] = a.Share
		b.r.Figures[fmt.Sprintf("profiler_share_task_threads_%dhz", a.Hz)] = a.TaskShare
	}
}

// accountAt measures one session; 0 Hz is one with stock flags and without the plugin.
func (b *bench) accountAt(ctx context.Context, hz int) (account, error) {
	spec := consoleSpec{name: fmt.Sprintf("account-%d", hz), master: b.o.master}
	if hz > 0 {
		spec.jvm, spec.plugin = agentFlags, true
	}
	c, err := b.startConsole(ctx, spec)
	if err != nil {
		return account{}, err
	}
	a, err := b.observe(ctx, c, hz)
	return a, errors.Join(err, c.close())
}

// observe runs warmed passes, at a rate above 0 under the sampler, and reads what everyone has done
// meanwhile.
func (b *bench) observe(ctx context.Context, c *console, hz int) (a account, err error) {
	now := func() counts { return counts{} }
	if hz > 0 {
		r, err := startReader(ctx, c.pid, hz)
		if err != nil {
			return a, err
		}
		defer func() { err = errors.Join(err, r.stop()) }()
		now = r.tally.get
	}
	for range b.o.warm {
		if _, err := c.queries(tpchQueries); err != nil {
			return a, err
		}
	}
	before := now()
	a.Hz = hz
	for len(a.Passes) < b.o.passes {
		p, err := c.queries(tpchQueries)
		if err != nil {
			return a, err
		}
		a.add(accountPass{
			Task: p.Task.Seconds(), Agent: grown(p.before, p.after, thread.isAgent).Seconds(), Poller: grown(p.before, p.after, thread.isPoller).Seconds(),
			Plans: grown(p.before, p.after, thread.isPlans).Seconds(), Service: grown(p.before, p.after, thread.isService).Seconds(),
		})
	}
	if hz == 0 {
		return a, nil
	}
	after := now()
	a.Samples, a.Tasks, a.Lost = after.samples-before.samples, after.tasks-before.tasks, after.stats.Lost-before.stats.Lost
	if a.Samples == 0 || a.Tasks == 0 {
		return a, fmt.Errorf("%d samples of %d tasks", a.Samples, a.Tasks)
	}
	a.Sampling = float64(a.Samples) * b.r.Samples.Nanos / 1e9
	a.Tagging = float64(a.Tasks) * b.r.Tasks.Cold / 1e9
	return a, nil
}

func (a *account) add(p accountPass) {
	a.Passes = append(a.Passes, p)
	a.TaskCPU += p.Task
	a.Agent += p.Agent
	a.Poller += p.Poller
	a.Plans += p.Plans
	a.Service += p.Service
}

// reader is the sampler, as `planflame run` and the Collector use it, whose samples are counted and
// forgotten.
type reader struct {
	sampler *sampler.Sampler
	ended   chan error
	tally   *tally
}

// startReader samples one JVM, whose events it opens itself.
func startReader(ctx context.Context, pid, hz int) (*reader, error) {
	r := &reader{ended: make(chan error, 1), tally: &tally{found: make(chan struct{})}}
	var err error
	r.sampler, err = sampler.New(sampler.Settings{
		Mode: sampler.PolicyPrivileged, BasePeriod: time.Second / time.Duration(hz), ScanInterval: 50 * time.Millisecond,
		ReadCode: true, PIDs: func(p int) bool { return p == pid },
	}, r.tally)
	if err != nil {
		return nil, err
	}
	go func() { r.ended <- r.sampler.Run(ctx) }()
	select {
	case <-r.tally.found:
		return r, nil
	case <-time.After(10 * time.Second):
		return nil, errors.Join(fmt.Errorf("no agent in pid %d", pid), r.stop())
	}
}

func (r *reader) stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := r.sampler.Shutdown(ctx); err != nil {
		return err
	}
	return <-r.ended
}

// tally is a sampler.Sink that counts.
type tally struct {
	found chan struct{}
	once  sync.Once
	mu    sync.Mutex
	c     counts
}

// counts of one JVM.
type counts struct {
	samples, tasks int
	stats          sampler.Stats
}

func (t *tally) get() counts {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.c
}

func (t *tally) change(f func(*counts)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f(&t.c)
}

// The methods of sampler.Sink.

func (t *tally) JVMFound(sampler.JVM)                                 { t.once.Do(func() { close(t.found) }) }
func (t *tally) Thread(sampler.JVMID, jvmlog.Thread)                  {}
func (t *tally) Record(sampler.JVMID, jvmlog.MonoTime, jvmlog.Record) {}
func (t *tally) Watermark(sampler.JVMID, jvmlog.MonoTime)             {}
func (t *tally) JVMGone(sampler.JVMID)                                {}
func (t *tally) Sample(sampler.JVMID, sampler.Sample)                 { t.change(func(c *counts) { c.samples++ }) }
func (t *tally) Stats(_ sampler.JVMID, s sampler.Stats)               { t.change(func(c *counts) { c.stats = s }) }
func (t *tally) TaskEvent(_ sampler.JVMID, e jvmlog.TaskEvent) {
	if e.Kind == jvmlog.TaskEnd {
		t.change(func(c *counts) { c.tasks++ })
	}
}
