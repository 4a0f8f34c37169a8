//go:build e2e

package e2e

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/test/cells"
)

// checkCells holds the results of a run against its recording. No row is wider than 80 columns, no
// two of a query are alike, and none is without a name. No generated class has the name of another,
// and no sample is in a stage that its node does not run in.
func checkCells(t *testing.T, out string) {
	t.Helper()
	checkTable(t, out)
	facts, err := cells.Read(filepath.Join(out, "recording"))
	require.NoError(t, err)
	parsed := parsedProfile(t, out)
	require.Greater(t, cells.Generated(parsed), 5, "generated classes in the profile")
	assert.Empty(t, facts.Merged(parsed))
	samples, foreign := facts.Foreign(parsed)
	require.Greater(t, samples, int64(50), "samples of operators")
	assert.Empty(t, foreign, "of %d samples, the ones in stages that do not run their operator", samples)
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
