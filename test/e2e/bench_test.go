//go:build e2e

package e2e

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestBenchHarnesses compiles the Java of the benches against the plugin and both lines of Spark,
// as the benches do before they begin. Benches run for long and seldom: without this a change of
// the plugin is not known to break one until somebody measures.
func TestBenchHarnesses(t *testing.T) {
	t.Parallel()
	plugin := built(t, "plugin", "planflame-spark.jar")
	var sources []string
	for _, bench := range []string{"accuracy", "lines", "overhead", "phases", "records"} {
		found, err := filepath.Glob(filepath.Join(root(t), "bench", bench, "harness/io/planflame/*/*.java"))
		require.NoError(t, err)
		require.NotEmpty(t, found, bench)
		sources = append(sources, found...)
	}
	for _, s := range []spark{sparkOld(t), sparkNewest(t)} { // a start of javac reads all jars of a Spark
		said, err := exec.Command("javac", append([]string{"-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-nowarn", "-proc:none", "-d", t.TempDir(), "-cp", plugin + ":" + filepath.Join(s.home(t), "jars", "*")}, sources...)...).CombinedOutput()
		assert.NoError(t, err, "on Spark %s:\n%s", s.version, said)
	}
}

// TestLineOracle lets the oracle of bench-attribution judge the code of TPC-H. Its harness reads
// the plugin's plans in their own form, which a compiler does not check.
func TestLineOracle(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out := filepath.Join(dir, "lines.json")
	cmd := exec.Command("go", "run", "./bench/lines", "-spark", sparkNewest(t).venv, "-data", filepath.Join(root(t), "build", "tpch", "sf0.01"),
		"-sets", "tpch", "-hz", "0", "-warmup", "0", "-passes", "1", "-mutations", "1", "-work", dir, "-out", out)
	cmd.Dir = root(t)
	said, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", said)
	var got struct {
		Sets map[string]struct {
			Statements int
			Lines      struct{ Right, Wrong, Disputed int }
		}
	}
	readJSON(t, out, &got)
	tpch := got.Sets["tpch"]
	assert.Equal(t, 22, tpch.Statements)
	assert.Greater(t, tpch.Lines.Right, 9000)
	assert.Zero(t, tpch.Lines.Wrong+tpch.Lines.Disputed)
}
