//go:build e2e

package e2e

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What jobs return without planflame; testdata/README.md says where it is from. TestPlainResults
// (make test-matrix) asks Spark again.
const (
	goldenConcurrent = "testdata/concurrent_sf0.01.txt" // testdata/concurrent.py's
	goldenSessions   = "testdata/sessions_sf0.01.txt"   // test/jobs/sessions.py's, each row sessionsTimes times
	goldenTPCH       = "testdata/tpch_sf0.3.json"       // test/jobs/tpch.py's, all queries
)

// allQueries are TPC-H's.
const allQueries = "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22"

// plainResults are the concurrent job's results without planflame.
func plainResults(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(goldenConcurrent)
	require.NoError(t, err)
	return string(b)
}

// plainSessions are the lines that the two queries of a session print without planflame.
func plainSessions(t *testing.T) []string {
	t.Helper()
	b, err := os.ReadFile(goldenSessions)
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(string(b)), "\n")
}

// plainTPCH are the hashes of what these queries return at scale 0.3 without planflame.
func plainTPCH(t *testing.T, queries string) map[string]string {
	t.Helper()
	var all map[string]string
	readJSON(t, goldenTPCH, &all)
	out := map[string]string{}
	for q := range strings.SplitSeq(queries, ",") {
		require.NotEmpty(t, all["q"+q], "%s has no query %s", goldenTPCH, q)
		out["q"+q] = all["q"+q]
	}
	return out
}
