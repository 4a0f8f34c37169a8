package outcome

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
)

func TestLines(t *testing.T) {
	of := func(query, operator string) pipeline.UserLineOf {
		return pipeline.UserLineOf{Query: query, Plan: "p1-" + query, Operator: operator}
	}
	p := window.Profile{JVMs: []window.JVMProfile{
		{UserLines: map[pipeline.UserLineOf][]string{
			of("a", ""): {"etl.py:9"}, of("a", "filter@1"): {"etl.py:3", "etl.py:5"}, of("b", "filter@1"): {"etl.py:11"}, of("b", "join@2"): {"etl.py:8"},
			of("c", "filter@1"): {"etl.py:4"}, of("c", "join@2"): {"lib.py:4"}, of("d", "filter@1"): {"etl.py:6"}, of("r", "rdd@1"): {"etl.py:21"}, of("r", "rdd@1~2"): {"etl.py:22"},
		}},
		{UserLines: map[pipeline.UserLineOf][]string{of("a", ""): {"etl.py:9"}, of("a", "filter@1"): {"etl.py:7"}}},
	}}
	s := Summary{}
	for _, q := range []string{"a", "b", "c", "d", "e"} {
		s.Queries = append(s.Queries, Query{Query: q, Plan: "p1-" + q, Operators: []Operator{{Operator: "filter@1", Name: "Filter x at etl.py"}, {Operator: "scan@3", Name: "Scan"}}})
	}
	s.Queries = append(s.Queries, Query{Query: "r", Plan: "p1-r", Operators: []Operator{{Operator: "rdd@1", Name: "map at etl.py"}, {Operator: "rdd@1~2", Name: "map at etl.py #2"}}})
	s.addLines(p)
	type row struct{ callSite, line, other string }
	var got []row
	for _, q := range s.Queries {
		got = append(got, row{q.CallSite, q.Operators[0].Line, q.Operators[1].Line})
	}
	require.Equal(t, []row{
		{"etl.py:9", "etl.py:3, etl.py:5, etl.py:7", ""},
		{"etl.py:8-11", "etl.py:11", ""}, // no one knows where it was run: where its expressions are
		{"", "etl.py:4", ""},             // they are in several files
		{"etl.py:6", "etl.py:6", ""},
		{"", "", ""},
		{"etl.py:21-22", "etl.py:21", "etl.py:22"},
	}, got)
	require.Equal(t, []string{"map at etl.py:21", "map at etl.py:22 #2"}, []string{s.Queries[5].Operators[0].Name, s.Queries[5].Operators[1].Name})
	require.Equal(t, "Scan", s.Queries[0].Operators[1].Name)
}
