//go:build e2e

package e2e

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The Javas that planflame supports: the oldest is what Spark 4 needs at least. scripts/fetch-jre
// has each that the machine lacks.
const (
	oldestJDK = "17"
	middleJDK = "21"
	newestJDK = "25"
)

var allJDKs = []string{oldestJDK, middleJDK, newestJDK}

// javaHome is the home of a Java of that version that can run every Spark.
func javaHome(t *testing.T, major string) string {
	t.Helper()
	var stderr strings.Builder
	cmd := exec.CommandContext(t.Context(), filepath.Join(root(t), "scripts", "find-java"), major)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	return strings.TrimSpace(string(out))
}
