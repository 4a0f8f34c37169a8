//go:build e2e && matrix

package e2e

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "TestPlainResults writes the golden results from the newest Spark")

// TestMatrix runs queries under planflame on both lines of Spark and every Java, in one JVM and
// with executors of their own. Each cell must give the results that a plain Spark gives, attribute
// its CPU and lose nothing. Where Spark itself does not run, planflame must not stand in the way of
// its message.
func TestMatrix(t *testing.T) {
	var cells []cell
	for _, s := range []spark{sparkOld(t), sparkNewest(t)} {
		for _, java := range allJDKs {
			cells = append(cells, cell{s, java, false}, cell{s, java, true})
		}
	}
	said := make([]string, len(cells))
	t.Cleanup(func() { // when the last cell has ended
		var table strings.Builder
		for i, c := range cells {
			fmt.Fprintf(&table, "\n%-40s %s", c, cmp.Or(said[i], "not asked for"))
		}
		t.Log(table.String())
	})
	for i, c := range cells {
		t.Run(c.String(), func(t *testing.T) {
			t.Parallel()
			said[i] = "FAILED, see above"
			line := c.check(t, user{uid: -1})
			t.Log(line)
			if !t.Failed() {
				said[i] = line
			}
		})
	}
}

// TestPlainResults holds the golden results, which every other test compares with, against both
// lines of Spark without planflame.
func TestPlainResults(t *testing.T) {
	u := user{uid: -1}
	for _, s := range []spark{sparkNewest(t), sparkOld(t)} {
		t.Run("spark-"+s.version, func(t *testing.T) {
			concurrent := startJob(t, s, u, jobSpec{data: "sf0.01"}).wait(t)
			sessions := runSessions(t, s, u, sessionsSpec{plain: true, shape: "code"}).rows
			tpch := runTPCH(t, s, u, tpchSpec{plain: true, queries: allQueries, repeat: "1"}).results
			if *update && s == sparkNewest(t) {
				require.NoError(t, os.MkdirAll(filepath.Dir(goldenTPCH), 0o755))
				b, err := json.MarshalIndent(tpch, "", " ")
				require.NoError(t, err)
				require.NoError(t, os.WriteFile(goldenTPCH, append(b, '\n'), 0o644))
				require.NoError(t, os.WriteFile(goldenConcurrent, []byte(concurrent), 0o644))
				require.NoError(t, os.WriteFile(goldenSessions, []byte(strings.Join(sessions, "\n")+"\n"), 0o644))
			}
			assert.Equal(t, plainResults(t), concurrent)
			assert.Equal(t, plainSessions(t), sessions)
			assert.Equal(t, plainTPCH(t, allQueries), tpch)
		})
	}
}
