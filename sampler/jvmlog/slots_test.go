package jvmlog

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSlotsDecodeWhatWasWritten(t *testing.T) {
	l := newTestLog(t)
	first, second := testThread(), testThread()
	second.TID, second.Slot = 41, 1
	put := func(i int, th *Thread, seq uint32) {
		storeShared(l.b, testThreads+i*ThreadSlotBytes, EncodeThread(nil, th, seq))
	}
	put(0, &first, 4)
	put(1, &second, 2)
	l.store32(hdrThreadsHighWater, 2)

	var s Slots
	require.True(t, s.Changed(l.Log), "nothing was read yet")
	require.Equal(t, []Thread{first, second}, s.Threads(l.Log, nil))
	require.False(t, s.Changed(l.Log))

	// Bytes without another sequence number are not looked at.
	l.store32(testThreads+thrTID, 99)
	require.Equal(t, []Thread{first, second}, s.Threads(l.Log, nil))

	second.Flags, second.RingPages = ThreadTask|ThreadEnded, 128
	put(1, &second, 4)
	require.True(t, s.Changed(l.Log))
	require.Equal(t, []Thread{first, second}, s.Threads(l.Log, nil))
	require.False(t, s.Changed(l.Log))

	put(0, &Thread{PerfFD: -1, PerfDetailFD: -1}, 6) // freed
	require.True(t, s.Changed(l.Log))
	require.Equal(t, []Thread{second}, s.Threads(l.Log, nil))
}

func TestSlotsAskAgainForWhatIsBeingWritten(t *testing.T) {
	l := newTestLog(t)
	th := testThread()
	storeShared(l.b, testThreads, EncodeThread(nil, &th, 5))
	l.store32(hdrThreadsHighWater, 1)
	var s Slots
	require.Empty(t, s.Threads(l.Log, nil))
	require.True(t, s.Changed(l.Log))
	require.Equal(t, LogStats{TornThreads: 1}, l.Stats())
	storeShared(l.b, testThreads, EncodeThread(nil, &th, 6))
	require.Equal(t, []Thread{th}, s.Threads(l.Log, nil))
}

func TestSlotsCountABadSlotOncePerWrite(t *testing.T) {
	l := newTestLog(t)
	bad := testThread()
	bad.RingPages = 5
	l.store32(hdrThreadsHighWater, 1)
	var s Slots
	for i, seq := range []uint32{2, 2, 4} {
		storeShared(l.b, testThreads, EncodeThread(nil, &bad, seq))
		require.Empty(t, s.Threads(l.Log, nil))
		require.Equal(t, LogStats{BadThreads: []uint64{1, 1, 2}[i]}, l.Stats())
	}
}
