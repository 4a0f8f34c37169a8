package exporter

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestStamps(t *testing.T) {
	s := newStamps()
	at := time.Unix(7, 3_000_500)
	assert.Equal(t, at, s.take("a", at))
	assert.Equal(t, at.Add(time.Millisecond), s.take("a", at))
	assert.Equal(t, at.Add(2*time.Millisecond), s.take("a", at.Add(time.Millisecond)))
	assert.Equal(t, at, s.take("b", at), "another series")
	assert.Equal(t, at.Add(3*time.Millisecond+100), s.take("a", at.Add(100)), "the same millisecond")
	for i := range 2 * stampMemory {
		s.take("c", at.Add(time.Duration(i)*time.Second))
	}
	assert.Len(t, s.used, stampMemory)
	assert.Equal(t, at, s.take("a", at), "long forgotten")
}
