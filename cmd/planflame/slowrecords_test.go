package main

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/cmd/planflame/internal/outcome"
	"github.com/planflame/planflame/cmd/planflame/internal/render"
	"github.com/planflame/planflame/internal/columns"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
)

func TestSlowRecords(t *testing.T) {
	var j window.JVMProfile
	require.Nil(t, slowRecords([]window.JVMProfile{j}), "no one watched")
	j.Application.ID = "app-7"
	j.Times.Watch = pipeline.Watch{Tasks: 9, Looks: 1, Explained: 2, DroppedTask: 3, DroppedMinute: 4, Failures: 5, CPUNanos: 6, ElapsedNanos: 12, FirstCPUNanos: 5, FirstElapsedNanos: 8, PeriodNanos: 4e7}
	row := pipeline.Dwell{Stage: 1, Task: 3, Kind: pipeline.DwellRecord, At: 148_211, Records: 200_000, End: 2e9, NetMS: 1500, CPUMS: 1400, ReadingMS: 2500, File: "part-00003.csv", FileFrom: 0, FileTo: 0}
	batch := row
	batch.At, batch.Batch, batch.NetMS, batch.FileFrom, batch.FileTo = 151_552, 4096, 1600, 100, 200
	next := row
	next.Kind, next.NetMS, next.File = pipeline.DwellNext, 1700, ""
	same, before := row, row
	same.ReadingMS = 400_000_000
	before.Kind = pipeline.DwellBefore
	half := pipeline.Dwell{Stage: 1, Task: 3, Kind: pipeline.DwellHalf, At: 150_000, Batch: 2000, Records: 200_000}
	j.Times.Dwells = []pipeline.Dwell{row, batch, next, same, before, half}
	got := slowRecords([]window.JVMProfile{j})
	require.Len(t, got.Records, 3)
	require.Equal(t, map[string]outcome.DwellSums{"like_others": {Count: 1, Seconds: 1.5}, "before": {Count: 1, Seconds: 1.5}}, got.Apart)
	require.Equal(t, []any{uint64(9), uint64(2), uint64(7), uint64(5), 0.5}, []any{got.Watched, got.Explained, got.Dropped, got.Unwatched, got.Watcher})
	require.Equal(t, []any{0.25, 0.04}, []any{got.Steady, got.Period})
	require.Equal(t, outcome.Range{148_212, 148_212}, got.Records[0].Record, "the one after")
	require.Nil(t, got.Records[0].FileRecord)
	require.Equal(t, outcome.Range{147_457, 151_552}, got.Records[1].Record)
	require.Equal(t, &outcome.Range{147_257, 151_452}, got.Records[1].FileRecord, "where the file began is not known to the record")
	require.Equal(t, outcome.Range{148_211, 148_211}, got.Records[2].Record)
	require.Equal(t, "app-7", got.Records[2].ApplicationID)
	what, where := got.Records[2].Lines()
	require.Equal(t, "stage 1 partition 0  2.00 s (CPU 1.40)", what)
	require.Equal(t, "part-00003.csv +0, record 148,211", where)
	require.Contains(t, got.Markdown(render.Escaped), "\n## slow records  3 in 9 tasks\n\n- stage 1 partition 0  2.00 s (CPU 1.40)")
}

func TestSlowRecordsInMarkdown(t *testing.T) {
	slow := &outcome.SlowRecords{Watched: 3, Records: []outcome.SlowRecord{
		{File: "a_b|<x>", FileRecord: &outcome.Range{7, 7}, Seconds: 5, CPU: 4, Operator: "Filter a*b", Frames: []string{"A.<init>"}},
		{Record: outcome.Range{8, 8}, Records: 90, Seconds: 3, CPU: 2},
	}}
	require.Equal(t, `
## slow records  2 in 3 tasks

- stage 0 partition 0  5.00 s (CPU 4.00)  Filter a\*b  
  a\_b\|&lt;x> +0, record 7  
  in A.&lt;init>
- stage 0 partition 0  3.00 s (CPU 2.00)  
  record 8 of 90 in the partition
`, slow.Markdown(render.Escaped))
}

func TestRecordRows(t *testing.T) {
	m := &columns.Model{Head: columns.Head{Stages: []columns.Stage{{Application: "app-7", ID: 4}, {Application: "app-7", ID: 4, Attempt: 1}}}}
	slow := &outcome.SlowRecords{Records: []outcome.SlowRecord{
		{ApplicationID: "app-7", StageID: 4, Attempt: 1, TaskID: 15, Record: outcome.Range{7, 7}, Records: 90, Seconds: 5, CPU: 4, Operator: "Sort", Frames: []string{"a.b.C.parse", "a.D.run"}},
		{ApplicationID: "app-7", StageID: 9, TaskID: 16},
	}}
	require.Equal(t, []columns.SlowRecord{{Stage: 1, Task: 15, Where: "record 7 of 90 in the partition", Seconds: 5, CPU: 4, Operator: "Sort", Code: "C.parse < D.run"}}, recordRows(slow, m))
	require.Nil(t, recordRows(nil, m))

	slow.Records = slices.Repeat(slow.Records[:1], mostPageRows+2)
	require.Len(t, recordRows(slow, m), mostPageRows)
	require.EqualValues(t, 2, m.Meta.LostSlow)
}

func TestHalves(t *testing.T) {
	var j window.JVMProfile
	j.Application.ID = "app-7"
	half := pipeline.Dwell{Task: 3, Kind: pipeline.DwellHalf, At: 152_000, Batch: 2000, Records: 200_000}
	other := half
	other.Task = 4
	row := pipeline.Dwell{Task: 4, Kind: pipeline.DwellRecord, At: 151_000, Records: 200_000, End: 2e9, NetMS: 1500, ReadingMS: 2500}
	j.Times.Dwells = []pipeline.Dwell{row, half, other}
	got := halvesOf([]window.JVMProfile{j})
	of := outcome.Half{Record: outcome.Range{150_001, 152_000}, Records: 200_000}
	require.Equal(t, map[queueKey]outcome.Half{{"app-7", 3}: of}, got, "the other task has a slow record")
	require.Equal(t, "half of its time: records 150,001 to 152,000 of 200,000", of.String())
}
