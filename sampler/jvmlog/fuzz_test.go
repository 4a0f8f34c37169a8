package jvmlog

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func FuzzHeader(f *testing.F) {
	h := testHeader()
	f.Add(EncodeHeader(nil, &h))
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := DecodeHeader(b)
		if err != nil {
			return
		}
		again, err := DecodeHeader(EncodeHeader(nil, &h))
		if err != nil { // larger slots than this version's are accepted, but not written: the regions may then have gaps only
			t.Fatalf("%+v: %v", h, err)
		}
		if len(h.JDKVersion) >= hdrJDKVersionLen { // it has grown by being made printable
			again.JDKVersion = h.JDKVersion
		}
		if len(h.OffReason) >= hdrOffReasonLen {
			again.OffReason = h.OffReason
		}
		require.Equal(t, h, again)
	})
}

func FuzzThread(f *testing.F) {
	th := testThread()
	f.Add(EncodeThread(nil, &th, 2))
	f.Fuzz(func(t *testing.T, b []byte) {
		th, err := DecodeThread(b)
		if err != nil {
			return
		}
		again, err := DecodeThread(EncodeThread(nil, &th, 2))
		require.NoError(t, err)
		require.Equal(t, th, again)
	})
}

func FuzzTaskEvent(f *testing.F) {
	e := testEvent(3)
	f.Add(EncodeTaskEvent(nil, &e))
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := DecodeTaskEvent(b)
		if err != nil {
			return
		}
		again, err := DecodeTaskEvent(EncodeTaskEvent(nil, &e))
		require.NoError(t, err)
		require.Equal(t, e, again)
	})
}

func FuzzPayload(f *testing.F) {
	for _, r := range oneOfEach() {
		f.Add(uint16(r.recordType()), EncodePayload(nil, r))
	}
	f.Fuzz(func(t *testing.T, typ uint16, b []byte) {
		r, err := DecodePayload(RecordType(typ), 1, b)
		if err != nil {
			return
		}
		again, err := DecodePayload(RecordType(typ), 1, EncodePayload(nil, r))
		require.NoError(t, err)
		require.Equal(t, r, again)
	})
}

func FuzzControl(f *testing.F) {
	f.Add(encodeControl(nil, &ControlPage{Major: 1, Seq: 2, Settings: testSettings()}))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := DecodeControl(b)
		if err != nil {
			return
		}
		again, err := DecodeControl(encodeControl(nil, &p))
		require.NoError(t, err)
		require.Equal(t, p, again)
	})
}

// FuzzLog walks a whole log whose bytes anybody may have written.
func FuzzLog(f *testing.F) {
	l := newTestLog(f)
	th := testThread()
	storeShared(l.b, testThreads, EncodeThread(nil, &th, 2))
	for n := range uint64(11) {
		l.event(n)
	}
	for i := range 40 {
		l.append(f, MonoTime(i), &Stub{Address: 1, Size: 2, Name: "stub"})
	}
	f.Add(append([]byte{}, l.b...), uint64(0), uint64(0))
	f.Add(goldenFile(f, "log-v1.bin"), uint64(0), uint64(11056))
	f.Fuzz(func(t *testing.T, b []byte, event, record uint64) {
		l, err := FromBytes(b)
		if err != nil {
			return
		}
		defer l.Close()
		_, _ = l.Header()
		require.LessOrEqual(t, len(l.Threads(nil)), int(l.geometry.ThreadSlots))
		delivered := uint64(0)
		next, missed := l.Events(event, func(TaskEvent) { delivered++ })
		require.GreaterOrEqual(t, next, event)
		require.Equal(t, next-event, delivered+missed)
		nextRecord, missedBytes, _, err := l.Records(record, func(MonoTime, Record) error { return nil })
		if err == nil {
			require.GreaterOrEqual(t, nextRecord, record)
			require.LessOrEqual(t, missedBytes, nextRecord-record)
		}
	})
}
