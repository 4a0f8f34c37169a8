package outcome

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/pipeline"
)

func TestFindRows(t *testing.T) {
	file := func(path string, offset int64, record, of Range) SlowRecord {
		return SlowRecord{StageID: 4, Partition: 17, Records: 200_000, File: "part-00003.parquet", Path: path, Offset: offset, Record: record, FileRecord: &of}
	}
	place := func(partition int, records int64, record Range) SlowRecord {
		return SlowRecord{StageID: 4, Partition: partition, Records: records, Record: record}
	}
	shuffle := place(3, 900, Range{11, 20})
	shuffle.Shuffle = true
	first := SlowRecords{Records: []SlowRecord{
		file("a1", 100, Range{5, 5}, Range{5, 5}),
		file("a1", 100, Range{147_457, 151_552}, Range{147_257, 151_552}),
		shuffle,
		place(3, 900, Range{11, 20}),
		file("b2", 0, Range{1, 4096}, Range{1, 4096}),
	}}
	batches := first.Batches()
	require.Equal(t, []SlowRecord{first.Records[1], first.Records[3], first.Records[4]}, batches)

	stage := file("a1", 100, Range{148_212, 148_212}, Range{148_212, 148_212})
	stage.StageID, stage.Partition = 9, 18 // another number in the second run
	key := place(5, 250, Range{17, 17})
	key.Shuffle, key.Key, key.GroupRows = true, "6f1c09ab", 1200
	again := SlowRecords{Records: []SlowRecord{
		file("a1", 100, Range{148_211, 148_211}, Range{148_211, 148_211}),
		file("a1", 101, Range{148_210, 148_210}, Range{148_210, 148_210}),
		file("a2", 100, Range{148_210, 148_210}, Range{148_210, 148_210}),
		file("a1", 100, Range{151_553, 151_553}, Range{151_553, 151_553}),
		stage,
		place(3, 901, Range{12, 12}), place(2, 900, Range{12, 12}), place(3, 900, Range{10, 10}), place(3, 900, Range{20, 20}), shuffle,
		file("b2", 0, Range{1, 4096}, Range{1, 4096}),
		key,
	}}
	found := again.Find(batches)
	require.Equal(t, FoundRows{Batches: []FoundBatch{
		{Batch: batches[0], Rows: []SlowRecord{again.Records[0], again.Records[4]}},
		{Batch: batches[1], Rows: []SlowRecord{again.Records[8]}},
		{Batch: batches[2], Rows: []SlowRecord{}, StillBatch: true},
	}, Keys: []SlowRecord{key}, Rows: []LargestKey{}, Tasks: []SilentTask{}}, found)
	require.Equal(t, "stage 4 partition 5  0.00 s (CPU 0.00)\n  → key 6f1c09ab, 17 of 250, 1,200 rows\n"+
		"stage 4 partition 17  0.00 s (CPU 0.00)\n  part-00003.parquet +100, records 147,257 to 151,552\n"+
		"  → part-00003.parquet +100, record 148,211  0.00 s (CPU 0.00)\n  → part-00003.parquet +100, record 148,212  0.00 s (CPU 0.00)\n"+
		"stage 4 partition 3  0.00 s (CPU 0.00)\n  records 11 to 20 of 900 in the partition\n  → record 20 of 900 in the partition  0.00 s (CPU 0.00)\n"+
		"stage 4 partition 17  0.00 s (CPU 0.00)\n  part-00003.parquet +0, records 1 to 4,096\n"+
		"  → still read as a batch: the job sets its reader itself, or there is none for rows\n", found.String())
	found = FoundRows{Tasks: []SilentTask{{StageID: 4, Partition: 17, Why: "it did not run"}}}
	require.Equal(t, "stage 4 partition 17\n  → no key: it did not run\n", found.String())
	found = FoundRows{Rows: []LargestKey{LargestKeyOf("app", &pipeline.Dwell{Stage: 7, Partition: 3, Key: "6f1c09ab", GroupRows: 2_900_113, Records: 3_301_000})}}
	require.Equal(t, "stage 7 partition 3\n  → 2,900,113 of 3,301,000 rows of a shuffle: key 6f1c09ab\n", found.String())
	none := (&SlowRecords{}).Find(batches[:1])
	require.Contains(t, none.String(), "→ no row of it was slow in this run")
}
