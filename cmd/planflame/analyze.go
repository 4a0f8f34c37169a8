package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/google/pprof/profile"

	"github.com/planflame/planflame/cmd/planflame/internal/finding"
	"github.com/planflame/planflame/cmd/planflame/internal/outcome"
	"github.com/planflame/planflame/internal/columns"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/page"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/recording"
)

// maxHeldOffline bounds the samples that wait for the end of a recording: about 400 MB at 100
// frames each. Those beyond it wait in a file.
const maxHeldOffline = 1 << 19

// analysis is what a recording says.
type analysis struct {
	meta    recording.Meta
	window  outcome.Window
	jvms    []window.JVMProfile
	model   *columns.Model
	summary outcome.Summary
	profile *profile.Profile // nil where none could be made
	totals  window.Totals    // over all JVMs
	counts  pipeline.Counts
	skipped uint64 // entries of a newer format
	details []details
	sampler sampler.Stats      // over all JVMs
	flags   jvmlog.HeaderFlags // that all JVMs with tasks had
}

// analyze computes everything from a recording, without the runs that draw leaves out of it. Of one
// that is cut off it gives what is there, with an error; nil if nothing is.
func analyze(path string, without pipeline.Without, draw drawing) (*analysis, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open recording: %w", err)
	}
	defer file.Close()
	r, err := recording.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer r.Close()
	builder := columns.NewBuilder(r.Meta())
	in := newReplay(builder, without)
	var sink recording.Sink = in
	meta := r.Meta()
	if draw.fraction > 0 {
		if meta.RunFraction > 0 {
			return nil, fmt.Errorf("--run-fraction: of %s, runs were drawn when it was made", path)
		}
		meta.RunFraction, sink = draw.fraction, in.drawn(draw)
	}
	readErr := r.Replay(sink)
	in.finish()
	if readErr != nil {
		readErr = fmt.Errorf("%s: %w", path, readErr)
	}
	a := &analysis{meta: meta, counts: in.Counts(), details: in.details, skipped: r.Skipped()}
	model, p := builder.Model()
	a.model = model
	return a, errors.Join(readErr, a.fill(p, in))
}

func (a *analysis) fill(p window.Profile, in *replay) (err error) {
	a.jvms, a.window = p.JVMs, outcome.Window{Start: a.meta.Started, Duration: in.duration()}
	p.Plans = in.plans
	a.summary = outcome.Summarize(p, a.meta.Hz)
	a.summary.DetailHz, a.summary.TaskFraction, a.summary.RunFraction = a.meta.DetailHz, a.meta.Fraction, a.meta.RunFraction
	a.summary.Findings = finding.Of(&a.summary)
	a.summary.SlowTasks = slowTasks(p.JVMs, a.model)
	a.summary.SlowRecords = slowRecords(p.JVMs)
	a.model.SlowTasks, a.model.SlowRecords = slowRows(a.summary.SlowTasks, a.model), recordRows(a.summary.SlowRecords, a.model)
	usually, err := usualModel("")
	if err != nil {
		return err
	}
	a.hold(usually)
	a.flags = ^jvmlog.HeaderFlags(0)
	for _, j := range p.JVMs {
		a.totals.Add(j.Totals)
		addCounts(&a.sampler, j.Sampler)
		if j.Totals.Tasks > 0 {
			a.flags &= j.JVM.Header.Flags
		}
	}
	a.profile, err = outcome.Pprof(p, a.window, a.period())
	return err
}

// period is the sampling period, 0 unknown.
func (a *analysis) period() time.Duration {
	if a.meta.Hz <= 0 {
		return 0
	}
	return time.Second / time.Duration(a.meta.Hz)
}

// write writes profile.pb.gz, summary.json and report.html.
func (a *analysis) write(out results) error {
	if a.profile == nil {
		return fmt.Errorf("write %s: there is no profile", out)
	}
	return errors.Join(
		writeFile(out.profile(), a.profile.Write),
		writeFile(out.summary(), func(w io.Writer) error { return asJSON(w, a.summary, "  ") }),
		writeFile(out.page(), a.writePage),
	)
}

// writePage writes the page of the recording.
func (a *analysis) writePage(w io.Writer) error { return page.Write(w, a.model.Encode) }

// writeFile writes a file whole or not at all.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	err = errors.Join(write(f), f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
