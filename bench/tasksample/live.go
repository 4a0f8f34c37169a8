package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/planflame/planflame/bench/internal/session"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/recording"
)

// live is what the statements say when they really run at other rates. Each design has a session of
// its own, so an operator's share differs from session to session too. The design at the truth's
// rate, run twice, shows by how much. With -repeats all designs run as often, one after the other
// each time.
type live struct {
	Designs []liveDesign `json:"designs"`
}

// liveDesign are the rates of a session, and what its statements gave.
type liveDesign struct {
	Name   string      `json:"name"`
	Flags  []string    `json:"flags"`
	Stages []liveStage `json:"stages"` // each as often as -repeats says
}

// liveStage is a statement in one session.
type liveStage struct {
	Stage string `json:"stage"`
	// Error is the mean of abs(share - share at 1000 Hz on all tasks), the latter in the mean of
	// its sessions. It is over operators with 5 % of the statement's CPU or more, in % of it.
	Error      float64            `json:"error"`
	CPUSeconds float64            `json:"cpu_seconds"`
	Tasks      uint64             `json:"tasks"`
	Samples    uint64             `json:"samples"`  // of the whole session, in privileged mode with the samples of the detail clock that count for nothing
	Switches   uint64             `json:"switches"` // tasks for which the detail clock was switched on
	Bytes      int64              `json:"bytes"`    // of the profile that is exported
	Shares     map[string]float64 `json:"shares"`   // of operators in the CPU that has one
}

// The designs; the first is the truth, the second says how much sessions differ, the third is what
// the cost of the others is compared with.
var liveDesigns = []liveDesign{
	{Name: "1000 Hz", Flags: []string{"--hz", "1000"}},
	{Name: "1000 Hz again", Flags: []string{"--hz", "1000"}},
	{Name: "200 Hz", Flags: []string{"--hz", "200"}},
	{Name: "10 Hz + 200 Hz on 5 %", Flags: []string{"--base-hz", "10", "--detail-hz", "200", "--task-fraction", "0.05"}},
	{Name: "10 Hz + 200 Hz on 20 %", Flags: []string{"--base-hz", "10", "--detail-hz", "200", "--task-fraction", "0.2"}},
	{Name: "10 Hz", Flags: []string{"--hz", "10"}},
	{Name: "200 Hz on 10 %", Flags: []string{"--base-hz", "0", "--detail-hz", "200", "--task-fraction", "0.1"}},
}

// Indices of liveDesigns.
const (
	liveTruth  = 0
	liveAgain  = 1
	liveAll200 = 2
	liveTiers  = 3
)

// runLive runs the stages' statements at each design's rates. Without -stages it takes those that
// no cluster is needed for.
func runLive(ctx context.Context, o options, r *results) error {
	r.Live = &live{Designs: slices.Clone(liveDesigns)}
	for range o.repeats {
		for i := range r.Live.Designs {
			d := &r.Live.Designs[i]
			if !o.choosesDesign(i) {
				continue
			}
			for _, s := range stages {
				if !o.chooses(s) || s.Speculation {
					continue
				}
				got, err := o.runDesign(ctx, s, *d)
				if err != nil {
					return fmt.Errorf("stage %s at %s: %w", s.Name, d.Name, err)
				}
				d.Stages = append(d.Stages, got)
				got.Error = shareError(r.Live.truth(s.Name), got.Shares)
				fmt.Fprintf(os.Stderr, "%s at %s: %d samples, %d switches, error %.2f %%\n", s.Name, d.Name, got.Samples, got.Switches, got.Error)
			}
		}
	}
	r.Live.compare()
	return r.Live.figures(r.Figures)
}

// truth is the mean of the shares of a stage's operators in the sessions at the truth's rate.
func (l *live) truth(stage string) map[string]float64 {
	out, n := map[string]float64{}, 0
	for i := range l.Designs[liveTruth].Stages {
		if s := &l.Designs[liveTruth].Stages[i]; s.Stage == stage {
			n++
			for name, share := range s.Shares {
				out[name] += share
			}
		}
	}
	for name := range out {
		out[name] /= float64(n)
	}
	return out
}

// compare sets the errors.
func (l *live) compare() {
	for i := range l.Designs {
		for k := range l.Designs[i].Stages {
			s := &l.Designs[i].Stages[k]
			s.Error = shareError(l.truth(s.Stage), s.Shares)
		}
	}
}

// choosesDesign reports whether a design is run; the truth always is.
func (o options) choosesDesign(i int) bool {
	return i == liveTruth || o.designs == nil || slices.Contains(o.designs, liveDesigns[i].Name)
}

// runDesign runs a statement in a session of its own.
func (o options) runDesign(ctx context.Context, s stage, d liveDesign) (liveStage, error) {
	out := liveStage{Stage: s.Name}
	dir := filepath.Join(o.dir, "live", fileName(s.Name), fileName(strings.ReplaceAll(d.Name, "%", "pc")))
	settings := session.Settings{
		Planflame: o.planflame, Spark: o.spark, Job: "test/jobs/passes.py", Rates: d.Flags, Conf: s.conf(), Master: o.master, Dir: dir,
	}
	spec := session.Spec{Tables: tables(o.data), Setup: []string{s.SQL(warm), s.SQL(warm), s.SQL(warm)}, Statements: []session.Statement{s.statement()}, Passes: 1, Seed: 1}
	executions, err := session.Run(ctx, settings, spec, func(string) {})
	if err != nil {
		return out, err
	}
	if len(executions) != 1 {
		return out, fmt.Errorf("%d executions, not one", len(executions))
	}
	var cpu time.Duration
	out.Shares, cpu = shares(executions[0].Operators)
	out.CPUSeconds = cpu.Seconds()
	info, err := os.Stat(filepath.Join(dir, "out", "profile.pb.gz"))
	if err != nil {
		return out, err
	}
	out.Bytes = info.Size()
	return out, out.count(filepath.Join(dir, "out", "recording"))
}

// shares are the parts of the operators in the CPU that has one.
func shares(operators map[string]session.Operator) (out map[string]float64, sum time.Duration) {
	out = map[string]float64{}
	for name, op := range operators {
		if !strings.HasPrefix(name, "[") {
			sum += op.CPU
		}
	}
	for name, op := range operators {
		if !strings.HasPrefix(name, "[") && sum > 0 {
			out[name] = float64(op.CPU) / float64(sum)
		}
	}
	return out, sum
}

// shareError is the mean difference of the shares of operators that have 5 % or more by the truth,
// in %.
func shareError(truth, got map[string]float64) float64 {
	sum, n := 0.0, 0
	for _, name := range slices.Sorted(maps.Keys(truth)) {
		if truth[name] >= 0.05 {
			sum += 100 * math.Abs(got[name]-truth[name])
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// cost is the number of samples and of switches: either takes some 20 µs of a task's CPU.
func (l *liveDesign) cost() (cost float64, bytes int64) {
	for _, s := range l.Stages {
		cost += float64(s.Samples + s.Switches)
		bytes += s.Bytes
	}
	return cost, bytes
}

func (l *live) figures(to map[string]float64) error {
	for i, key := range map[int]string{liveAgain: "live_error_between_sessions", liveTiers: "live_base_detail_error"} {
		sum, worst := 0.0, 0.0
		for _, s := range l.Designs[i].Stages {
			sum += s.Error
			worst = max(worst, s.Error)
		}
		if n := len(l.Designs[i].Stages); n > 0 {
			to[key+"_mean"], to[key+"_worst"] = sum/float64(n), worst
		}
	}
	if len(l.Designs[liveAll200].Stages) == 0 || len(l.Designs[liveTiers].Stages) == 0 {
		return nil // not chosen
	}
	all, allBytes := l.Designs[liveAll200].cost()
	tiers, tiersBytes := l.Designs[liveTiers].cost()
	if all == 0 {
		return errors.New("no sample was taken at 200 Hz")
	}
	to["variable_cost_ratio"], to["exported_bytes_ratio"] = tiers/all, float64(tiersBytes)/float64(allBytes)
	return nil
}

// count reads a recording for what it holds; the rest of a Sink does nothing.
func (s *liveStage) count(path string) error {
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
	if err := r.Replay(&liveCounter{of: s}); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// liveCounter is a recording's sink that counts.
type liveCounter struct{ of *liveStage }

var _ recording.Sink = (*liveCounter)(nil)

func (c *liveCounter) JVMFound(sampler.JVM)                                 {}
func (c *liveCounter) Thread(sampler.JVMID, jvmlog.Thread)                  {}
func (c *liveCounter) Record(sampler.JVMID, jvmlog.MonoTime, jvmlog.Record) {}
func (c *liveCounter) Stats(sampler.JVMID, sampler.Stats)                   {}
func (c *liveCounter) Watermark(sampler.JVMID, jvmlog.MonoTime)             {}
func (c *liveCounter) JVMGone(sampler.JVMID)                                {}
func (c *liveCounter) Symbol(sampler.JVMID, codemap.Frame)                  {}
func (c *liveCounter) Sample(sampler.JVMID, sampler.Sample)                 { c.of.Samples++ }
func (c *liveCounter) TaskEvent(_ sampler.JVMID, e jvmlog.TaskEvent) {
	switch e.Kind {
	case jvmlog.TaskStart:
		c.of.Tasks++
		if e.Flags&jvmlog.TaskDetail != 0 {
			c.of.Switches++
		}
	case jvmlog.TaskClocks:
		if e.Flags&jvmlog.TaskDetail != 0 {
			c.of.Switches++
		}
	}
}
