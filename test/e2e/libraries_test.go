//go:build e2e

package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/assert"
)

// checkLibraries looks at native libraries on task threads: their frames carry the library's name
// and stand under the operator that calls them. Kernel time has a bucket of its own where it has no
// samples.
func checkLibraries(t *testing.T, run tpchRun, u user) {
	t.Helper()
	p := parsedProfile(t, run.out)
	libraries, kernel := map[string]float64{}, 0.0
	var compressed, placed float64
	for _, s := range p.Sample {
		if label(s, "group") != "" {
			continue
		}
		cpu, op := float64(s.Value[1])/1e9, label(s, "operator")
		if op == "[kernel (not sampled)]" {
			kernel += cpu
		}
		for file := range librariesOf(s) {
			libraries[file] += cpu
			if strings.Contains(file, "zstd") || strings.Contains(file, "lz4") || strings.Contains(file, "snappy") {
				compressed += cpu
				if !strings.HasPrefix(op, "[") {
					placed += cpu
				}
			}
		}
	}
	t.Logf("CPU under libraries: %v; codecs %.3f s, of operators %.3f s; kernel apart %.3f s", libraries, compressed, placed, kernel)
	assert.Positive(t, libraries["libjvm.so"])
	assert.Positive(t, compressed, "parquet and shuffles are compressed")
	assert.GreaterOrEqual(t, placed, 0.9*compressed, "codecs work for operators")
	if u.uid == 0 {
		assert.Zero(t, kernel, "kernel time is sampled")
	} else {
		assert.Positive(t, kernel, "kernel time has its bucket")
	}
}

// librariesOf are the file names of the native libraries in a sample's stack.
func librariesOf(s *profile.Sample) map[string]bool {
	seen := map[string]bool{}
	for _, l := range s.Location {
		if file := filepath.Base(l.Line[0].Function.Filename); strings.Contains(file, ".so") {
			seen[file] = true
		}
	}
	return seen
}
