package sparkprofile

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
)

// percent is the process's GC percentage.
func percent() int {
	p := debug.SetGCPercent(100)
	debug.SetGCPercent(p)
	return p
}

func TestGarbageIsCollectedSooner(t *testing.T) {
	before := percent()
	t.Cleanup(func() { debug.SetGCPercent(before) })
	debug.SetGCPercent(137)
	restore := collectSooner(func(string) string { return "" })
	assert.Equal(t, gcPercent, percent())
	restore()
	assert.Equal(t, 137, percent())
}

func TestTheEnvironmentDecidesWhenGarbageIsCollected(t *testing.T) {
	before := percent()
	t.Cleanup(func() { debug.SetGCPercent(before) })
	debug.SetGCPercent(137)
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		restore := collectSooner(func(asked string) string { return map[string]string{name: "70"}[asked] })
		assert.Equal(t, 137, percent(), name)
		debug.SetGCPercent(139)
		restore()
		assert.Equal(t, 139, percent(), "%s: what was not changed is not restored", name)
		debug.SetGCPercent(137)
	}
}
