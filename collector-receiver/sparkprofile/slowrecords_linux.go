package sparkprofile

import (
	"cmp"
	"fmt"
	"time"

	"go.opentelemetry.io/collector/pdata/plog"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/internal/slowtask"
)

// leastRecord is how long a task must stand at a record. The plugin writes what took 0.1 s, which
// no one wants to read of a fleet. A choice.
const leastRecord = 500 * time.Millisecond

// slowRecords returns the dwells at records that cost much more than the others of their task.
func slowRecords(dwells []pipeline.Dwell) (out []*pipeline.Dwell) {
	told := slowtask.Told(dwells)
	for i := range told {
		if judged := slowtask.Dwell(&told[i]); told[i].IsRecord() && judged.Net >= leastRecord {
			out = append(out, &told[i])
		}
	}
	return out
}

// slowRecord tells of a slow record.
func slowRecord(r plog.LogRecord, d *pipeline.Dwell) {
	first, last := d.Span()
	where, inFile := "the partition", d.File != "" && !d.Shuffle
	switch {
	case inFile:
		first, last = d.FileSpan()
		where = fmt.Sprintf("%s +%d", d.File, d.FileStart)
	case d.Python:
		where = "the rows from Python"
	case d.Shuffle:
		where = "those read of shuffles"
	}
	what := fmt.Sprintf("Record %d", first)
	if last != first {
		what = fmt.Sprintf("Records %d to %d", first, last)
	}
	took := time.Duration(d.End - d.Begin).Seconds()
	r.Body().SetStr(fmt.Sprintf("%s of %s took %.3g s in task %d of stage %d, partition %d of %s", what, where, took, d.Task, d.Stage, d.Partition,
		cmp.Or(d.QueryName, d.Query, noQuery)))
	a := r.Attributes()
	putTexts(a, pair{semconv.QueryFingerprint, d.Query}, pair{semconv.QueryName, d.QueryName}, pair{semconv.QueryPlan, d.Plan}, pair{semconv.OperatorName, d.Operator})
	taskIDs{d.Execution, d.Stage, d.StageAttempt, d.Task, d.Partition}.put(a)
	a.PutDouble(semconv.RecordDuration, took)
	a.PutDouble(semconv.RecordCPU, float64(d.CPUMS)/1e3)
	a.PutInt(semconv.RecordFirst, first)
	a.PutInt(semconv.RecordLast, last)
	a.PutBool(semconv.RecordShuffle, d.Shuffle)
	if inFile {
		putTexts(a, pair{semconv.RecordFile, d.File}, pair{semconv.RecordPath, d.Path})
		a.PutInt(semconv.RecordOffset, d.FileStart)
	}
	frames := a.PutEmptySlice(semconv.RecordFrames)
	for _, frame := range d.Frames {
		frames.AppendEmpty().SetStr(frame)
	}
}
