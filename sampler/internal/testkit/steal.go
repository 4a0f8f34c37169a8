package testkit

import (
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"
)

// Steal measures how much of this machine the hypervisor takes away while a test runs. Meanwhile
// perf's task clock runs on and a thread's own clock does not, so there are more samples than CPU.
// Timers that come late skip periods, so there are fewer.
type Steal struct {
	began time.Time
	ticks int64
}

// StartSteal begins to measure.
func StartSteal(t testing.TB) Steal { return Steal{time.Now(), stealTicks(t)} }

// Band is what a comparison of samples × period with a thread's CPU has to allow for, as a share of
// that CPU. It is three times the share that was stolen since the start: a test's tasks are shorter
// than the test and may have had more of it. 0 on a machine that shares its cores with no one.
func (s Steal) Band(t testing.TB) float64 {
	const tick = 10 * time.Millisecond // USER_HZ, proc(5)
	now := stealTicks(t)
	stolen := time.Duration(now-s.ticks) * tick
	if now > 0 {
		stolen += tick // what is told is rounded down
	}
	return 3 * stolen.Seconds() / (time.Since(s.began).Seconds() * float64(runtime.NumCPU()))
}

// stealTicks is field steal of /proc/stat.
func stealTicks(t testing.TB) int64 {
	t.Helper()
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		t.Fatal(err)
	}
	var user, nice, system, idle, iowait, irq, softirq, steal int64
	if _, err := fmt.Sscanf(string(stat), "cpu %d %d %d %d %d %d %d %d", &user, &nice, &system, &idle, &iowait, &irq, &softirq, &steal); err != nil {
		t.Fatalf("/proc/stat: %v", err)
	}
	return steal
}
