package jvmlog

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestHeaderRoundTrip(t *testing.T) {
	want := testHeader()
	b := EncodeHeader([]byte("before"), &want)
	require.Equal(t, "before", string(b[:6]))
	got, err := DecodeHeader(b[6:])
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func TestHeaderCutsLongTexts(t *testing.T) {
	h := testHeader()
	h.JDKVersion, h.OffReason = strings.Repeat("v", 100), strings.Repeat("r", 300)
	got, err := DecodeHeader(EncodeHeader(nil, &h))
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("v", 63), got.JDKVersion)
	require.Equal(t, strings.Repeat("r", 255), got.OffReason)
}

func TestHeaderRefusals(t *testing.T) {
	for _, c := range []struct {
		name string
		ruin func(b []byte)
		want string
		is   error
	}{
		{"no magic", func(b []byte) { clear(b[:8]) }, "magic", ErrNotReady},
		{"major", func(b []byte) { le.PutUint16(b[hdrMajor:], 2) }, "version 2.0, want 1.x", ErrVersion},
		{"header bytes", func(b []byte) { le.PutUint32(b[hdrHeaderBytes:], 4095) }, "header_bytes 4095", nil},
		{"total", func(b []byte) { le.PutUint64(b[hdrTotalBytes:], 1<<40) }, "total_bytes", nil},
		{"no thread slots", func(b []byte) { le.PutUint32(b[hdrThreadSlots:], 0) }, "thread_slots 0", nil},
		{"thread slots", func(b []byte) { le.PutUint32(b[hdrThreadSlots:], 5) }, "events at", nil},
		{"many thread slots", func(b []byte) { le.PutUint32(b[hdrThreadSlots:], 1<<31) }, "thread_slots", nil},
		{"thread slot bytes", func(b []byte) { le.PutUint32(b[hdrThreadSlotBytes:], 120) }, "thread_slot_bytes 120", nil},
		{"event slots", func(b []byte) { le.PutUint32(b[hdrEventSlots:], 6) }, "event_slots 6 is not a power of two", nil},
		{"no event slots", func(b []byte) { le.PutUint32(b[hdrEventSlots:], 0) }, "event_slots 0", nil},
		{"event bytes", func(b []byte) { le.PutUint32(b[hdrEventBytes:], 132) }, "event_bytes 132", nil},
		{"threads in the header", func(b []byte) { le.PutUint64(b[hdrThreadsOffset:], 4088) }, "threads at 4088", nil},
		{"unaligned events", func(b []byte) { le.PutUint64(b[hdrEventsOffset:], testEvents+4) }, "not multiples of 8", nil},
		{"records beyond the end", func(b []byte) { le.PutUint64(b[hdrRecordsBytes:], testRecordsBytes+8) }, "records at", nil},
		{"records wrap", func(b []byte) { le.PutUint64(b[hdrRecordsOffset:], 1<<64-8) }, "records at", nil},
		{"no records", func(b []byte) { le.PutUint64(b[hdrRecordsBytes:], 24) }, "records_bytes 24", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := testHeader()
			b := EncodeHeader(nil, &h)
			c.ruin(b)
			_, err := DecodeHeader(b)
			require.ErrorContains(t, err, c.want)
			if c.is != nil {
				require.ErrorIs(t, err, c.is)
			}
		})
	}
	_, err := DecodeHeader(make([]byte, HeaderBytes-1))
	require.ErrorContains(t, err, "4095 bytes of 4096")
}

func TestOpenRefusals(t *testing.T) {
	h := testHeader()
	whole := EncodeHeader(make([]byte, 0, testTotal), &h)[:testTotal]
	open := func(content []byte, seals int) error {
		_, err := Open(newMemory(t, content, seals).f)
		return err
	}
	require.ErrorIs(t, open(whole, 0), ErrNotSealed)
	require.ErrorIs(t, open(whole, unix.F_SEAL_SHRINK|unix.F_SEAL_SEAL), ErrNotSealed)
	require.ErrorIs(t, open(make([]byte, testTotal), requiredSeals), ErrNotReady)
	require.ErrorContains(t, open(whole[:testTotal-8], requiredSeals), "total_bytes is")
	require.ErrorContains(t, open(whole[:64], requiredSeals), "64 bytes are not in")

	l, err := FromBytes(whole)
	require.NoError(t, err)
	require.NoError(t, l.Close())
	_, err = FromBytes(whole[:100])
	require.ErrorContains(t, err, "log of 100 bytes")
}

func TestFill(t *testing.T) {
	l := newTestLog(t)
	require.Zero(t, l.Fill(0, 0))
	l.store64(hdrRecordsCommitted, testRecordsBytes/4+900)
	require.InDelta(t, 0.25, l.Fill(900, 0), 1e-9)
	require.Zero(t, l.Fill(testRecordsBytes/4+901, 0), "read since")
	l.store64(hdrEventsHead, 70+uint64(l.geometry.EventSlots)/2)
	require.InDelta(t, 0.5, l.Fill(900, 70), 1e-9, "task events fill more of their room")
	l.store64(hdrEventsHead, 1<<40)
	require.InDelta(t, 1, l.Fill(900, 70), 1e-9, "and were overwritten")
	require.NoError(t, l.Close())
}

func TestHeaderOfALiveLog(t *testing.T) {
	l := newTestLog(t)
	l.store64(hdrHeartbeat, 5005)
	l.store32(hdrState, uint32(StateOff))
	h, err := l.Header()
	require.NoError(t, err)
	require.Equal(t, MonoTime(5005), h.Heartbeat)
	require.Equal(t, StateOff, h.State)

	l.store64(hdrRecordsOffset, testRecords+8)
	l.store64(hdrRecordsBytes, testRecordsBytes-8)
	_, err = l.Header()
	require.ErrorContains(t, err, "have changed")
	require.NoError(t, l.Close())
	require.NoError(t, l.Close())
}
