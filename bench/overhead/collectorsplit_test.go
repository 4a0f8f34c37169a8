package main

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestWhatSamplesCostBeyondAnIdleCollector(t *testing.T) {
	s := stretch{from: time.Unix(10, 0), to: time.Unix(40, 0), cpu: 600 * time.Millisecond, samples: 5000}
	assert.InDelta(t, 120, s.beyond(0), 1e-9, "all of it")
	assert.InDelta(t, 102, s.beyond(0.003), 1e-9, "3 ms a second are 90 ms")
}

func TestPauseEndsWithItsContext(t *testing.T) {
	assert.NoError(t, pause(context.Background(), 0))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	assert.ErrorIs(t, pause(ctx, time.Hour), context.Canceled)
}
