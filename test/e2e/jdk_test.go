//go:build e2e

package e2e

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// newestJDK is the newest Java that planflame supports; the oldest is what Spark 4 needs at least.
const (
	oldestJDK = "17"
	newestJDK = "25"
)

// javaHome is the home of a JDK of that version on this machine that can run every Spark.
func javaHome(t *testing.T, major string) string {
	t.Helper()
	var stderr strings.Builder
	cmd := exec.CommandContext(t.Context(), filepath.Join(root(t), "scripts", "find-java"), major)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		lacks(t, "Java "+major+": "+strings.TrimSpace(stderr.String()))
	}
	return strings.TrimSpace(string(out))
}
