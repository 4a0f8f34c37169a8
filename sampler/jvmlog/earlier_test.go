package jvmlog

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// firstMinor is the minor version of the format that a record came with, 1 or later (FORMAT.md).
func firstMinor(r Record) uint16 {
	switch r.(type) {
	case *Rows, *ExecutionEnd:
		return 2
	case *StageInfo, *Times:
		return 5
	case *Dwell:
		return 7
	}
	return 1
}

// earlier is a golden file as the agent's tests of an earlier minor version wrote it, which
// testdata/earlier has in gzip and base64.
func earlier(t *testing.T, name string, minor uint16) []byte {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("testdata/earlier/%s-1.%d.txt", name, minor))
	require.NoError(t, err)
	z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(text)))
	require.NoError(t, err)
	b, err := io.ReadAll(z)
	require.NoError(t, err)
	return b
}

// A log of an earlier agent says what it said then: all that today's golden log does, but for what
// came later.
func TestLogsOfEarlierAgents(t *testing.T) {
	for minor := uint16(1); minor < Minor; minor++ {
		l, err := FromBytes(earlier(t, "log", minor))
		require.NoError(t, err)
		now := MonoTime(1)
		l.Clock = func() MonoTime { return now }

		h, err := l.Header()
		require.NoError(t, err)
		want, err := goldenLog(t).Header()
		require.NoError(t, err)
		want.Minor, want.RecordsTail, want.RecordsCommitted = minor, h.RecordsTail, h.RecordsCommitted // fewer records
		if minor < 2 {
			want.DroppedRows = 0
		}
		require.Equal(t, want, h)

		app, err := l.Application()
		if minor < 4 {
			require.Zero(t, l.ApplicationVersion())
			require.Zero(t, app)
		} else {
			require.NoError(t, err)
			require.NotEmpty(t, app.JSON)
		}
		require.Equal(t, goldenLog(t).Threads(nil), l.Threads(nil))

		next := uint64(0)
		for range 2 { // the second time it waits no longer for what was never written
			next, _ = l.Events(next, func(e TaskEvent) { require.Equal(t, goldenEvent(e.Index), e) })
			now += MonoTime(time.Second)
		}
		require.EqualValues(t, 17, next)

		records := slices.DeleteFunc(goldenRecords(), func(r Record) bool { return firstMinor(r) > minor })
		if minor < 3 {
			for _, r := range records {
				if load, ok := r.(*CodeLoad); ok {
					load.Proofs = nil
				}
			}
		}
		var got []Record
		_, _, bad, err := l.Records(h.RecordsTail, func(_ MonoTime, r Record) error {
			got = append(got, r)
			return nil
		})
		require.NoError(t, err)
		require.Zero(t, bad)
		require.Equal(t, records, got, "1.%d", minor)
	}
}

// The control page of an earlier reader says what it said then.
func TestControlPagesOfEarlierReaders(t *testing.T) {
	for minor := uint16(1); minor < Minor; minor++ {
		p, err := DecodeControl(earlier(t, "control", minor))
		require.NoError(t, err)
		want, err := DecodeControl(goldenFile(t, "control-v1.bin"))
		require.NoError(t, err)
		want.Minor = minor
		if minor < 4 {
			want.LeaseRank = 0
		}
		require.Equal(t, want, p, "1.%d", minor)
	}
}
