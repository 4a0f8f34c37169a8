//go:build e2e

package e2e

import (
	"strings"
	"testing"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// partsOf are the parts that operators of a kind have, by the beginning of their names.
var partsOf = map[string][]string{
	"ShuffledHashJoin": {"build", "probe"}, "HashAggregate": {"insert", "output"}, "Sort ": {"sort", "merge"}, "Exchange": {"write", "read"},
}

// checkParts holds the label part of a run's samples against the methods in their stacks, and asks
// for all parts of joins, aggregates, sorts and exchanges.
func checkParts(t *testing.T, p *profile.Profile) {
	t.Helper()
	got := map[string]map[string]int64{}
	for _, s := range p.Sample {
		name, part := label(s, "operator_name"), label(s, "part")
		kind := ""
		for k := range partsOf {
			if strings.HasPrefix(name, k) {
				kind = k
			}
		}
		if kind == "" {
			if !strings.HasPrefix(name, "Broadcast") { // which is written and read
				assert.Empty(t, part, "%s is no operator of parts", name)
			}
			continue
		}
		if got[kind] == nil {
			got[kind] = map[string]int64{}
		}
		got[kind][part] += s.Value[1]
		switch called := belowOperator(s); {
		case strings.Contains(called, "InterpreterRuntime::resolve"): // the first call of a line, which is not in the stack yet
		case kind == "ShuffledHashJoin":
			assert.Equal(t, strings.Contains(called, "ShuffledHashJoinExec.buildHashedRelation"), part == "build", "%s: %s", part, called)
		case kind == "Sort " && (strings.Contains(called, "UnsafeExternalRowSorter.insertRow") || strings.Contains(called, "UnsafeExternalRowSorter.sort")):
			assert.Equal(t, "sort", part, called)
		case kind == "Exchange" && part != "":
			assert.Contains(t, name, " ("+part+")")
		}
	}
	for kind, parts := range partsOf {
		sum := int64(0)
		for _, nanos := range got[kind] {
			sum += nanos
		}
		for _, part := range parts {
			assert.Positive(t, got[kind][part], "%s of %s: %v", part, kind, got[kind])
		}
		require.Positive(t, sum, kind)
		told := got[kind][parts[0]] + got[kind][parts[1]]
		assert.Greater(t, float64(told)/float64(sum), 0.9, "%s: %v", kind, got[kind])
	}
}

// belowOperator are the functions of a stack below the operator's frame, leaf first.
func belowOperator(s *profile.Sample) string {
	var names []string
	for _, l := range s.Location {
		name := l.Line[0].Function.Name
		if name == label(s, "operator_name") {
			break
		}
		names = append(names, name)
	}
	return strings.Join(names, " < ")
}
