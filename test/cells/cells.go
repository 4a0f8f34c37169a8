// Package cells holds what a run's profile tells against what its recording itself says of plans,
// stages and generated code. It asks nothing of attribution but the nodes of plans, so it can judge
// attribution.
//
//	recording ──Read──▶ Facts ◀── profile.pb.gz
//	                      ├── Merged   generated classes that share a name
//	                      └── Foreign  samples in a stage that does not run their operator
//
// The end-to-end tests and bench/page use it.
package cells

import (
	"crypto/sha256"
	"fmt"
	"os"
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

// Facts are what a recording says of plans, stages and generated code.
type Facts struct {
	unread
	operators    map[string][]placed        // operator → its nodes in all plans
	nodes        []placed                   // of all plans
	accumulators map[string][]int64         // stage → what its tasks update, sorted
	bodies       map[string]map[string]bool // file of a generated class → texts
	err          error
}

// Read reads the recording in the file path. Errors name it.
func Read(path string) (*Facts, error) {
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
	out := &Facts{operators: map[string][]placed{}, accumulators: map[string][]int64{}, bodies: map[string]map[string]bool{}}
	if err := r.Replay(out); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if out.err != nil {
		return nil, fmt.Errorf("%s: %w", path, out.err)
	}
	return out, nil
}

// Record implements sampler.Sink.
func (s *Facts) Record(_ sampler.JVMID, _ jvmlog.MonoTime, r jvmlog.Record) {
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
		file := fmt.Sprintf("generated-%.4x.java", sha256.Sum256([]byte(r.Body)))
		if s.bodies[file] == nil {
			s.bodies[file] = map[string]bool{}
		}
		s.bodies[file][r.Body] = true
	}
}

// runs reports whether a stage runs an operator: it updates a metric of one of its nodes, or of
// another node of its place, for a projection has no metric. Who reads a shuffle or a broadcast is
// in the place above the exchange.
func (s *Facts) runs(operator, stage string) bool {
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

// Bodies is how many texts of generated classes there are.
func (s *Facts) Bodies() (n int) {
	for _, texts := range s.bodies {
		n += len(texts)
	}
	return n
}

// Generated is how many generated classes a profile has methods of.
func Generated(p *profile.Profile) int {
	files := map[string]bool{}
	for _, f := range p.Function {
		if strings.HasPrefix(f.Name, generatedClass) {
			files[f.Filename] = true
		}
	}
	return len(files)
}

// Merged returns a line for each text beyond the first of its name, and for each generated method
// of a profile whose class has no text.
func (s *Facts) Merged(p *profile.Profile) (lines []string) {
	for file, texts := range s.bodies {
		for range len(texts) - 1 {
			lines = append(lines, fmt.Sprintf("%d texts are called %s", len(texts), file))
		}
	}
	for _, f := range p.Function {
		if strings.HasPrefix(f.Name, generatedClass) && s.bodies[f.Filename] == nil {
			lines = append(lines, fmt.Sprintf("%s of %s has no text of its own", f.Name, f.Filename))
		}
	}
	return lines
}

// Foreign counts the samples of operators in stages of a profile, and those in a stage that does
// not run the operator, by both.
func (s *Facts) Foreign(p *profile.Profile) (samples int64, foreign map[string]int64) {
	foreign = map[string]int64{}
	for _, at := range p.Sample {
		operator, stage := labelOf(at, "operator"), labelOf(at, "stage_id")
		if stage == "" || len(s.operators[operator]) == 0 {
			continue // a bucket, or a job without SQL
		}
		samples += at.Value[0]
		if !s.runs(operator, stage) {
			foreign[operator+" in stage "+stage] += at.Value[0]
		}
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
