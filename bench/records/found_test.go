package main

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A part of a file begins with the first line after its offset.
func TestRecordOfAPart(t *testing.T) {
	in := input{line: 3, begins: []int64{0, 10, 20, 30}}
	require.Equal(t, []int64{3, 2, 1, 1}, []int64{in.record(0), in.record(5), in.record(10), in.record(19)})
}

func TestCount(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.csv")
	name := fmt.Sprintf("%x", sha256.Sum256([]byte("file:"+path)))[:8]
	cases := []slowCase{
		{figure: "found_10s", program: "movies", source: "rdd", in: &input{path: path, line: 3, begins: []int64{0, 10, 20}}},
		{figure: "found_1s", program: "students", source: "rdd", how: "burn", in: &input{path: filepath.Join(dir, "b.csv"), line: 1, begins: []int64{0}}},
	}
	records := []slowRecord{
		{Path: name, Offset: 5, FileRecord: &[2]int64{2, 2}},
		{Path: name, Offset: 0, FileRecord: &[2]int64{2, 2}},
		{Path: "0", Offset: 5, FileRecord: &[2]int64{2, 2}},
		{Path: name, Offset: 5},
		{Path: name, Offset: 5, FileRecord: &[2]int64{1, 4096}},
	}
	r := results{Figures: map[string]float64{}}
	require.NoError(t, r.count("one", cases, records, false))
	require.Equal(t, map[string]float64{"found_10s": 1, "found_10s_of": 1, "found_1s": 0, "found_1s_of": 1, "false_records": 4}, r.Figures)
	require.Len(t, r.Found, 5)
	require.Equal(t, "one: not found: students rdd burn, line 1", r.Found[0])

	r = results{Figures: map[string]float64{}}
	require.NoError(t, r.count("batches", cases[:1], records[4:], true))
	require.Equal(t, map[string]float64{"found_10s": 1, "found_10s_of": 1, "false_records": 0}, r.Figures)
	records[4].FileRecord[1]++ // more than a batch
	require.NoError(t, r.count("batches", cases[:1], records[4:], true))
	require.Equal(t, 1., r.Figures["false_records"])
}
