package jvmlog

import "time"

// UntilTick is how long it is until the clock of Now next reads a multiple of an interval, which is
// positive: more than 0, at most the interval. Loops that wait for it fall together, and a process
// that wakes up once for two of them costs a busy node half.
func UntilTick(interval time.Duration) time.Duration { return untilTick(Now(), interval) }

func untilTick(now MonoTime, interval time.Duration) time.Duration {
	return interval - time.Duration(uint64(now)%uint64(interval))
}
