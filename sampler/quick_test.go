package sampler

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/planflame/planflame/sampler/procfs"
)

func TestWhenSlotsAreLookedAtBetweenRounds(t *testing.T) {
	now := time.Unix(1000, 0)
	for name, c := range map[string]struct {
		mode  Mode
		until time.Time
		want  bool
	}{
		"a thread came lately":                   {ModePrivileged, now.Add(time.Second), true},
		"none for a while":                       {ModePrivileged, now, false},
		"the agent opens events in time itself":  {ModeSelfOpened, now.Add(time.Second), false},
		"there are no events":                    {ModeNone, now.Add(time.Second), false},
		"nothing is known of this JVM's threads": {ModePrivileged, time.Time{}, false},
	} {
		j := &jvm{info: JVM{Mode: c.mode}, quickUntil: c.until}
		assert.Equal(t, c.want, j.hasQuick(now), name)
	}
}

// Rounds come soon until memory has agreed with the agent, but not for ever.
func TestRoundsComeSoonWhileCodeIsCompared(t *testing.T) {
	now := time.Unix(1000, 0)
	j := &jvm{due: now}
	assert.False(t, j.quick(now), "code is not read, or memory has agreed")
	j.reading.comparesUntil = now
	assert.False(t, j.quick(now), "for too long")
	j.reading.comparesUntil = now.Add(1)
	assert.True(t, j.quick(now))
	j.due = now.Add(1)
	assert.False(t, j.quick(now), "not yet")
}

func TestTheSamplerSleepsUntilTheRoundWhereNoThreadCameLately(t *testing.T) {
	s := idle(t)
	j := &jvm{info: JVM{Mode: ModePrivileged}, quickUntil: time.Now().Add(time.Hour)}
	s.jvms[procfs.Identity{PID: 7}] = j
	far := time.Now().Add(time.Minute)
	assert.WithinDuration(t, time.Now().Add(quickInterval), s.nextWake(far, far), time.Second)
	j.quickUntil = time.Time{}
	j.reading.comparesUntil = time.Now().Add(time.Hour)
	assert.WithinDuration(t, time.Now().Add(quickInterval), s.nextWake(far, far), time.Second)
	j.reading.comparesUntil = time.Time{}
	assert.Equal(t, far, s.nextWake(far, far))
	assert.Equal(t, far, s.nextWake(far.Add(-time.Second), far), "a scan waits for the drain")
	delete(s.jvms, procfs.Identity{PID: 7})
	assert.Equal(t, far.Add(time.Second), s.nextWake(far.Add(time.Second), far), "there is nothing to drain")
}
