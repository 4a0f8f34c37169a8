package columns

import (
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/tasksample"
)

// laneKey is a thread of a JVM.
type laneKey struct {
	jvm sampler.JVMID
	tid uint32
}

// attemptOf says which stage and execution an attempt is of.
type attemptOf struct {
	jvm       sampler.JVMID
	stage     tasksample.StageID
	attempt   tasksample.StageAttempt
	execution tasksample.ExecutionID
}

// taskBook are the attempts while they gather; the first is none.
type taskBook struct {
	TaskRows
	by      map[taskKey]uint32
	of      []attemptOf
	lanes   map[laneKey]int32
	threads []laneKey // by number; the first is none
	names   []string
}

func newTaskBook() taskBook {
	b := taskBook{by: map[taskKey]uint32{}, lanes: map[laneKey]int32{}, threads: make([]laneKey, 1), names: make([]string, 1)}
	b.add(taskKey{}, &pipeline.Task{ID: None, Stage: None, Partition: None, Execution: None}, 0)
	clear(b.by)
	b.Lane[0] = 0
	return b
}

// add adds an attempt that has not ended.
func (b *taskBook) add(key taskKey, of *pipeline.Task, start uint32) uint32 {
	n := uint32(len(b.ID))
	b.by[key] = n
	thread := laneKey{key.jvm, of.TID}
	lane, known := b.lanes[thread]
	if !known && n > 0 {
		lane = int32(len(b.threads))
		b.lanes[thread] = lane
		b.threads, b.names = append(b.threads, thread), append(b.names, "")
	}
	b.of = append(b.of, attemptOf{key.jvm, of.Stage, of.StageAttempt, of.Execution})
	b.ID = append(b.ID, float64(of.ID))
	b.Partition, b.Try, b.Lane = append(b.Partition, int32(of.Partition)), append(b.Try, int32(of.Attempt)), append(b.Lane, lane)
	b.Start, b.End = append(b.Start, start), append(b.End, start)
	b.CPUNanos, b.SystemNanos, b.UnsampledNanos = append(b.CPUNanos, 0), append(b.SystemNanos, 0), append(b.UnsampledNanos, 0)
	b.GCMillis = append(b.GCMillis, 0)
	flags := uint8(TaskOpen)
	if of.Selected {
		flags |= TaskSelected
	}
	if of.LeftOut {
		flags |= TaskLeftOut
	}
	b.Flags = append(b.Flags, flags)
	return n
}

// named notes the name of an attempt's thread.
func (b *taskBook) named(n uint32, thread string) {
	if lane := b.Lane[n]; b.names[lane] == "" {
		b.names[lane] = thread
	}
}

// end takes the end of an attempt.
func (b *taskBook) end(n uint32, t *pipeline.TaskCPU, at uint32) {
	b.End[n] = at
	b.CPUNanos[n], b.SystemNanos[n], b.UnsampledNanos[n] = float64(t.CPU), float64(t.System), float64(t.Unsampled)
	b.GCMillis[n] = uint32(t.GC.Milliseconds())
	b.Flags[n] &^= TaskOpen
	if t.Failed {
		b.Flags[n] |= TaskFailed
	}
}

// endOpen lets attempts whose end was not seen end with the recording.
func (b *taskBook) endOpen(span uint32) {
	for n := 1; n < len(b.End); n++ {
		if b.Flags[n]&TaskOpen != 0 {
			b.End[n] = span
		}
	}
}
