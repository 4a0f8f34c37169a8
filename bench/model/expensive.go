package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"

	"github.com/planflame/planflame/bench/internal/session"
)

// expression is a statement with one operator whose expression costs what a literal says. A plan
// has the same counts for both literals, so a model cannot know.
type expression struct {
	id, role string // of the operator
	sql      string // with %s for the literal
	usual    string
	tenfold  string // costs about ten times as much a row
}

// expressions are expressions in each role that evaluates them. Each projection has a condition of
// its own, for the fingerprint of a query does not hold what it projects.
var expressions = []expression{
	{"filter-like", "filter", "SELECT count(*) FROM lineitem WHERE l_comment RLIKE '%s'", "special.*requests", "(a|e).*(i|o).*Z"},
	{"filter-text", "filter", "SELECT count(*) FROM lineitem WHERE replace(repeat(l_comment, %s), 'a', 'bc') = 'x'", "1", "12"},
	{"filter-hash", "filter", "SELECT count(*) FROM lineitem WHERE sha2(repeat(l_comment, %s), 256) = 'x'", "2", "175"},
	{"filter-distance", "filter", "SELECT count(*) FROM lineitem WHERE levenshtein(l_shipmode, repeat('ab', %s)) = 0", "1", "42"},
	{"project-like", "project", "SELECT regexp_replace(l_comment, '%s', '') AS p FROM lineitem WHERE l_orderkey > 0", "special", "(a|e).*(i|o).*Z"},
	{"project-text", "project", "SELECT length(reverse(repeat(l_comment, %s))) AS p FROM lineitem WHERE l_partkey > 0", "1", "11"},
	{"project-hash", "project", "SELECT md5(repeat(l_comment, %s)) AS p FROM lineitem WHERE l_suppkey > 0", "2", "79"},
	{"project-array", "project", "SELECT array_position(sequence(1, %s), l_suppkey + 200000000) AS p FROM lineitem WHERE l_linenumber > 0", "10", "685"},
	{"project-split", "project", "SELECT size(split(repeat(l_comment, %s), ' ')) AS p FROM lineitem WHERE l_quantity > 0", "1", "23"},
	{"aggregate-text", "aggregate", "SELECT sum(length(replace(repeat(l_comment, %s), 'a', 'bc'))) FROM lineitem", "1", "11"},
	{"aggregate-hash", "aggregate", "SELECT max(md5(repeat(l_comment, %s))) FROM lineitem", "2", "132"},
	{"aggregate-array", "aggregate", "SELECT sum(array_position(sequence(1, %s), l_suppkey + 200000000)) FROM lineitem", "10", "300"},
	{"join-distance", "join", "SELECT /*+ BROADCAST(s) */ count(*) FROM lineitem JOIN supplier s ON l_suppkey = s_suppkey AND levenshtein(l_shipmode, concat(s_phone, repeat('ab', %s))) > 1000", "1", "100"},
	{"join-text", "join", "SELECT /*+ BROADCAST(s) */ count(*) FROM lineitem JOIN supplier s ON l_suppkey = s_suppkey AND length(replace(concat(repeat(l_comment, %s), s_phone), 'a', 'bc')) < 0", "1", "18"},
}

func expressionStatements(tenfold bool) (out []session.Statement) {
	for _, e := range expressions {
		literal := e.usual
		if tenfold {
			literal = e.tenfold
		}
		out = append(out, session.Statement{ID: e.id, SQL: fmt.Sprintf(e.sql, literal), Discard: true})
	}
	return out
}

// expensive holds the mark of the shipped model against expressions that became ten times as
// expensive.
func (o *options) expensive(r *results) error {
	before, err := o.judged(onefold)
	if err != nil {
		return err
	}
	after, err := o.judged(tenfold)
	if err != nil {
		return err
	}
	marked, found := 0, 0
	for _, e := range expressions {
		b, a := before[e.id], after[e.id]
		r.line("expensive %s: %.0f → %.0f ns/row (× %.1f); × %.2f → × %.2f of the usual, marked %v → %v", e.id, b.nanos, a.nanos, a.nanos/b.nanos, b.ratio, a.ratio, b.expensive, a.expensive)
		if b.expensive {
			marked++
		}
		if a.expensive {
			found++
		}
	}
	n := float64(len(expressions))
	r.Figures["expensive_found"], r.Figures["expensive_before"] = float64(found)/n, float64(marked)/n
	return nil
}

// judgedOperator is what planflame report says of an operator.
type judgedOperator struct {
	nanos, ratio float64
	expensive    bool
}

// judged are the operators with the expressions in a recording, by statement: of its role the one
// with the most CPU.
func (o *options) judged(n name) (map[string]judgedOperator, error) {
	text, err := exec.Command(o.planflame, "report", o.folder(n), "--format", "json").Output()
	if err != nil {
		return nil, fmt.Errorf("planflame report %s: %w", o.folder(n), err)
	}
	var report struct {
		Queries []struct {
			Name      string `json:"name"`
			Operators []struct {
				Role     string   `json:"role"`
				CPU      float64  `json:"cpu_seconds"`
				NsPerRow *float64 `json:"ns_per_row"`
				Usual    *struct {
					Ratio     float64 `json:"ratio"`
					Expensive bool    `json:"expensive"`
				} `json:"usual"`
			} `json:"operators"`
		} `json:"queries"`
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return nil, err
	}
	out := map[string]judgedOperator{}
	for _, q := range report.Queries {
		role, _, _ := strings.Cut(q.Name, "-")
		most := 0.0
		for _, p := range q.Operators {
			if p.Role == role && p.CPU > most && p.NsPerRow != nil && p.Usual != nil {
				most = p.CPU
				out[q.Name] = judgedOperator{*p.NsPerRow, p.Usual.Ratio, p.Usual.Expensive}
			}
		}
	}
	for _, e := range expressions {
		if _, there := out[e.id]; !there {
			return nil, fmt.Errorf("planflame report %s: statement %s has no operator %s with a usual cost", o.folder(n), e.id, e.role)
		}
	}
	return out, nil
}
