//go:build e2e

package e2e

import (
	"fmt"
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

// findJava is the home of a JDK of that version on this machine that can run every Spark.
func findJava(t *testing.T, major string) (string, error) {
	t.Helper()
	var stderr strings.Builder
	cmd := exec.CommandContext(t.Context(), filepath.Join(root(t), "scripts", "find-java"), major)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("Java %s: %s (%w)", major, strings.TrimSpace(stderr.String()), err)
	}
	return strings.TrimSpace(string(out)), nil
}

// javaHome is findJava's, where a test cannot do without.
func javaHome(t *testing.T, major string) string {
	t.Helper()
	home, err := findJava(t, major)
	if err != nil {
		lacks(t, err.Error())
	}
	return home
}

// javasHere are the versions that make test runs on: the oldest, which everything here needs, and the newest where there is one. What a
// machine without it leaves out, CI's too, make test-matrix and make test-churn insist on.
func javasHere(t *testing.T) []string {
	t.Helper()
	if _, err := findJava(t, newestJDK); err != nil {
		t.Logf("without %v", err)
		return []string{oldestJDK}
	}
	return []string{oldestJDK, newestJDK}
}
