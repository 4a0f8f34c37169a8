package recording

import (
	"fmt"
	"math"
	"time"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// deliver decodes one entry and hands it to sink. Nothing delivered shares memory with body.
func (r *Reader) deliver(sink Sink, k kind, id sampler.JVMID, body []byte) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s of jvm %d: %w", kindNames[k], id, err)
		}
	}()
	if least := leastBytes[k]; len(body) < least {
		return fmt.Errorf("%d bytes, at least %d are needed", len(body), least)
	}
	switch k {
	case kindJVM:
		v, err := decodeJVM(id, body)
		if err != nil {
			return err
		}
		sink.JVMFound(v)
	case kindThread:
		t, err := jvmlog.DecodeThread(body[8:])
		if err != nil {
			return err
		}
		t.Slot = int(le.Uint32(body))
		sink.Thread(id, t)
	case kindRecord:
		h, rec, err := jvmlog.DecodeRecord(body, 0)
		if err != nil {
			return err
		}
		sink.Record(id, h.Time, rec)
	case kindTaskEvent:
		e, err := decodeTaskEvent(body)
		if err != nil {
			return err
		}
		sink.TaskEvent(id, e)
	case kindSample:
		s, err := decodeSample(body)
		if err != nil {
			return err
		}
		sink.Sample(id, s)
	case kindStats:
		s, err := decodeStats(body)
		if err != nil {
			return err
		}
		sink.Stats(id, s)
	case kindWatermark:
		sink.Watermark(id, jvmlog.MonoTime(le.Uint64(body)))
	case kindGone:
		sink.JVMGone(id)
	case kindSymbol:
		f, err := decodeSymbol(body)
		if err != nil {
			return err
		}
		sink.Symbol(id, f)
	default:
		r.skipped++
	}
	return nil
}

// leastBytes are the smallest bodies of the kinds.
var leastBytes = map[kind]int{
	kindJVM: 32 + jvmlog.HeaderBytes, kindThread: 8 + jvmlog.ThreadSlotBytes, kindSample: sampleBytes, kindStats: 8,
	kindWatermark: 8, kindSymbol: 24,
}

func decodeJVM(id sampler.JVMID, b []byte) (sampler.JVM, error) {
	h, err := jvmlog.DecodeHeader(b[32:])
	return sampler.JVM{
		ID: id, PID: int(le.Uint64(b)), StartTicks: le.Uint64(b[8:]), Mode: sampler.Mode(le.Uint32(b[16:])),
		FoundAt: jvmlog.MonoTime(le.Uint64(b[24:])), Header: h,
	}, err
}

func decodeSample(b []byte) (sampler.Sample, error) {
	s := sampler.Sample{
		Time: jvmlog.MonoTime(le.Uint64(b)), Period: time.Duration(le.Uint64(b[8:])), Slot: int(le.Uint32(b[16:])), TID: le.Uint32(b[20:]),
		Kernel: int(le.Uint32(b[24:])), Flags: sampler.SampleFlags(le.Uint32(b[32:])),
	}
	n := uint64(le.Uint32(b[36:]))
	if have := uint64(len(b)-sampleBytes) / 8; n > have {
		return s, fmt.Errorf("%d addresses, %d fit", n, have)
	}
	if uint64(s.Kernel) > n || s.Period < 0 {
		return s, fmt.Errorf("%d kernel addresses of %d, period %d", s.Kernel, n, s.Period)
	}
	s.Addrs = make([]uint64, n)
	for i := range s.Addrs {
		s.Addrs[i] = le.Uint64(b[sampleBytes+8*i:])
	}
	rest, err := decodeInterpreted(b[sampleBytes+8*n:], n, &s.Interpreted)
	if err != nil {
		return s, err
	}
	if rest, err = decodeRepaired(rest, uint64(le.Uint32(b[28:])), n, &s.Repaired); err != nil {
		return s, err
	}
	if len(rest) < 16 {
		return s, nil
	}
	s.Base, s.Detail = time.Duration(le.Uint64(rest)), time.Duration(le.Uint64(rest[8:]))
	if s.Base < 0 || s.Detail < 0 {
		return s, fmt.Errorf("base period %d, detail period %d", s.Base, s.Detail)
	}
	if rest = rest[16:]; len(rest) >= 8 {
		s.Kept = math.Float64frombits(le.Uint64(rest))
		rest = rest[8:]
	}
	if len(rest) >= 8 {
		s.Gap = time.Duration(le.Uint64(rest))
	}
	if !(s.Kept >= 0 && s.Kept <= 1) {
		return s, fmt.Errorf("part kept %v is not in 0 … 1", s.Kept)
	}
	if s.Gap < 0 {
		return s, fmt.Errorf("gap %d before a sample", s.Gap)
	}
	return s, nil
}

func decodeTaskEvent(b []byte) (jvmlog.TaskEvent, error) {
	e, err := jvmlog.DecodeTaskEvent(b)
	if err != nil || len(b) < jvmlog.TaskEventBytes+16 {
		return e, err
	}
	e.RunProbability, e.LeftOut = math.Float64frombits(le.Uint64(b[jvmlog.TaskEventBytes:])), le.Uint32(b[jvmlog.TaskEventBytes+8:]) == 1
	if !(e.RunProbability >= 0 && e.RunProbability <= 1) {
		return e, fmt.Errorf("π of the run %v is not in 0 … 1", e.RunProbability)
	}
	return e, nil
}

// decodeRepaired decodes the m indices into n addresses that follow the interpreted frames, nothing
// in the first recordings, and returns the rest.
func decodeRepaired(b []byte, m, n uint64, out *[]int) ([]byte, error) {
	if len(b) == 0 {
		return nil, nil
	}
	if m > uint64(len(b))/4 {
		return nil, fmt.Errorf("%d repaired addresses, %d fit", m, len(b)/4)
	}
	for ; m > 0; m, b = m-1, b[4:] {
		i := int(le.Uint32(b))
		if before := *out; uint64(i) >= n || len(before) > 0 && i <= before[len(before)-1] {
			return nil, fmt.Errorf("repaired address %d of %d after %v", i, n, before)
		}
		*out = append(*out, i)
	}
	return b, nil
}

// decodeInterpreted decodes what follows the addresses of a sample of n, nothing in the first
// recordings, and returns the rest.
func decodeInterpreted(b []byte, n uint64, out *[]sampler.Interpreted) ([]byte, error) {
	if len(b) < 4 {
		return nil, nil
	}
	m := uint64(le.Uint32(b))
	if b = b[4:]; m > uint64(len(b))/interpretedBytes {
		return nil, fmt.Errorf("%d interpreted frames, %d fit", m, len(b)/interpretedBytes)
	}
	for ; m > 0; m, b = m-1, b[interpretedBytes:] {
		f := sampler.Interpreted{Frame: int(le.Uint32(b)), BCI: int32(le.Uint32(b[4:])), Method: le.Uint64(b[8:])}
		if uint64(f.Frame) >= n {
			return nil, fmt.Errorf("interpreted frame %d of %d addresses", f.Frame, n)
		}
		*out = append(*out, f)
	}
	return b, nil
}

func decodeStats(b []byte) (sampler.Stats, error) {
	var s sampler.Stats
	n := uint64(le.Uint32(b))
	if have := uint64(len(b)-8) / 8; n > have {
		return s, fmt.Errorf("%d fields, %d fit", n, have)
	}
	for i, f := range statsFields(&s) {
		if uint64(i) < n {
			*f = le.Uint64(b[8+8*i:])
		}
	}
	return s, nil
}

func decodeSymbol(b []byte) (codemap.Frame, error) {
	f := codemap.Frame{Addr: le.Uint64(b), Line: int(le.Uint32(b[12:]))}
	if k := le.Uint32(b[8:]); k > uint32(codemap.Kernel) {
		return f, fmt.Errorf("unknown kind of frame %d", k)
	}
	f.Kind = codemap.Kind(b[8])
	rest := b[16:]
	for _, s := range []*string{&f.Method, &f.File} {
		if len(rest) < 4 || uint64(le.Uint32(rest)) > uint64(len(rest)-4) {
			return f, fmt.Errorf("text at byte %d does not fit into %d bytes", len(b)-len(rest), len(b))
		}
		n := int(le.Uint32(rest))
		*s = string(rest[4 : 4+n])
		rest = rest[4+n:]
	}
	return f, nil
}
