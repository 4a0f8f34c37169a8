package pipeline

import (
	"time"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// recentCPU is the CPU that the samples stand for which were delivered lately, by their times. The
// zero value is ready.
type recentCPU [256]struct {
	at  uint64 // in slices of time; 0: none
	cpu time.Duration
}

// cpuSlice is a slice of time of recentCPU, which has more of them than a sample may wait.
const cpuSlice = jvmlog.MonoTime(64 * time.Millisecond)

func (r *recentCPU) add(t jvmlog.MonoTime, cpu time.Duration) {
	at := uint64(t / cpuSlice)
	s := &r[at%uint64(len(r))]
	if s.at < at {
		s.at, s.cpu = at, 0
	}
	if s.at == at {
		s.cpu += cpu
	}
}

// since is what came from t on. Of the slice that t is in, it is t's part.
func (r *recentCPU) since(t jvmlog.MonoTime) (sum time.Duration) {
	at := uint64(t / cpuSlice)
	for i := range r {
		switch s := &r[i]; {
		case s.at > at:
			sum += s.cpu
		case s.at == at:
			sum += s.cpu * time.Duration(cpuSlice-t%cpuSlice) / time.Duration(cpuSlice)
		}
	}
	return sum
}
