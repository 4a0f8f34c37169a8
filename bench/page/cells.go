package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/recording"
)

// generatedClass begins the name of every generated class.
const generatedClass = "org.apache.spark.sql.catalyst.expressions.GeneratedClass"

// placed is a node with the place of the stage that reads what it puts out.
type placed struct {
	attribution.Node
	reader string
}

// facts are what a recording itself says of plans, stages and generated code, without attribution.
type facts struct {
	unread
	operators    map[string][]placed        // operator → its nodes in all plans
	nodes        []placed                   // of all plans
	accumulators map[string][]int64         // stage → what its tasks update, sorted
	bodies       map[string]map[string]bool // file of a generated class → texts
	err          error
}

// readFacts reads a recording.
func readFacts(path string) (*facts, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only: nothing to lose
	r, err := recording.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer r.Close()
	out := &facts{operators: map[string][]placed{}, accumulators: map[string][]int64{}, bodies: map[string]map[string]bool{}}
	if err := r.Replay(out); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return out, out.err
}

// Record implements sampler.Sink.
func (s *facts) Record(_ sampler.JVMID, _ jvmlog.MonoTime, r jvmlog.Record) {
	switch r := r.(type) {
	case *jvmlog.Dictionary:
		u, err := attribution.ParsePlanUpdate(r.JSON)
		if err != nil {
			s.err = err
			return
		}
		for _, n := range u.Tree.Nodes {
			at := placed{Node: n}
			if n.Parent >= 0 {
				at.reader = u.Tree.Nodes[n.Parent].Stage
			}
			s.nodes = append(s.nodes, at)
			s.operators[n.Operator] = append(s.operators[n.Operator], at)
		}
	case *jvmlog.Stage:
		key := fmt.Sprint(r.Stage)
		for _, a := range r.Accumulators {
			s.accumulators[key] = append(s.accumulators[key], int64(a))
		}
		slices.Sort(s.accumulators[key])
	case *jvmlog.Source:
		file := attribution.FileOf(r.Body)
		if s.bodies[file] == nil {
			s.bodies[file] = map[string]bool{}
		}
		s.bodies[file][r.Body] = true
	}
}

// runs reports whether a stage runs an operator: it updates a metric of one of its nodes, or of
// another node of its place, for a projection has no metric. Who reads a shuffle or a broadcast is
// in the place above the exchange.
func (s *facts) runs(operator, stage string) bool {
	accumulators, places := s.accumulators[stage], map[string]bool{}
	for _, n := range s.operators[operator] {
		if updates(n.Metrics, accumulators, nil) {
			return true
		}
		places[n.Stage] = true
		if strings.HasPrefix(n.Name, "BroadcastExchange") {
			places[n.reader] = true // a task of the join fetches it
		}
	}
	return slices.ContainsFunc(s.nodes, func(n placed) bool {
		return places[n.Stage] && updates(n.Metrics, accumulators, func(name string) bool { return !attribution.ReadsShuffle(name) }) ||
			places[n.reader] && updates(n.Metrics, accumulators, attribution.ReadsShuffle)
	})
}

// updates reports whether a metric of a name that counts, any if nil, is among sorted accumulators.
func updates(metrics []attribution.Metric, accumulators []int64, counts func(name string) bool) bool {
	return slices.ContainsFunc(metrics, func(m attribution.Metric) bool {
		_, found := slices.BinarySearch(accumulators, m.ID)
		return found && (counts == nil || counts(m.Name))
	})
}

// cells counts what a reader of the results would take for something else.
func (o *options) cells(ctx context.Context, r *results) error {
	s, err := readFacts(filepath.Join(o.folder(first), "recording"))
	if err != nil {
		return err
	}
	f, err := os.Open(filepath.Join(o.folder(first), "profile.pb.gz"))
	if err != nil {
		return err
	}
	defer f.Close() // read only: nothing to lose
	p, err := profile.Parse(f)
	if err != nil {
		return fmt.Errorf("profile of %s: %w", first, err)
	}
	r.Figures["generated_bodies"], r.Figures["merged_bodies"] = float64(len(s.bodies)), float64(s.merged(p, r))
	samples, foreign := s.foreign(p, r)
	r.Figures["staged_samples"], r.Figures["foreign_stage_samples"] = float64(samples), float64(foreign)
	all, _, err := o.reportOf(ctx, first)
	if err != nil {
		return err
	}
	rows, twins := 0, 0
	for _, q := range all.Queries {
		known := map[string]string{}
		for _, op := range q.Operators {
			rows++
			key := op.Stage + " " + op.Name
			if other, there := known[key]; there {
				twins++
				r.found("twins in %s: %s and %s are both %s", q.Name, other, op.Operator, key)
			}
			known[key] = op.Operator
		}
	}
	r.Figures["rows"], r.Figures["twin_lines"] = float64(rows), float64(twins)
	return nil
}

// merged counts texts beyond the first of each name, and names in the profile without a text.
func (s *facts) merged(p *profile.Profile, r *results) (n int) {
	for file, texts := range s.bodies {
		if len(texts) > 1 {
			n += len(texts) - 1
			r.found("merged bodies: %d texts are called %s", len(texts), file)
		}
	}
	for _, f := range p.Function {
		if strings.HasPrefix(f.Name, generatedClass) && s.bodies[f.Filename] == nil {
			n++
			r.found("merged bodies: %s of %s has no text of its own", f.Name, f.Filename)
		}
	}
	return n
}

// foreign counts the samples of operators in stages, and how many are in a stage that does not run
// the operator.
func (s *facts) foreign(p *profile.Profile, r *results) (samples, foreign int64) {
	astray := map[string]int64{}
	for _, at := range p.Sample {
		operator, stage := labelOf(at, "operator"), labelOf(at, "stage_id")
		if stage == "" || len(s.operators[operator]) == 0 {
			continue // a bucket, or a job without SQL
		}
		samples += at.Value[0]
		if !s.runs(operator, stage) {
			foreign += at.Value[0]
			astray[operator+" in stage "+stage] += at.Value[0]
		}
	}
	for where, n := range astray {
		r.found("foreign stage: %d samples of %s", n, where)
	}
	return samples, foreign
}

func labelOf(s *profile.Sample, name string) string {
	if v := s.Label[name]; len(v) > 0 {
		return v[0]
	}
	return ""
}

// unread takes what facts do not need.
type unread struct{}

func (unread) JVMFound(sampler.JVM)                      {}
func (unread) Thread(sampler.JVMID, jvmlog.Thread)       {}
func (unread) TaskEvent(sampler.JVMID, jvmlog.TaskEvent) {}
func (unread) Sample(sampler.JVMID, sampler.Sample)      {}
func (unread) Stats(sampler.JVMID, sampler.Stats)        {}
func (unread) Watermark(sampler.JVMID, jvmlog.MonoTime)  {}
func (unread) JVMGone(sampler.JVMID)                     {}
func (unread) Symbol(sampler.JVMID, codemap.Frame)       {}
