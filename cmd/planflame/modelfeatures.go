package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/planflame/planflame/costmodel"
	"github.com/planflame/planflame/internal/columns"
	"github.com/planflame/planflame/internal/usualcost"
)

// planTree finds the nodes of the operators of a recording, and their children.
type planTree struct {
	m        *columns.Model
	children [][][]int         // plan, node → nodes
	rows     map[rowsOf]uint64 // taken in, of all runs
	builds   map[rowsOf]string // of a join: the broadcast that it looks rows up in
	gave     map[rowsOf]uint64 // by query and operator: rows at all places, of all runs
}

// rowsOf is an operator in a stage of a query.
type rowsOf struct {
	query           int
	place, operator string
}

func newPlanTree(m *columns.Model) *planTree {
	t := &planTree{m: m, children: make([][][]int, len(m.Plans)), rows: map[rowsOf]uint64{}, builds: map[rowsOf]string{}, gave: map[rowsOf]uint64{}}
	for i := range m.Work {
		for _, r := range m.Work[i].Rows {
			o := &m.Operators[r[0]]
			t.rows[rowsOf{o.Query, o.Place, o.Operator}] += r[1]
			t.builds[rowsOf{o.Query, o.Place, o.Operator}] = o.Build
			t.gave[rowsOf{query: o.Query, operator: o.Operator}] += r[1]
		}
	}
	for p := range m.Plans {
		t.children[p] = make([][]int, len(m.Plans[p].Nodes))
		for n := range m.Plans[p].Nodes {
			if parent := m.Plans[p].Nodes[n].Parent; parent >= 0 {
				t.children[p][parent] = append(t.children[p][parent], n)
			}
		}
	}
	return t
}

// find finds the node of an operator: of its stage if there is one, for a partial and a final
// aggregate are one operator.
func (t *planTree) find(q *columns.QueryReport, o *columns.OperatorReport) (plan, node int) {
	plan, node = columns.None, columns.None
	for p := range t.m.Plans {
		of := t.m.Plans[p].Query
		if of == columns.None || t.m.Queries[of].Query != q.Query || t.m.Queries[of].Plan != q.Plan {
			continue
		}
		for n := range t.m.Plans[p].Nodes {
			x := &t.m.Plans[p].Nodes[n]
			if x.Operator != o.Operator || bare(usualcost.Physical(x.OperatorName)) != bare(usualcost.Physical(o.Name)) {
				continue
			}
			if plan, node = p, n; x.Place == o.Stage {
				return plan, node
			}
		}
	}
	return plan, node
}

// Counts of what a node's text shows. Types of columns are not in it.
var textFeatures = []struct {
	name string
	of   *regexp.Regexp
}{
	{"like", regexp.MustCompile(`\b(?:LIKE|RLIKE|Contains|StartsWith|EndsWith)\b|regexp`)},
	{"arithmetic", regexp.MustCompile(` [-+*/%] `)},
	{"comparisons", regexp.MustCompile(` (?:=|<|>|<=|>=|<=>|IN) `)},
	{"cases", regexp.MustCompile(`\b(?:CASE WHEN|if|coalesce)\b`)},
	{"sums", regexp.MustCompile(`\b(?:partial_|merge_)?(?:sum|avg|stddev|variance)\(`)},
	{"counts", regexp.MustCompile(`\b(?:partial_|merge_)?(?:count|min|max|first)\(`)},
	{"hashes", regexp.MustCompile(`\b(?:sha2|sha1|md5|hash|xxhash64)\(`)},
	{"texts", regexp.MustCompile(`\b(?:substring|concat|concat_ws|upper|lower|trim|reverse|split|length|replace)\(`)},
	{"arrays", regexp.MustCompile(`\b(?:array|sequence|array_position|arrayposition|transform|filter|aggregate|explode|posexplode|inline|map)\(`)},
	{"casts", regexp.MustCompile(`\bcast\(`)},
	{"calls", regexp.MustCompile(`\w\(`)},
	{"columns", regexp.MustCompile(`#\d+`)},
}

// keys are the lists in a node's text that hold its keys: of an aggregate, a sort, a join, and an
// exchange. Behind the last one's stands the number of partitions.
var keys = regexp.MustCompile(`(?:keys=\[|^(?:Sort|\w*Join) \[|partitioning\()([^\])]*?)(?:\]|, \d+\))`)

// width is how many columns the rows have that a node gives, as far as texts show it.
func (t *planTree) width(p, n int) float64 {
	x := &t.m.Plans[p].Nodes[n]
	switch bare(usualcost.Physical(x.OperatorName)) {
	case "Project", "HashAggregate", "ObjectHashAggregate", "SortAggregate":
		return 1 + float64(strings.Count(x.Text, ", "))
	case "Scan":
		list, _, _ := strings.Cut(x.Text, "]")
		return 1 + float64(strings.Count(list, ","))
	}
	sum := 0.0
	for _, c := range t.children[p][n] {
		sum += t.width(p, c)
	}
	return sum
}

// describe describes an operator to a model by its node.
func (t *planTree) describe(q *columns.QueryReport, o *columns.OperatorReport, op *costmodel.Operator) {
	node, rows := usualcost.Node{Role: o.Role, Name: o.Name, Counts: map[string]float64{}}, 0.0
	if o.Rows != nil {
		rows = float64(*o.Rows)
	}
	p, n := t.find(q, o)
	if p == columns.None {
		node.Describe(op, rows)
		return
	}
	x := &t.m.Plans[p].Nodes[n]
	node.Mode, node.Text = x.Mode, x.Text
	if len(x.Counts) > 0 {
		for name, n := range x.Counts {
			node.Counts[name] = float64(n)
		}
	} else {
		t.guess(p, n, node.Counts)
	}
	node.Describe(op, rows)
	query := t.m.Plans[p].Query
	if build := t.builds[rowsOf{query, o.Stage, o.Operator}]; build != "" {
		op.Build = float64(t.gave[rowsOf{query: query, operator: build}]) / op.Runs
	}
	for above := x.Parent; above >= 0; above = t.m.Plans[p].Nodes[above].Parent {
		if consumer := t.m.Plans[p].Nodes[above].Operator; consumer != "" {
			op.RowsOut = float64(t.rows[rowsOf{query, o.Stage, consumer}])
			break
		}
	}
}

// guess counts what the text of a node shows: the recording is of an agent that counted nothing.
func (t *planTree) guess(p, n int, out map[string]float64) {
	text, _, _ := strings.Cut(t.m.Plans[p].Nodes[n].Text, " Batched: ")
	for _, f := range textFeatures {
		out[f.name] = float64(len(f.of.FindAllStringIndex(text, -1)))
	}
	if found := keys.FindStringSubmatch(text); found != nil && found[1] != "" {
		out["keys"] = 1 + float64(strings.Count(found[1], ","))
	}
	out["width"] = t.width(p, n)
}

// modelOperators are the operators of a recording for a model, of all runs of their queries: those
// without a sample, too, if their rows are known.
func modelOperators(m *columns.Model, host string) (out []costmodel.Operator) {
	t := newPlanTree(m)
	report := m.Report(columns.Selection{})
	unsampled := unsampledOperators(m)
	for i := range report.Queries {
		q := &report.Queries[i]
		all := append([]columns.OperatorReport{}, q.Operators...)
		for _, o := range unsampled[[2]string{q.Query, q.Plan}] {
			if !slices.ContainsFunc(q.Operators, func(x columns.OperatorReport) bool { return x.Operator == o.Operator && x.Stage == o.Stage }) {
				all = append(all, o)
			}
		}
		for k := range all {
			if o, ok := t.operator(q, &all[k], host); ok {
				out = append(out, o)
			}
		}
	}
	return out
}

// unsampledOperators are the operators that took in rows, by query and plan, as if without CPU.
func unsampledOperators(m *columns.Model) map[[2]string][]columns.OperatorReport {
	rows, tasks := make([]uint64, len(m.Operators)), make([]uint64, len(m.Operators))
	for i := range m.Work {
		for _, r := range m.Work[i].Rows {
			rows[r[0]], tasks[r[0]] = rows[r[0]]+r[1], tasks[r[0]]+m.Work[i].Tasks
		}
	}
	out := map[[2]string][]columns.OperatorReport{}
	for i := range m.Operators {
		op := &m.Operators[i]
		if rows[i] == 0 || op.Query == columns.None {
			continue
		}
		key := [2]string{m.Queries[op.Query].Query, m.Queries[op.Query].Plan}
		out[key] = append(out[key], columns.OperatorReport{Stage: op.Place, Operator: op.Operator, Name: op.Name, Role: op.Role, Rows: &rows[i], Tasks: tasks[i]})
	}
	return out
}

// operator is an operator for a model. Operators of no SQL query have no plan, and no kind.
func (t *planTree) operator(q *columns.QueryReport, o *columns.OperatorReport, host string) (costmodel.Operator, bool) {
	if o.Role == "" || q.Plan == "" || o.Replaced {
		return costmodel.Operator{}, false
	}
	out := costmodel.Operator{
		Runs: float64(max(q.Runs, 1)), Tasks: float64(o.Tasks), Sample: 1 / float64(max(t.m.Meta.Hz, 1)), Group: q.Query, Host: host,
	}
	t.describe(q, o, &out)
	out.Samples = o.CPUSeconds / out.Sample
	return out, true
}
