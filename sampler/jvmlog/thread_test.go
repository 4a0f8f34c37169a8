package jvmlog

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func testThread() Thread {
	return Thread{
		TID: 31, StartTime: 32, Flags: ThreadTask, PerfFD: 33, PerfDetailFD: -1, RingPages: 64, PerfErrno: 35, PerfOpens: 39,
		BasePeriodNS: 36, DetailPeriodNS: 37, CPUNanosAtOpen: 38, Name: "Executor task launch worker-3",
	}
}

func TestThreadRoundTrip(t *testing.T) {
	want := testThread()
	got, err := DecodeThread(EncodeThread(nil, &want, 2))
	require.NoError(t, err)
	require.Equal(t, want, got)

	want.Name = strings.Repeat("é", 40)
	got, err = DecodeThread(EncodeThread(nil, &want, 2))
	require.NoError(t, err)
	require.Len(t, got.Name, 63)
}

func TestThreadRefusals(t *testing.T) {
	for _, c := range []struct {
		ruin func(*Thread)
		want string
	}{
		{func(t *Thread) { t.RingPages = 3 }, "ring_pages 3"},
		{func(t *Thread) { t.RingPages = 2048 }, "ring_pages 2048"},
		{func(t *Thread) { t.PerfFD = -2 }, "perf_fd -2"},
		{func(t *Thread) { t.PerfDetailFD = -9 }, "perf_detail_fd -9"},
		{func(t *Thread) { t.BasePeriodNS = 120e9 + 1 }, "base_period_ns 120000000001"},
		{func(t *Thread) { t.DetailPeriodNS = 1 << 63 }, "detail_period_ns 9223372036854775808"},
	} {
		bad := testThread()
		c.ruin(&bad)
		_, err := DecodeThread(EncodeThread(nil, &bad, 2))
		require.ErrorContains(t, err, c.want)
	}
	_, err := DecodeThread(make([]byte, ThreadSlotBytes-1))
	require.ErrorContains(t, err, "127 bytes of 128")
}

func TestThreads(t *testing.T) {
	l := newTestLog(t)
	first, torn, bad, beyond := testThread(), testThread(), testThread(), testThread()
	bad.RingPages = 5
	for i, th := range []*Thread{&first, &torn, &bad, &beyond} {
		seq := uint32(4)
		if th == &torn {
			seq = 5
		}
		storeShared(l.b, testThreads+i*ThreadSlotBytes, EncodeThread(nil, th, seq))
	}
	var reasons []string
	l.OnBad = func(err error) { reasons = append(reasons, err.Error()) }
	require.Equal(t, []Thread{first}, l.Threads(nil), "torn, bad, and beyond threads_high_water 3")
	require.Equal(t, LogStats{TornThreads: 1, BadThreads: 1}, l.Stats())
	require.Len(t, reasons, 1)
	require.Contains(t, reasons[0], "slot 2")

	l.store32(hdrThreadsHighWater, 1<<30) // more than there are
	l.store32(testThreads+2*ThreadSlotBytes+thrTID, 0)
	beyond.Slot = 3
	require.Equal(t, []Thread{first, beyond}, l.Threads(nil))
}

// One writer changes a slot all the time; no mixture of two states may be seen.
func TestThreadsUnderAWriter(t *testing.T) {
	l := newTestLog(t)
	state := func(i uint32) Thread {
		th := testThread()
		th.TID, th.StartTime, th.CPUNanosAtOpen = i, MonoTime(i), uint64(i)
		return th
	}
	write := func(i uint32) {
		th := state(i)
		b := EncodeThread(nil, &th, 2*i+1)
		atomic.StoreUint32(word32(l.b, testThreads), 2*i+1)
		storeShared(l.b, testThreads, b)
		atomic.StoreUint32(word32(l.b, testThreads), 2*i+2)
	}
	write(1)
	var wg sync.WaitGroup
	var stop atomic.Bool
	wg.Go(func() {
		for i := uint32(2); !stop.Load(); i++ {
			write(i)
		}
	})
	seen := 0
	for range 20000 {
		for _, th := range l.Threads(nil) {
			require.Equal(t, state(th.TID), th)
			seen++
		}
	}
	stop.Store(true)
	wg.Wait()
	require.Len(t, l.Threads(nil), 1, "nothing is torn once the writer rests")
	require.Positive(t, seen)
}
