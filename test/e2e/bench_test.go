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
