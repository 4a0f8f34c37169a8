package pipeline

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// A slice counts by the part of it that is asked for, and makes room for the one that needs its
// place. What comes for an older one is too late.
func TestRecentCPU(t *testing.T) {
	var r recentCPU
	const first = 1000 * cpuSlice
	r.add(first, 4)
	r.add(first+cpuSlice/2, 4)
	r.add(first+cpuSlice, 16)
	assert.Equal(t, time.Duration(24), r.since(first))
	assert.Equal(t, time.Duration(2+16), r.since(first+cpuSlice*3/4))
	assert.Equal(t, time.Duration(16), r.since(first+cpuSlice))
	assert.Zero(t, r.since(first+2*cpuSlice))
	next := first + jvmlog.MonoTime(len(r))*cpuSlice
	r.add(next, 32)
	r.add(first, 64)
	assert.Equal(t, time.Duration(16+32), r.since(first))
	assert.Greater(t, time.Duration(len(r))*time.Duration(cpuSlice), defaultHold+defaultPlanWait)
}
