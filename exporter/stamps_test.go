package exporter

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestStamps(t *testing.T) {
	s := newStamps()
	at := time.Unix(7, 3_000_500)
	take := func(series string, at time.Time) time.Time {
		got, unsettled := s.take(pushed{series: series, at: at.UnixNano()})
		assert.False(t, unsettled)
		return got
	}
	assert.Equal(t, at, take("a", at))
	assert.Equal(t, at.Add(time.Millisecond), take("a", at))
	assert.Equal(t, at.Add(2*time.Millisecond), take("a", at.Add(time.Millisecond)))
	assert.Equal(t, at, take("b", at), "another series")
	assert.Equal(t, at.Add(3*time.Millisecond+100), take("a", at.Add(100)), "the same millisecond")
	for i := range 2 * stampMemory {
		take("c", at.Add(time.Duration(i)*time.Second))
	}
	assert.Len(t, s.used, stampMemory)
	assert.Equal(t, at, take("a", at), "long forgotten")
}

func TestWaitingPartKeepsItsTime(t *testing.T) {
	s := newStamps()
	at := time.Unix(7, 0)
	part, other := pushed{"a", at.UnixNano(), 2, 30}, pushed{"a", at.UnixNano(), 2, 31}
	first, _ := s.take(part)
	s.keep(part, first, true)
	second, unsettled := s.take(other)
	assert.False(t, unsettled)
	assert.Equal(t, at.Add(time.Millisecond), second, "another part of the window")
	got, unsettled := s.take(part)
	assert.True(t, unsettled)
	assert.Equal(t, at, got)
	for i := range stampMemory + 1 {
		s.keep(pushed{"b", int64(i), 1, 1}, at, false)
	}
	assert.Len(t, s.waiting, stampMemory)
}
