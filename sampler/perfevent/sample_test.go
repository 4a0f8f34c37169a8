package perfevent

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// words is a payload of little-endian words.
func words(w ...uint64) []byte {
	var b []byte
	for _, v := range w {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

func TestDecodeTheFieldsThatPlanflameAsksFor(t *testing.T) {
	l := Layout{SampleType: DefaultSampleType, RegsMask: 1<<6 | 1<<7 | 1<<8 | 1<<23}
	payload := words(
		0x7f0000001000,      // ip
		0x0000000b_0000000a, // pid 10, tid 11
		1234567,             // time
		5_000_000,           // period
		6,                   // callchain: 6 entries
		^uint64(127),        // PERF_CONTEXT_KERNEL
		0xffffffff81000010,
		^uint64(511), // PERF_CONTEXT_USER
		0x7f0000001000, 0x7f0000002000, 0x7f0000003000,
		2,                        // 64-bit registers
		0x66, 0x77, 0x88, 0x2323, // BP, SP, IP, R15
		24,                     // stack reserved
		0x5151, 0x5252, 0x5353, // stack
		16, // stack copied
	)
	var s Sample
	require.NoError(t, l.Decode(payload, &s))
	assert.Equal(t, uint64(0x7f0000001000), s.IP)
	assert.Equal(t, uint32(10), s.PID)
	assert.Equal(t, uint32(11), s.TID)
	assert.Equal(t, uint64(1234567), s.Time)
	assert.Equal(t, 5*time.Millisecond, s.Period)
	assert.Equal(t, []uint64{0xffffffff81000010}, s.Kernel)
	assert.Equal(t, []uint64{0x7f0000001000, 0x7f0000002000, 0x7f0000003000}, s.User)
	for bit, want := range map[int]uint64{6: 0x66, 7: 0x77, 8: 0x88, 23: 0x2323} {
		v, ok := s.Reg(bit)
		assert.True(t, ok, "register %d", bit)
		assert.Equal(t, want, v, "register %d", bit)
	}
	_, ok := s.Reg(0)
	assert.False(t, ok, "AX is not in the mask")
	assert.Equal(t, words(0x5151, 0x5252), s.Stack)
	assert.False(t, s.StackFull, "the stack's memory ended there")
	le := binary.LittleEndian
	le.PutUint64(payload[len(payload)-8:], 24)
	require.NoError(t, l.Decode(payload, &s))
	assert.Equal(t, words(0x5151, 0x5252, 0x5353), s.Stack)
	assert.True(t, s.StackFull)
}

func TestDecodeEveryOptionalField(t *testing.T) {
	l := Layout{SampleType: decodable &^ unix.PERF_SAMPLE_STACK_USER}
	payload := words(
		1,             // identifier
		2,             // ip
		3|4<<32,       // pid, tid
		5, 6, 7, 8, 9, // time, addr, id, stream id, cpu
		10,                           // period
		2, ^uint64(2047), 0xdeadbeef, // callchain of a guest: left out
		4|uint64(0x11223344)<<32, // raw: 4 bytes
		0,                        // no registers
	)
	var s Sample
	require.NoError(t, l.Decode(payload, &s))
	assert.Equal(t, uint64(2), s.IP)
	assert.Equal(t, uint32(4), s.TID)
	assert.Equal(t, uint64(5), s.Time)
	assert.Equal(t, 10*time.Nanosecond, s.Period)
	assert.Empty(t, s.User)
	assert.Empty(t, s.Kernel)
	_, ok := s.Reg(7)
	assert.False(t, ok)
}

func TestDecodeRefusesWhatDoesNotFit(t *testing.T) {
	head := []uint64{1, 2, 3, 4}
	cases := map[string]struct {
		words []uint64
		want  string
	}{
		"nothing":                              {nil, "ip at byte 0 of 0"},
		"cut in the period":                    {head[:3], "period at byte 24"},
		"chain longer than record":             {append(head[:4:4], 1000), "callchain at byte 40"},
		"chain of a length that overflows":     {append(head[:4:4], 1<<61+1), "callchain at byte 40"},
		"registers cut":                        {append(head[:4:4], 0, 2, 1), "registers at byte 56"},
		"stack cut":                            {append(head[:4:4], 0, 0, 16, 1), "stack at byte 56"},
		"stack with more copied than reserved": {append(head[:4:4], 0, 0, 8, 1, 9), "more than was reserved"},
		"negative period":                      {[]uint64{1, 2, 3, 1 << 63, 0, 0, 0}, "period"},
		"a period that no event has":           {[]uint64{1, 2, 3, uint64(2*MaxPeriod) + 1, 0, 0, 0}, "period"},
	}
	l := Layout{SampleType: DefaultSampleType, RegsMask: RegsMask}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var s Sample
			assert.ErrorContains(t, l.Decode(words(c.words...), &s), c.want)
		})
	}
}

func TestLayoutValidate(t *testing.T) {
	assert.NoError(t, Layout{SampleType: DefaultSampleType}.Validate())
	assert.ErrorContains(t, Layout{SampleType: DefaultSampleType | unix.PERF_SAMPLE_REGS_INTR}.Validate(), "not known")
	assert.ErrorContains(t, Layout{SampleType: DefaultSampleType &^ unix.PERF_SAMPLE_TIME}.Validate(), "missing")
}

func TestSpecValidate(t *testing.T) {
	good := Spec{Period: time.Millisecond, StackBytes: 8192, RingPages: 4}
	require.NoError(t, good.Validate())
	for want, change := range map[string]func(*Spec){
		"period":      func(s *Spec) { s.Period = 99 * time.Microsecond },
		"stack bytes": func(s *Spec) { s.StackBytes = 12 },
		"ring pages":  func(s *Spec) { s.RingPages = 3 },
	} {
		bad := good
		change(&bad)
		assert.ErrorContains(t, bad.Validate(), want)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(uint64(DefaultSampleType), uint64(RegsMask), words(1, 2, 3, 4, 1, 5, 0, 8, 6, 8))
	f.Add(uint64(decodable), uint64(3), words(1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 2, 1, 1, 0))
	f.Fuzz(func(t *testing.T, sampleType, regsMask uint64, payload []byte) {
		l := Layout{SampleType: sampleType, RegsMask: regsMask}
		var s Sample
		if err := l.Decode(payload, &s); err != nil {
			return
		}
		if len(s.Stack) > len(payload) || 8*(len(s.User)+len(s.Kernel)) > len(payload) {
			t.Fatalf("a payload of %d bytes gave %d addresses and %d bytes of stack", len(payload), len(s.User)+len(s.Kernel), len(s.Stack))
		}
	})
}
