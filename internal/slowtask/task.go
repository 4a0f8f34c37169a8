package slowtask

import (
	"time"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/skew"
)

func millis(ms int64) time.Duration { return time.Duration(ms) * time.Millisecond }

// Task returns a task as the judge takes it. originMS is the origin of its times, in milliseconds
// since 1970. queued is how long its thread waited for a core, 0 if not known.
func Task(t *pipeline.TaskTimes, originMS int64, queued time.Duration) skew.Task {
	return skew.Task{
		RunQueue: queued,
		Host:     t.Host, Succeeded: t.Succeeded, Start: millis(t.LaunchedMS - originMS), End: millis(t.FinishedMS - originMS),
		Run: millis(t.RunMS), CPU: time.Duration(t.CPUNanos), GC: millis(t.GCMS), FetchWait: millis(t.FetchWaitMS),
		Serde: millis(t.DeserializeMS + t.SerializeMS), RowsIn: t.InputRows + t.ShuffleReadRows, BytesIn: t.InputBytes + t.ShuffleReadBytes,
		RowsOut: max(t.OutputRows+t.ShuffleWriteRows, t.OperatorRows),
	}
}

// Dwell returns a dwell as the judge takes it.
func Dwell(d *pipeline.Dwell) skew.Dwell {
	return skew.Dwell{Net: wholeNet(d), Wall: wallOf(d), Reading: millis(d.ReadingMS), Records: d.Records, Batch: d.Batch, Key: d.Kind == pipeline.DwellKey}
}

func wallOf(d *pipeline.Dwell) time.Duration { return time.Duration(d.End - d.Begin) }

// wholeNet estimates the net time of a whole dwell. NetMS is from the second look on, which may be
// half a second after the dwell began. The same share of the whole dwell counts.
func wholeNet(d *pipeline.Dwell) time.Duration {
	known := d.NetMS + d.GCMS + d.QueueMS
	if known <= 0 {
		return 0
	}
	return time.Duration(wallOf(d).Seconds() * float64(d.NetMS) / float64(known) * float64(time.Second))
}
