package slowtask

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/pipeline"
)

// dwellAt is a dwell of a second of a task that reads 200,000 records in 10 s.
func dwellAt(at int64, more ...func(*pipeline.Dwell)) pipeline.Dwell {
	d := pipeline.Dwell{Stage: 4, Task: 17, Kind: pipeline.DwellRecord, At: at, Records: 200_000, ReadingMS: 10_000, End: 1e9, NetMS: 980}
	for _, change := range more {
		change(&d)
	}
	return d
}

func TestTold(t *testing.T) {
	other := func(d *pipeline.Dwell) { d.Task = 18 }
	kind := func(k pipeline.DwellKind) func(*pipeline.Dwell) { return func(d *pipeline.Dwell) { d.Kind = k } }
	parquet := func(d *pipeline.Dwell) { d.Batch, d.ReadingMS = 4096, 3000 }
	for name, x := range map[string]struct {
		dwells []pipeline.Dwell
		kinds  []pipeline.DwellKind
	}{
		"one of 200,000 records": {[]pipeline.Dwell{dwellAt(148_211)}, []pipeline.DwellKind{pipeline.DwellRecord}},
		"two, and others' kinds": {
			[]pipeline.Dwell{dwellAt(148_211), dwellAt(0, kind(pipeline.DwellBefore)), dwellAt(20_017, kind(pipeline.DwellNext)), dwellAt(7, kind(pipeline.DwellHalf))},
			[]pipeline.DwellKind{pipeline.DwellRecord, pipeline.DwellBefore, pipeline.DwellNext, pipeline.DwellHalf},
		},
		"records that cost as much": {[]pipeline.Dwell{dwellAt(7000, func(d *pipeline.Dwell) { d.ReadingMS = 1e9 })}, []pipeline.DwellKind{KindLikeOthers}},
		"the first record":          {[]pipeline.Dwell{dwellAt(1), dwellAt(1, other, kind(pipeline.DwellKey))}, []pipeline.DwellKind{KindFirst, pipeline.DwellKey}},
		"the first batch":           {[]pipeline.Dwell{dwellAt(4096, parquet), dwellAt(81_920, parquet)}, []pipeline.DwellKind{KindFirst, pipeline.DwellRecord}},
		"batches of its own, and a record of the next is read": {
			[]pipeline.Dwell{dwellAt(80_001), dwellAt(40_001), dwellAt(120_001)}, []pipeline.DwellKind{KindLikeOthers, KindFirst, KindLikeOthers},
		},
		"batches of its own, and a slow record": {
			[]pipeline.Dwell{dwellAt(40_000), dwellAt(80_000), dwellAt(81_500, func(d *pipeline.Dwell) { d.ReadingMS = 3000 }), dwellAt(120_000)},
			[]pipeline.DwellKind{KindFirst, KindLikeOthers, pipeline.DwellRecord, KindLikeOthers},
		},
		"batches of its own": {
			[]pipeline.Dwell{dwellAt(120_000), dwellAt(40_000), dwellAt(80_000), dwellAt(40_000, other)},
			[]pipeline.DwellKind{KindLikeOthers, KindFirst, KindLikeOthers, pipeline.DwellRecord},
		},
	} {
		got := Told(x.dwells)
		kinds := make([]pipeline.DwellKind, len(got))
		for i := range got {
			kinds[i] = got[i].Kind
			require.InDelta(t, x.dwells[i].At, got[i].At, 1, name)
		}
		require.Equal(t, x.kinds, kinds, name)
	}
	require.Empty(t, Told(nil))
}

// One of a program's batches may cost more than the others.
func TestToldOfASlowBatch(t *testing.T) {
	var dwells []pipeline.Dwell
	for at := int64(1000); at < 200_000; at += 1000 {
		dwells = append(dwells, dwellAt(at, func(d *pipeline.Dwell) { d.ReadingMS, d.End, d.NetMS = 80_000, 0.2e9, 180 }))
	}
	slow := &dwells[100]
	slow.End, slow.NetMS = 40e9, 39_000
	told := Told(dwells)
	for i := range told {
		require.Equal(t, i == 100, told[i].IsRecord(), "dwell %d", i)
	}
	first, last := told[100].Span()
	require.Equal(t, []int64{100_001, 101_000}, []int64{first, last})
	require.Zero(t, dwells[100].Batch, "the caller's stay")
}
