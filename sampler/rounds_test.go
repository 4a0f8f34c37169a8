package sampler

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/procfs"
)

// The next drain may be late only where no ring fills, no stack goes on beyond its copy, and no task waits for its detail clock; and never so late
// that the lease is lost.
func TestDrainsAreLateWhereNothingIsLost(t *testing.T) {
	const detail = 5 * time.Millisecond
	for name, c := range map[string]struct {
		settings Settings
		jvm      *jvm
		want     time.Duration
	}{
		"nothing runs":                    {Settings{}, &jvm{}, 2 * DefaultDrainInterval},
		"a ring fills":                    {Settings{}, &jvm{rings: rings{fullest: 0.3}}, DefaultDrainInterval},
		"a ring is nearly empty":          {Settings{}, &jvm{rings: rings{fullest: 0.2}}, 2 * DefaultDrainInterval},
		"a deep stack":                    {Settings{}, &jvm{rings: rings{deep: true}}, DefaultDrainInterval},
		"a deep stack a moment ago":       {Settings{}, &jvm{rings: rings{lately: true}}, DefaultDrainInterval},
		"detail clocks are switched here": {Settings{DetailPeriod: detail}, &jvm{info: JVM{Mode: ModePrivileged}}, DefaultDrainInterval},
		"by the agent":                    {Settings{DetailPeriod: detail}, &jvm{info: JVM{Mode: ModeSelfOpened}}, 2 * DefaultDrainInterval},
		"they are always on":              {Settings{BasePeriod: NoBase, DetailPeriod: detail}, &jvm{info: JVM{Mode: ModePrivileged}}, 2 * DefaultDrainInterval},
		"the lease needs a sign of life":  {Settings{DrainInterval: 700 * time.Millisecond}, &jvm{}, time.Second},
		"that is late already":            {Settings{DrainInterval: 2 * time.Second}, &jvm{}, 2 * time.Second},
	} {
		s := idle(t)
		s.settings = c.settings.withDefaults()
		c.jvm.settings = s.settings
		s.jvms[procfs.Identity{PID: 7}] = c.jvm
		assert.Equal(t, c.want, s.drainInterval(), name)
	}
}

func TestSamplesThatCannotWaitBringTheRound(t *testing.T) {
	for name, c := range map[string]struct {
		rings *rings
		want  bool
	}{
		"none":                         {&rings{}, false},
		"a few":                        {&rings{held: heldSamples{bytes: mostWaitingBytes}}, false},
		"many":                         {&rings{held: heldSamples{bytes: mostWaitingBytes + 1}}, true},
		"a stack goes on in memory":    {&rings{deep: true}, true},
		"one did before the last take": {&rings{lately: true}, false},
	} {
		assert.Equal(t, c.want, c.rings.urgent(), name)
	}
}

func TestLogFill(t *testing.T) {
	for name, c := range map[string]struct {
		read uint64
		h    jvmlog.Header
		want float64
	}{
		"nothing is new":            {900, jvmlog.Header{RecordsBytes: 100, RecordsCommitted: 900}, 0},
		"a quarter waits":           {900, jvmlog.Header{RecordsBytes: 100, RecordsCommitted: 925}, 0.25},
		"it cannot hold more":       {900, jvmlog.Header{RecordsBytes: 100, RecordsCommitted: 1900}, 1},
		"read since the header was": {950, jvmlog.Header{RecordsBytes: 100, RecordsCommitted: 925}, 0},
		"no log":                    {0, jvmlog.Header{RecordsCommitted: 5}, 0},
	} {
		assert.InDelta(t, c.want, (&jvm{nextRecord: c.read}).logFill(&c.h), 1e-9, name)
	}
}

// The most that a log has held since somebody asked is told once.
func TestLogFillBeginsAnewWhenAskedFor(t *testing.T) {
	s := idle(t)
	for _, fill := range []float64{0.5, 0.25} {
		s.counts.LogFill = fill
		s.publish()
	}
	assert.InDelta(t, 0.5, s.Totals().LogFill, 1e-9)
	assert.Zero(t, s.Totals().LogFill)
	s.counts.LogFill = 0.125
	s.publish()
	assert.InDelta(t, 0.125, s.Totals().LogFill, 1e-9)
}
