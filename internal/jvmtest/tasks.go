package jvmtest

import (
	"time"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// Clocks are readings of a thread's clocks, in milliseconds.
type Clocks struct{ CPU, System uint64 }

// TaskEvent writes an event of a task of partition 3.
func (s *Script) TaskEvent(id sampler.JVMID, kind jvmlog.TaskEventKind, at jvmlog.MonoTime, tid uint32, task, stage, execution int, c Clocks) {
	n := s.Event[id]
	s.Event[id]++
	s.Sink.TaskEvent(id, jvmlog.TaskEvent{
		Index: n, Time: at, Kind: kind, TID: tid, Task: tasksample.TaskAttemptID(task), Stage: tasksample.StageID(stage), Partition: 3, Partitions: 8,
		Execution: tasksample.ExecutionID(execution), ThreadCPUNanos: c.CPU * 1e6, SystemNanos: c.System * 1e6, UserNanos: (c.CPU - c.System) * 1e6,
		InclusionProbability: 1, ExecutorCPUNanos: 7e6, ExecutorDeserializeNanos: 2e6, GCMillis: 5,
	})
}

// Sample takes a sample of 5 ms.
func (s *Script) Sample(id sampler.JVMID, at jvmlog.MonoTime, tid uint32, addrs ...uint64) {
	s.Sink.Sample(id, sampler.Sample{Time: at, TID: tid, Period: 5 * time.Millisecond, Addrs: addrs})
}

// Task runs one task on a thread of its own: cpu ms, of which one sample in the scan for each 5 ms.
func (s *Script) Task(id sampler.JVMID, from, to float64, task, stage, execution, cpu int) {
	tid := uint32(task)
	s.Sink.Thread(id, jvmlog.Thread{TID: tid, StartTime: At(from), BasePeriodNS: 5_000_000})
	s.TaskEvent(id, jvmlog.TaskStart, At(from), tid, task, stage, execution, Clocks{})
	for i := range cpu / 5 {
		s.Sample(id, At(from+(to-from)*float64(i+1)/float64(cpu/5+1)), tid, ScanCode+9)
	}
	s.TaskEvent(id, jvmlog.TaskEnd, At(to), tid, task, stage, execution, Clocks{CPU: uint64(cpu)})
}

// Thread41 opens the clocks of thread 41 of JVM 7; base is 0 or Base.
func (s *Script) Thread41(base time.Duration) {
	s.Sink.Thread(7, jvmlog.Thread{TID: 41, StartTime: 1, BasePeriodNS: uint64(base), DetailPeriodNS: uint64(Detail), Flags: jvmlog.ThreadTask})
}

// ClocksSample takes a sample of thread 41, of the clock with that period.
func (s *Script) ClocksSample(at jvmlog.MonoTime, base, period time.Duration, code uint64) {
	s.Sink.Sample(7, sampler.Sample{Time: at, TID: 41, Period: period, Base: base, Detail: Detail, Addrs: []uint64{code + 5}})
}

// TierEvent writes a task event of thread 41 with flags and π; cpu is the thread's in milliseconds.
func (s *Script) TierEvent(kind jvmlog.TaskEventKind, at jvmlog.MonoTime, task int, flags jvmlog.TaskFlags, pi float64, cpu uint64) {
	e := jvmlog.TaskEvent{Index: s.Event[7], Time: at, Kind: kind, TID: 41, Task: tasksample.TaskAttemptID(task), Stage: 6,
		Partition: tasksample.PartitionID(task), Partitions: 8, Execution: 4, ThreadCPUNanos: cpu * 1e6, Flags: flags, InclusionProbability: pi,
		ExecutorCPUNanos: 70e6}
	if flags&jvmlog.TaskByReader == 0 {
		s.Event[7]++
	} else {
		e.Index = 0
	}
	s.Sink.TaskEvent(7, e)
}
