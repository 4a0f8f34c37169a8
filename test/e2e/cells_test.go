//go:build e2e

package e2e

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/recording"
)

const generatedClass = "org.apache.spark.sql.catalyst.expressions.GeneratedClass"

// cellSink takes from a recording what the rows and frames of its results can be held against.
type cellSink struct {
	rowSink
	operators    map[string][]placedNode    // operator → its nodes in all plans
	nodes        []placedNode               // of all plans
	accumulators map[string][]int64         // stage → what its tasks update, sorted
	bodies       map[string]map[string]bool // file of a generated class → texts
}

func (s *cellSink) Record(_ sampler.JVMID, _ jvmlog.MonoTime, r jvmlog.Record) {
	switch r := r.(type) {
	case *jvmlog.Dictionary:
		u, err := attribution.ParsePlanUpdate(r.JSON)
		if err != nil {
			panic(err)
		}
		for _, n := range u.Tree.Nodes {
			reader := ""
			if n.Parent >= 0 {
				reader = u.Tree.Nodes[n.Parent].Stage
			}
			placed := placedNode{n, reader}
			s.nodes = append(s.nodes, placed)
			s.operators[n.Operator] = append(s.operators[n.Operator], placed)
		}
	case *jvmlog.Stage:
		key := fmt.Sprint(r.Stage)
		for _, a := range r.Accumulators {
			s.accumulators[key] = append(s.accumulators[key], int64(a))
		}
		slices.Sort(s.accumulators[key])
	case *jvmlog.Source:
		file := fmt.Sprintf("generated-%x.java", sha256.Sum256([]byte(r.Body)))[:len("generated-")+8] + ".java"
		if s.bodies[file] == nil {
			s.bodies[file] = map[string]bool{}
		}
		s.bodies[file][r.Body] = true
	}
}

// placedNode is a node with the place of the stage that reads what it puts out.
type placedNode struct {
	attribution.Node
	reader string
}

// checkCells holds the results of a run against its recording: no row is wider than 80 columns, no
// two of a query are alike, none is without a name, no generated class has the name of another, and
// no sample is in a stage that its node does not run in.
func checkCells(t *testing.T, out string) {
	t.Helper()
	checkTable(t, out)
	f, err := os.Open(filepath.Join(out, "recording"))
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	r, err := recording.NewReader(f)
	require.NoError(t, err)
	defer r.Close()
	sink := cellSink{operators: map[string][]placedNode{}, accumulators: map[string][]int64{}, bodies: map[string]map[string]bool{}}
	require.NoError(t, r.Replay(&sink))
	p, err := os.Open(filepath.Join(out, "profile.pb.gz"))
	require.NoError(t, err)
	defer func() { require.NoError(t, p.Close()) }()
	parsed, err := profile.Parse(p)
	require.NoError(t, err)
	sink.checkBodies(t, parsed)
	sink.checkStages(t, parsed)
}

// checkTable reads the table as a pipe gets it.
func checkTable(t *testing.T, out string) {
	t.Helper()
	u := ordinaryUser.here()
	table, err := output(t, u.command(t.Context(), filepath.Dir(out), built(t, "planflame"), "report", "--all", out))
	require.NoError(t, err, "%s", table)
	rows, alike, stage := 0, map[string]bool{}, -1 // stage is the column where the stage begins, -1 outside of a query
	for _, line := range strings.Split(table, "\n") {
		assert.LessOrEqual(t, utf8.RuneCountInString(line), 80, "%s", line)
		switch {
		case strings.Contains(line, "stage  operator"):
			stage, alike = strings.Index(line, "stage  operator"), map[string]bool{}
		case strings.TrimSpace(line) == "":
			stage = -1
		case stage >= 0 && utf8.RuneCountInString(line) > stage: // else it bounds Python's CPU, and is no operator's
			rows++
			row := []rune(line)
			key := strings.NewReplacer("│", "", "├", "", "└", "", "┌", "", " ", "").Replace(string(row[stage:]))
			assert.False(t, alike[key], "two rows are alike: %s", line)
			alike[key] = true
		}
	}
	require.GreaterOrEqual(t, rows, 20, "rows of the table")
	s := summary{}
	readJSON(t, filepath.Join(out, "summary.json"), &s)
	for _, q := range s.Queries {
		names := map[string]string{}
		for _, o := range q.Operators {
			assert.NotEmpty(t, o.Name, "name of %s of %s", o.Operator, q.QueryName)
			key := o.Stage + " " + o.Name
			if of, ok := names[key]; ok {
				t.Errorf("%s: %s and %s are both %s", q.QueryName, of, o.Operator, key)
			}
			names[key] = o.Operator
		}
	}
}

func (s *cellSink) checkBodies(t *testing.T, p *profile.Profile) {
	t.Helper()
	for file, texts := range s.bodies {
		assert.Len(t, texts, 1, "texts of %s", file)
	}
	seen := map[string]bool{}
	for _, f := range p.Function {
		if strings.HasPrefix(f.Name, generatedClass) {
			assert.Contains(t, s.bodies, f.Filename, "%s has a text of its own", f.Name)
			seen[f.Filename] = true
		}
	}
	require.Greater(t, len(seen), 5, "generated classes in the profile")
}

func (s *cellSink) checkStages(t *testing.T, p *profile.Profile) {
	t.Helper()
	samples, astray := int64(0), map[string]int64{}
	for _, at := range p.Sample {
		operator, stage := label(at, "operator"), label(at, "stage_id")
		if stage == "" || len(s.operators[operator]) == 0 {
			continue // a bucket, or a job without SQL
		}
		samples += at.Value[0]
		if !s.runs(operator, s.accumulators[stage]) {
			astray[operator+" in stage "+stage] += at.Value[0]
		}
	}
	require.Greater(t, samples, int64(50), "samples of operators")
	assert.Empty(t, astray, "of %d samples, those in stages that do not run their operator", samples)
}

// runs reports whether a stage with these accumulators runs an operator: it updates a metric of one
// of its nodes, or of another node of its place, for a projection has no metric. Who reads a
// shuffle or a broadcast is in the place above the exchange.
func (s *cellSink) runs(operator string, accumulators []int64) bool {
	places := map[string]bool{}
	for _, n := range s.operators[operator] {
		if updates(n.Metrics, accumulators, nil) {
			return true
		}
		places[n.Stage] = true
		if strings.HasPrefix(n.Name, "BroadcastExchange") {
			places[n.reader] = true // a task of the join fetches it
		}
	}
	return slices.ContainsFunc(s.nodes, func(n placedNode) bool {
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
