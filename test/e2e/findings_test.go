//go:build e2e

package e2e

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFindings runs jobs that get findings, into a folder of their own: report without an argument tells them again.
func TestFindings(t *testing.T) {
	s, u := sparkNewest(t), user{uid: -1}
	for shape, want := range map[string][]string{
		"cpu":  {`(?s)\s+computes\s+again\s+what\s+.*\s+did:\s+the\s+same\s+\d+\s+operators,`, `(?s): Python\s+workers\s+use\s+\d+ % of its CPU`},
		"time": {`(?s), stage\s+\d+.*: skew,\s+its\s+longest\s+task\s+ran`, `(?s), stage\s+\d+.*:\s+tasks\s+held\s+slots\s+for`},
	} {
		t.Run(shape, func(t *testing.T) {
			dir := u.tempDir(t)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			run := func(args ...string) string {
				t.Helper()
				cmd := u.command(ctx, dir, built(t, "planflame"), args...)
				cmd.Env = append(cmd.Env, s.env(t, u, s.home(t))...)
				log, err := output(t, cmd)
				require.NoError(t, err, log)
				return log
			}
			log := run("run", "--", filepath.Join(s.venv, "bin", "spark-submit"), "--master", "local[2]", filepath.Join(root(t), "jobs", "findings.py"), "--shape", shape, "--out", dir)
			assert.Contains(t, log, "planflame: flame graph in the browser: planflame view\n")
			entries, err := os.ReadDir(filepath.Join(dir, "planflame-out"))
			require.NoError(t, err)
			require.Len(t, entries, 2, "the run and the link to it")
			assert.Regexp(t, `^\d{8}-\d{6}-findings-`+shape+`$`, entries[0].Name())

			table := run("report")
			for _, text := range want {
				assert.Regexp(t, text, table)
			}
			for line := range strings.Lines(table) {
				assert.LessOrEqual(t, len([]rune(strings.TrimSuffix(line, "\n"))), 80, line)
			}
		})
	}
}
