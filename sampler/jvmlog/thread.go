package jvmlog

import "fmt"

// DecodeThread decodes a copy of a thread slot. The caller has checked its sequence number and
// knows its Slot. A free slot decodes to a Thread with TID 0.
func DecodeThread(b []byte) (Thread, error) {
	if len(b) < ThreadSlotBytes {
		return Thread{}, fmt.Errorf("decode thread slot: %d bytes of %d", len(b), ThreadSlotBytes)
	}
	t := Thread{
		TID:            le.Uint32(b[thrTID:]),
		StartTime:      MonoTime(le.Uint64(b[thrStart:])),
		Flags:          ThreadFlags(le.Uint32(b[thrFlags:])),
		PerfFD:         int32(le.Uint32(b[thrPerfFD:])),
		PerfDetailFD:   int32(le.Uint32(b[thrPerfDetailFD:])),
		RingPages:      le.Uint32(b[thrRingPages:]),
		PerfErrno:      le.Uint32(b[thrPerfErrno:]),
		PerfOpens:      le.Uint32(b[thrPerfOpens:]),
		BasePeriodNS:   le.Uint64(b[thrBasePeriod:]),
		DetailPeriodNS: le.Uint64(b[thrDetailPeriod:]),
		CPUNanosAtOpen: le.Uint64(b[thrCPUAtOpen:]),
		Name:           fixedString(b[thrName : thrName+thrNameLen]),
	}
	if t.RingPages > MaxRingPages || t.RingPages&(t.RingPages-1) != 0 {
		return t, fmt.Errorf("decode thread slot of tid %d: ring_pages %d is not 0 or a power of two up to %d", t.TID, t.RingPages, MaxRingPages)
	}
	const longest = uint64(2 * MaxPeriod) // the agent draws periods of up to 1.4 times the one that is asked for
	if t.BasePeriodNS > longest || t.DetailPeriodNS > longest {
		return t, fmt.Errorf("decode thread slot of tid %d: base_period_ns %d, detail_period_ns %d: more than %d", t.TID, t.BasePeriodNS, t.DetailPeriodNS, longest)
	}
	if t.PerfFD < -1 || t.PerfDetailFD < -1 {
		return t, fmt.Errorf("decode thread slot of tid %d: perf_fd %d, perf_detail_fd %d: less than -1", t.TID, t.PerfFD, t.PerfDetailFD)
	}
	return t, nil
}

// EncodeThread appends the ThreadSlotBytes bytes of t to dst, with sequence number seq. A name that
// is too long is cut.
func EncodeThread(dst []byte, t *Thread, seq uint32) []byte {
	n := len(dst)
	dst = append(dst, make([]byte, ThreadSlotBytes)...)
	b := dst[n:]
	le.PutUint32(b[thrSeq:], seq)
	le.PutUint32(b[thrTID:], t.TID)
	le.PutUint64(b[thrStart:], uint64(t.StartTime))
	le.PutUint32(b[thrFlags:], uint32(t.Flags))
	le.PutUint32(b[thrPerfFD:], uint32(t.PerfFD))
	le.PutUint32(b[thrPerfDetailFD:], uint32(t.PerfDetailFD))
	le.PutUint32(b[thrRingPages:], t.RingPages)
	le.PutUint32(b[thrPerfErrno:], t.PerfErrno)
	le.PutUint32(b[thrPerfOpens:], t.PerfOpens)
	le.PutUint64(b[thrBasePeriod:], t.BasePeriodNS)
	le.PutUint64(b[thrDetailPeriod:], t.DetailPeriodNS)
	le.PutUint64(b[thrCPUAtOpen:], t.CPUNanosAtOpen)
	putFixedString(b[thrName:thrName+thrNameLen], t.Name)
	return dst
}
