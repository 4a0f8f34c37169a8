package main

import (
	"context"
	"time"
)

// stretch is a time over which a Collector was watched.
type stretch struct {
	from, to time.Time
	cpu      time.Duration
	samples  float64
}

func (s stretch) wall() time.Duration { return s.to.Sub(s.from) }

// beyond is the CPU of a sample in microseconds beyond what the Collector uses while nothing runs,
// in CPU by time.
func (s stretch) beyond(idle float64) float64 {
	return (s.cpu.Seconds() - idle*s.wall().Seconds()) * 1e6 / s.samples
}

// idling is how long the Collector is watched while nothing runs.
const idling = time.Minute

// split waits until what ran has been told, watches the idle Collector with that pid, and takes
// what it uses then off a stretch in which queries ran.
func (c *collectorCost) split(ctx context.Context, pid int, warm stretch) error {
	if err := pause(ctx, settling); err != nil {
		return err
	}
	idle, err := idleMillis(ctx, pid)
	if err != nil {
		return err
	}
	c.Idle, c.Beyond = idle, warm.beyond(idle/1e3)
	return nil
}

// pause waits, unless ctx ends before.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
