package recording

import (
	"fmt"
	"math"
	"time"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// decodeSample1 decodes a SAMPLE of major 1:
//
//	u64 time; u64 period_ns; u32 slot; u32 tid; u32 kernel; u32 repaired; u32 flags; u32 n; n × u64 address;
//	u32 m; m × {u32 frame; i32 bci; u64 method}: sampler.Interpreted (since 1.1); repaired × u32 index (since 1.2);
//	u64 base_period_ns; u64 detail_period_ns (since 1.3); f64 part of the samples that was kept, 0: all (since 1.5); u64 gap_ns (since 1.6)
func decodeSample1(b []byte) (sampler.Sample, error) {
	if len(b) < sampleBytes {
		return sampler.Sample{}, fmt.Errorf("%d bytes, at least %d are needed", len(b), sampleBytes)
	}
	s := sampler.Sample{
		Time: jvmlog.MonoTime(le.Uint64(b)), Period: time.Duration(le.Uint64(b[8:])), Slot: int(le.Uint32(b[16:])), TID: le.Uint32(b[20:]),
		Kernel: int(le.Uint32(b[24:])), Flags: sampler.SampleFlags(le.Uint32(b[32:])),
	}
	n := uint64(le.Uint32(b[36:]))
	if have := uint64(len(b)-sampleBytes) / 8; n > have {
		return s, fmt.Errorf("%d addresses, %d fit", n, have)
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
		return s, checkSample(&s)
	}
	s.Base, s.Detail = time.Duration(le.Uint64(rest)), time.Duration(le.Uint64(rest[8:]))
	if rest = rest[16:]; len(rest) >= 8 {
		s.Kept = math.Float64frombits(le.Uint64(rest))
		rest = rest[8:]
	}
	if len(rest) >= 8 {
		s.Gap = time.Duration(le.Uint64(rest))
	}
	return s, checkSample(&s)
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
