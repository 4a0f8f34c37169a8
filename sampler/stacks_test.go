package sampler

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// Code runs before its record is written: a sample waits for it, in all its frames for settling and
// in its leaf for two rounds more.
func TestSamplesWaitForTheirCode(t *testing.T) {
	const known, unknown = 0x10100, 0x10200
	const ms = jvmlog.MonoTime(time.Millisecond)
	var j jvm
	j.code.apply(&jvmlog.CodeHeap{Low: 0x10000, High: 0x20000})
	j.code.apply(&jvmlog.CodeLoad{Address: known, Size: 0x100, Method: 1})
	for name, c := range map[string]struct {
		sample heldSample
		rounds []bool // at 100, 130, 160 and 190 ms
	}{
		"its callers may be new":        {heldSample{time: 90 * ms, ip: known}, []bool{true, false, false, false}},
		"30 ms old":                     {heldSample{time: 70 * ms, ip: known}, []bool{false, false, false, false}},
		"29 ms old":                     {heldSample{time: 71 * ms, ip: known}, []bool{true, false, false, false}},
		"of after the rings were read":  {heldSample{time: 101 * ms, ip: known}, []bool{true, true, false, false}},
		"deep":                          {heldSample{time: 90 * ms, ip: known, deep: true}, []bool{false, false, false, false}},
		"deep, in code that is unknown": {heldSample{time: 90 * ms, ip: unknown, deep: true}, []bool{true, true, false, false}},
		"in code that is unknown":       {heldSample{time: 90 * ms, ip: unknown}, []bool{true, true, true, false}},
		"beside all code":               {heldSample{time: 50 * ms, ip: 0x30000}, []bool{false, false, false, false}},
	} {
		var got []bool
		for i := range c.rounds {
			got = append(got, j.waits(&c.sample, (100+30*jvmlog.MonoTime(i))*ms))
		}
		assert.Equal(t, c.rounds, got, name)
	}
	assert.True(t, j.waits(&heldSample{time: 500 * ms, ip: unknown}, 1000*ms))
	assert.False(t, j.waits(&heldSample{time: 499 * ms, ip: unknown}, 1000*ms), "more than half a second old")
}
