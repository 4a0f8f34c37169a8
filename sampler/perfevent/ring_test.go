package perfevent

import (
	"encoding/binary"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

const testPage = 4096

// testRing is a ring of one data page in ordinary memory.
func testRing() (ring, []byte) {
	back := make([]uint64, 2*testPage/8) // aligned
	mem := unsafe.Slice((*byte)(unsafe.Pointer(&back[0])), 2*testPage)
	return newRing(mem, testPage), mem[testPage:]
}

// put writes a record at virtual offset at and returns the offset behind it.
func put(data []byte, at uint64, kind uint32, payload []byte) uint64 {
	b := make([]byte, headerBytes, headerBytes+len(payload))
	binary.LittleEndian.PutUint32(b, kind)
	binary.LittleEndian.PutUint16(b[6:], uint16(headerBytes+len(payload)))
	for i, v := range append(b, payload...) {
		data[(at+uint64(i))%uint64(len(data))] = v
	}
	return at + uint64(headerBytes+len(payload))
}

func TestReadAcrossTheEndOfTheRing(t *testing.T) {
	r, data := testRing()
	at := uint64(testPage*7 - 16) // 16 bytes before the end, in the seventh turn
	*r.tail = at
	l := Layout{SampleType: unix.PERF_SAMPLE_IP | unix.PERF_SAMPLE_TIME | unix.PERF_SAMPLE_PERIOD}
	at = put(data, at, unix.PERF_RECORD_SAMPLE, words(11, 12, 13))
	at = put(data, at, unix.PERF_RECORD_LOST, words(99, 3))
	at = put(data, at, unix.PERF_RECORD_LOST_SAMPLES, words(4))
	at = put(data, at, unix.PERF_RECORD_THROTTLE, words(1, 2, 3))
	at = put(data, at, unix.PERF_RECORD_UNTHROTTLE, words(1, 2, 3))
	at = put(data, at, unix.PERF_RECORD_EXIT, words(1, 2, 3))
	at = put(data, at, unix.PERF_RECORD_MMAP, words(1))
	at = put(data, at, unix.PERF_RECORD_SAMPLE, words(21, 22)) // too short
	at = put(data, at, unix.PERF_RECORD_SAMPLE, words(31, 32, 33))
	*r.head = at

	var ips, lost []uint64
	var throttle []bool
	reader := Reader{}
	c := reader.read(r, l, Handler{
		Sample:   func(s *Sample) { ips = append(ips, s.IP) },
		Lost:     func(n uint64) { lost = append(lost, n) },
		Throttle: func(on bool) { throttle = append(throttle, on) },
	})
	assert.Equal(t, []uint64{11, 31}, ips)
	assert.Equal(t, []uint64{3, 4}, lost)
	assert.Equal(t, []bool{true, false}, throttle)
	assert.Equal(t, Counts{Samples: 2, Lost: 7, Throttle: 1, Exits: 1, Bad: 1, Other: 1, Fill: 240.0 / testPage}, c)
	assert.Equal(t, at, *r.tail, "all space is given back")
	assert.Equal(t, Counts{}, reader.read(r, l, Handler{}), "nothing is read twice")
}

func TestDamagedRingIsSkippedAndCounted(t *testing.T) {
	cases := map[string]func(r ring, data []byte) (head uint64){
		"head too far ahead": func(ring, []byte) uint64 { return testPage + 8 },
		"head behind tail":   func(r ring, _ []byte) uint64 { *r.tail = 64; return 8 },
		"size 0": func(_ ring, data []byte) uint64 {
			binary.LittleEndian.PutUint16(data[6:], 0)
			return 64
		},
		"size not a multiple of 8": func(_ ring, data []byte) uint64 {
			binary.LittleEndian.PutUint16(data[6:], 12)
			return 64
		},
		"size beyond the head": func(_ ring, data []byte) uint64 {
			binary.LittleEndian.PutUint16(data[6:], 72)
			return 64
		},
		"less than a header": func(ring, []byte) uint64 { return 4 },
	}
	for name, damage := range cases {
		t.Run(name, func(t *testing.T) {
			r, data := testRing()
			head := damage(r, data)
			*r.head = head
			reader := Reader{}
			c := reader.read(r, Layout{}, Handler{Sample: func(*Sample) { t.Error("a sample out of damage") }})
			assert.True(t, c.Fill > 0 && c.Fill <= 1, c.Fill)
			c.Fill = 0
			assert.Equal(t, Counts{Damaged: 1}, c)
			require.Equal(t, head, *r.tail, "reading goes on behind the damage")
		})
	}
}

func FuzzRing(f *testing.F) {
	r, data := testRing()
	end := put(data, 0, unix.PERF_RECORD_SAMPLE, words(1, 2, 3, 4, 5, 6))
	f.Add(data[:end], uint64(0), end)
	f.Add([]byte{9, 0, 0, 0, 0, 0, 8, 0}, uint64(4088), uint64(4096))
	_ = r
	f.Fuzz(func(t *testing.T, bytes []byte, tail, head uint64) {
		r, data := testRing()
		copy(data, bytes)
		*r.tail, *r.head = tail, head
		reader := Reader{}
		c := reader.read(r, Layout{SampleType: DefaultSampleType, RegsMask: RegsMask}, Handler{})
		if *r.tail != head {
			t.Fatalf("tail %d, head %d: %+v", *r.tail, head, c)
		}
		if n := c.Samples + c.Bad + c.Other + c.Exits + c.Throttle; n > testPage/headerBytes {
			t.Fatalf("%d records out of %d bytes", n, testPage)
		}
	})
}
