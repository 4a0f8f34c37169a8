package jvmlog

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/tasksample"
)

type walked struct {
	times             []MonoTime
	next, missed, bad uint64
}

func (l *testLog) walk(t *testing.T, from uint64) walked {
	t.Helper()
	var w walked
	var err error
	w.next, w.missed, w.bad, err = l.Records(from, func(at MonoTime, r Record) error {
		w.times = append(w.times, at)
		return nil
	})
	require.NoError(t, err)
	return w
}

func TestRecords(t *testing.T) {
	l := newTestLog(t)
	require.Equal(t, walked{}, l.walk(t, 0))

	want := oneOfEach()[4:8] // small ones
	for i, r := range want {
		l.append(t, MonoTime(i), r)
	}
	var got []Record
	next, missed, bad, err := l.Records(0, func(at MonoTime, r Record) error {
		require.Equal(t, MonoTime(len(got)), at)
		got = append(got, r)
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.Equal(t, []uint64{l.committed, 0, 0}, []uint64{next, missed, bad})

	_, _, _, err = l.Records(l.committed+8, nil)
	require.ErrorContains(t, err, "committed")
}

func TestRecordsSkipped(t *testing.T) {
	l := newTestLog(t)
	l.append(t, 1, &CodeUnload{Address: 0x10, Method: 3})
	l.append(t, 2, &Replay{Begin: true, Generation: 7})
	l.append(t, 3, &CodeUnload{Address: 0x20, Method: 5})
	l.Skip = func(r RecordType) bool { return r == TypeCodeUnload }
	require.Equal(t, walked{times: []MonoTime{2}, next: l.committed}, l.walk(t, 0))
	l.Skip = nil
	require.Equal(t, walked{times: []MonoTime{1, 2, 3}, next: l.committed}, l.walk(t, 0))
}

// Records of 40 to 136 bytes in a ring of 1032: the wrap falls on every remainder, shorter than a
// header too.
func TestRecordsWrap(t *testing.T) {
	l := newTestLog(t)
	var next uint64
	for i := range 500 {
		payload := make([]byte, (i*40)%97)
		offset := l.append(t, MonoTime(i), &Unknown{Type: 500, Version: 1, Payload: payload})
		w := l.walk(t, next)
		require.Equal(t, walked{times: []MonoTime{MonoTime(i)}, next: l.committed}, w, "record at %d", offset)
		next = w.next
	}
	require.Greater(t, next, uint64(20*testRecordsBytes))
}

func TestRecordsRecycled(t *testing.T) {
	l := newTestLog(t)
	for i := range 60 { // 48 bytes each; 1032 / 48 = 21.5
		l.append(t, MonoTime(i), &CodeUnload{})
	}
	w := l.walk(t, 48)
	require.NotEmpty(t, w.times)
	require.Equal(t, MonoTime(59), w.times[len(w.times)-1])
	require.Equal(t, l.committed, w.next)
	tail := l.recordsTail()
	require.Equal(t, walked{times: w.times, next: l.committed, missed: tail - 48}, w)
}

func TestRecordsBad(t *testing.T) {
	l := newTestLog(t)
	l.append(t, 0, &CodeUnload{})
	flipped := l.append(t, 1, &CodeUnload{})
	l.append(t, 2, &CodeUnload{})
	broken := l.append(t, 3, &CodeUnload{})
	l.append(t, 4, &CodeUnload{})
	var reasons []string
	l.OnBad = func(err error) { reasons = append(reasons, err.Error()) }

	l.b[testRecords+flipped+RecordHeaderBytes] ^= 0x10
	require.Equal(t, walked{times: []MonoTime{0, 2, 3, 4}, next: l.committed, bad: 1}, l.walk(t, 0))

	le.PutUint32(l.b[testRecords+broken:], 41)
	require.Equal(t, walked{times: []MonoTime{0, 2}, next: l.committed, missed: l.committed - broken, bad: 2}, l.walk(t, 0))
	require.Equal(t, uint64(3), l.Stats().BadRecords)
	require.Len(t, reasons, 3)
	require.Contains(t, reasons[0], "record at 48, type CODE_UNLOAD: crc32c")
	require.Contains(t, reasons[2], "record at 144: length 41")
}

func TestRecordsStopOnError(t *testing.T) {
	l := newTestLog(t)
	l.append(t, 0, &CodeUnload{})
	l.append(t, 1, &CodeUnload{})
	stop := errors.New("stop")
	next, _, _, err := l.Records(0, func(MonoTime, Record) error { return stop })
	require.ErrorIs(t, err, stop)
	require.Equal(t, uint64(48), next)
}

func TestRecordsOfAnImpossibleHeader(t *testing.T) {
	l := newTestLog(t)
	for _, c := range []struct {
		tail, committed uint64
		want            string
	}{
		{8, 0, "records_tail 8 is beyond records_committed 0"},
		{0, testRecordsBytes + 8, "records_bytes 1032"},
	} {
		l.store64(hdrRecordsTail, c.tail)
		l.store64(hdrRecordsCommitted, c.committed)
		_, _, _, err := l.Records(0, func(MonoTime, Record) error { return nil })
		require.ErrorContains(t, err, c.want)
	}
}

// A writer that recycles without regard for the reader: every record is delivered whole and in
// order, or its bytes are counted.
func TestRecordsUnderAWriter(t *testing.T) {
	const records = 30000
	l := newTestLog(t)
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range records {
			l.append(t, MonoTime(i+1), &Stage{Execution: tasksample.ExecutionID(i), Accumulators: nil})
		}
	})
	var next, missed, delivered uint64
	last := MonoTime(0)
	for last < records {
		n, m, bad, err := l.Records(next, func(at MonoTime, r Record) error {
			require.Equal(t, tasksample.ExecutionID(at-1), r.(*Stage).Execution)
			require.Greater(t, at, last)
			last = at
			delivered++
			return nil
		})
		require.NoError(t, err)
		require.Zero(t, bad)
		require.GreaterOrEqual(t, n, next)
		next, missed = n, missed+m
	}
	wg.Wait()
	require.Equal(t, l.committed, next)
	require.Less(t, missed, next)
	require.Positive(t, delivered)
}
