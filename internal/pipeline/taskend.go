package pipeline

import (
	"time"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// taskEnd is a task that ended, with what its thread's clocks say.
type taskEnd struct {
	task                   *Task
	executorCPU, gc        time.Duration // Spark's
	cpu, system, unsampled time.Duration
	failed                 bool
	sampled                bool
	based                  bool // the base clock ran on its thread
}

// account reads the thread's clocks: see the package comment for what belongs to a task.
func (end *taskEnd) account(th *thread, e jvmlog.TaskEvent) {
	now := clocksOf(e)
	end.sampled = th.slot.PerfErrno == 0
	end.based = th.slot.BasePeriodNS != 0 || th.slot.DetailPeriodNS == 0
	if !th.seen {
		// Neither the task's start nor anything before it was seen: Spark's own figure is all there
		// is.
		end.cpu = time.Duration(e.ExecutorCPUNanos + e.ExecutorDeserializeNanos)
		return
	}
	end.cpu = time.Duration(sub(now.cpu, th.last.cpu))
	end.system = min(time.Duration(sub(now.system, th.last.system)), end.cpu)
	if !end.based {
		end.unsampled = end.outside()
		return
	}
	if at := th.slot.CPUNanosAtOpen; at > th.last.cpu && at <= now.cpu {
		system := sub(th.opened.system, th.last.system)
		end.unsampled = min(time.Duration(sub(at-th.last.cpu, system)), end.cpu-end.system)
	}
}

// outside is user CPU from the end of the task before to the start of this one, and after Spark's
// own clock of it. Only a detail clock could run there, and it does not. The start has no reading
// of the thread's clock: it is what Spark's does not have, and has its part of the kernel's time.
func (end *taskEnd) outside() time.Duration {
	if end.cpu <= 0 {
		return 0
	}
	rest := sub(uint64(end.cpu), uint64(end.executorCPU))
	return time.Duration(float64(end.cpu-end.system) * float64(rest) / float64(end.cpu))
}

// sub is a - b, or 0 where a clock went back.
func sub(a, b uint64) uint64 {
	if a < b {
		return 0
	}
	return a - b
}
