package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strconv"

	"github.com/google/pprof/profile"

	"github.com/planflame/planflame/internal/columns"
)

// selected is what page/test/selections.mjs prints of a selection, and the flags that select the
// same of a report.
type selected struct {
	Kind      string
	Flags     []string
	CPU       float64 `json:"cpu_ns"`
	Samples   uint64
	Operators []struct {
		Query, Stage, Operator string
		CPU                    float64 `json:"cpu_ns"`
		Samples                uint64
	}
	Views map[string]float64 // in ns
}

// checker counts figures that should be equal and are not.
type checker struct {
	r          *results
	checks     int
	mismatches int
}

// seconds compares two times, which are equal within a millisecond.
func (c *checker) seconds(what string, a, b float64) { c.is(what, math.Abs(a-b) <= 1e-3, a, b) }

func (c *checker) counts(what string, a, b uint64) { c.is(what, a == b, float64(a), float64(b)) }

func (c *checker) is(what string, equal bool, a, b float64) {
	c.checks++
	if !equal {
		c.mismatches++
		c.r.found("sums: %s: %g and %g", what, a, b)
	}
}

// sums holds the page against the report, and every format against both.
func (o *options) sums(ctx context.Context, r *results) error {
	path, err := o.html(ctx, first)
	if err != nil {
		return err
	}
	path, err = filepath.Abs(path)
	if err != nil {
		return err
	}
	lines, err := node(ctx, "test/selections.mjs", path)
	if err != nil {
		return err
	}
	c := &checker{r: r}
	for line := range bytes.Lines(lines) {
		var s selected
		if err := json.Unmarshal(line, &s); err != nil {
			return fmt.Errorf("selections of the page: %w", err)
		}
		want, _, err := o.reportOf(ctx, first, s.Flags...)
		if err != nil {
			return err
		}
		c.selection(&s, want)
		if len(s.Flags) > 0 {
			continue
		}
		c.session(want)
		if err := o.formats(ctx, c, want); err != nil {
			return err
		}
	}
	r.Figures["sum_checks"], r.Figures["sum_mismatches"] = float64(c.checks), float64(c.mismatches)
	return nil
}

// selection holds the page's sums of a selection against the report's, and its views against each
// other.
func (c *checker) selection(s *selected, want *columns.Report) {
	const nano = 1e-9
	c.seconds(s.Kind, s.CPU*nano, want.CPUSeconds)
	c.counts(s.Kind+", samples", s.Samples, want.Samples)
	operators := map[[3]string]columns.OperatorReport{}
	for _, q := range want.Queries {
		for _, o := range q.Operators {
			if o.CPUSeconds > 0 {
				operators[[3]string{q.Query, o.Stage, o.Operator}] = o
			}
		}
	}
	c.counts(s.Kind+", operators", uint64(len(s.Operators)), uint64(len(operators)))
	for _, got := range s.Operators {
		of := operators[[3]string{got.Query, got.Stage, got.Operator}]
		c.seconds(s.Kind+", "+got.Operator, got.CPU*nano, of.CPUSeconds)
		c.counts(s.Kind+", samples of "+got.Operator, got.Samples, of.Samples)
	}
	for _, view := range []string{"tasks", "stacks", "flame", "bins"} {
		c.seconds(s.Kind+", "+view, s.Views[view]*nano, s.CPU*nano)
	}
	c.seconds(s.Kind+", lines", s.Views["lines"]*nano, s.Views["generated"]*nano)
}

// session holds the session against its queries and buckets.
func (c *checker) session(r *columns.Report) {
	sum, samples := 0.0, uint64(0)
	for _, q := range r.Queries {
		for _, o := range q.Operators {
			sum, samples = sum+o.CPUSeconds, samples+o.Samples
		}
	}
	for _, b := range r.Buckets {
		sum, samples = sum+b.CPUSeconds, samples+b.Samples
	}
	c.seconds("session = queries + buckets", r.CPUSeconds, sum)
	c.counts("session = queries + buckets, samples", r.Samples, samples)
}

// formats holds the totals of the other formats against the report's. They hold what runs beside
// the session, too.
func (o *options) formats(ctx context.Context, c *checker, r *columns.Report) error {
	want := r.CPUSeconds
	for _, list := range [][]columns.BucketReport{r.Outside, r.Children} {
		for _, b := range list {
			want += b.CPUSeconds
		}
	}
	for format, total := range map[string]func([]byte) (float64, error){"pprof": totalOfPprof, "collapsed": totalOfCollapsed, "speedscope": totalOfSpeedscope} {
		text, _, err := o.planflameOutput(ctx, "report", "--format", format, o.folder(first))
		if err != nil {
			return err
		}
		got, err := total(text)
		if err != nil {
			return fmt.Errorf("format %s: %w", format, err)
		}
		c.seconds("format "+format, got, want)
	}
	return nil
}

func totalOfPprof(text []byte) (float64, error) {
	p, err := profile.ParseData(text)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for _, s := range p.Sample {
		sum += float64(s.Value[1])
	}
	return sum / 1e9, nil
}

func totalOfCollapsed(text []byte) (float64, error) {
	sum := 0.0
	for line := range bytes.Lines(text) {
		us, err := strconv.ParseFloat(string(bytes.TrimSpace(line[bytes.LastIndexByte(line, ' ')+1:])), 64)
		if err != nil {
			return 0, err
		}
		sum += us
	}
	return sum / 1e6, nil
}

func totalOfSpeedscope(text []byte) (float64, error) {
	var s struct {
		Profiles []struct {
			Unit    string
			Weights []float64
		}
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return 0, err
	}
	per, known := map[string]float64{"seconds": 1, "milliseconds": 1e-3, "microseconds": 1e-6, "nanoseconds": 1e-9}, true
	sum := 0.0
	for _, p := range s.Profiles {
		factor, ok := per[p.Unit]
		known = known && ok
		for _, w := range p.Weights {
			sum += w * factor
		}
	}
	if !known {
		return 0, fmt.Errorf("unknown unit among %d profiles", len(s.Profiles))
	}
	return sum, nil
}
