package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/planflame/planflame/bench/internal/session"
)

// growth is what one pass of one session says of a family: seconds of CPU by level.
type growth struct {
	session   int
	truth     [levels]float64 // of the tasks, by Spark's account
	operators [levels]map[string]float64
}

// estimate is the error of an operator's cost, E = observed growth / true growth - 1, of the growth
// from level From to level 2.
type estimate struct {
	From           int       `json:"from_level"`
	TrueSeconds    float64   `json:"true_growth_seconds"` // pooled over all passes
	ReferenceShare float64   `json:"reference_share"`     // CPU of level 0 in the true growth
	E              float64   `json:"e"`
	SE             float64   `json:"se"`    // jackknife over passes
	Bound          float64   `json:"bound"` // |E| + t(97.5 %) SE
	Passes         int       `json:"passes"`
	BySession      []float64 `json:"e_by_session"`
	// Growth of every operator and bucket in units of the true growth; their sum is planflame's
	// total over Spark's.
	Growth map[string]float64 `json:"growth_by_operator"`
}

// bySQLMetrics is the baseline that needs no samples: the times in Spark's own SQL metrics.
const bySQLMetrics = "Spark's SQL metrics"

// nodes are the plan nodes that a role has in Spark's SQL metrics: their names begin so.
var nodes = map[string]string{
	"filter": "Filter", "project": "Project", "join": "BroadcastHashJoin SortMergeJoin", "aggregate": "HashAggregate", "window": "Window",
	"generate": "Generate", "expand": "Expand", "exchange": "Exchange", "scan": "Scan",
}

// told are the operators that one execution is told to have.
func told(f family, e session.Execution, baseline string) map[string]session.Operator {
	switch baseline {
	case "":
		return e.Operators
	case bySQLMetrics:
		out := map[string]session.Operator{}
		for node, d := range e.Metrics {
			first, _, _ := strings.Cut(node, " ")
			if slices.Contains(strings.Fields(nodes[f.Role]), first) {
				out[f.Role+"@"+node] = session.Operator{Name: node + " " + f.Named, CPU: d}
			} else {
				out["["+node+"]"] = session.Operator{Name: node, CPU: d}
			}
		}
		return out
	}
	return e.Baselines[baseline]
}

// warm and cold are the passes that collect takes: the counted ones, or those that warm the JVM up.
func warm(pass int) bool { return pass >= 0 }
func cold(pass int) bool { return pass < 0 }

// collect sorts the executions of a session by pass, with the operators of a baseline or, where
// that is "", planflame's.
func collect(f family, number int, executions []session.Execution, baseline string, wanted func(pass int) bool) ([]growth, error) {
	byPass := map[int]*growth{}
	for _, e := range executions {
		name, level, ok := strings.Cut(e.Statement, "/")
		if !ok || name != f.Name || !wanted(e.Pass) {
			continue
		}
		l := int(level[0] - '0')
		g := byPass[e.Pass]
		if g == nil {
			g = &growth{session: number}
			byPass[e.Pass] = g
		}
		g.truth[l] = e.TaskCPU.Seconds()
		g.operators[l] = map[string]float64{}
		for id, op := range told(f, e, baseline) {
			name := role(id)
			if f.owns(id, op) {
				name = scored
			}
			g.operators[l][name] += op.CPU.Seconds()
		}
	}
	if len(byPass) == 0 {
		return nil, fmt.Errorf("%s has not run", f.Name)
	}
	var all []growth
	for _, pass := range slices.Sorted(maps.Keys(byPass)) {
		g := byPass[pass]
		if slices.ContainsFunc(g.truth[:], func(s float64) bool { return s == 0 }) {
			return nil, fmt.Errorf("%s, pass %d: not every level has run", f.Name, pass)
		}
		all = append(all, *g)
	}
	return all, nil
}

// scored is the key of the operator that burns.
const scored = "the burning operator"

// role is the part of an operator's name that is the same at all levels: what follows the @ is a
// signature of its expressions.
func role(operator string) string {
	before, _, _ := strings.Cut(operator, "@")
	return before
}

// pooled is E over some passes: growth is summed before it is divided.
func pooled(all []growth, from, without int) (e, truth float64) {
	var observed float64
	for i, g := range all {
		if i != without {
			observed += g.operators[levels-1][scored] - g.operators[from][scored]
			truth += g.truth[levels-1] - g.truth[from]
		}
	}
	return observed/truth - 1, truth
}

// estimateE estimates E of the scored operator over all passes of all sessions.
func estimateE(all []growth, from int) estimate {
	const none = -1
	out := estimate{From: from, Passes: len(all), Growth: map[string]float64{}}
	out.E, out.TrueSeconds = pooled(all, from, none)
	n := float64(len(all))
	var leftOut []float64
	var mean, reference float64
	for i, g := range all {
		e, _ := pooled(all, from, i)
		leftOut = append(leftOut, e)
		mean += e / n
		reference += g.truth[0]
	}
	for _, e := range leftOut {
		out.SE += (e - mean) * (e - mean)
	}
	out.SE = math.Sqrt(out.SE * (n - 1) / n)
	out.Bound = math.Abs(out.E) + distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975)*out.SE
	out.ReferenceShare = reference / out.TrueSeconds
	for first := 0; first < len(all); {
		last := first
		for last < len(all) && all[last].session == all[first].session {
			last++
		}
		e, _ := pooled(all[first:last], from, none)
		out.BySession = append(out.BySession, e)
		first = last
	}
	for _, g := range all {
		for id, s := range g.operators[levels-1] {
			out.Growth[id] += s / out.TrueSeconds
		}
		for id, s := range g.operators[from] {
			out.Growth[id] -= s / out.TrueSeconds
		}
	}
	return out
}
