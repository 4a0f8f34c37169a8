package jvmlog

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestUntilTick(t *testing.T) {
	const interval = 250 * time.Millisecond
	for now, want := range map[MonoTime]time.Duration{
		0:                250 * time.Millisecond, // of a tick the next one is meant
		1:                250*time.Millisecond - 1,
		1_100_000_000:    150 * time.Millisecond,
		1_249_999_999:    1,
		1_250_000_000:    250 * time.Millisecond,
		^MonoTime(0) - 1: interval - time.Duration((^uint64(0)-1)%uint64(interval)),
	} {
		assert.Equal(t, want, untilTick(now, interval), "at %d", now)
	}
	for range 100 {
		got := UntilTick(interval)
		assert.Positive(t, got)
		assert.LessOrEqual(t, got, interval)
	}
}
