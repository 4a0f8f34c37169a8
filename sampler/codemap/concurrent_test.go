package codemap

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// One goroutine applies records while others resolve; for the race detector, and for
// answers that are always one of the methods that stood at the address.
func TestConcurrentUse(t *testing.T) {
	m := New(Settings{})
	apply(m, names())
	m.Apply(0, inlined())
	var stop atomic.Bool
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			var frames []Frame
			for at := jvmlog.MonoTime(1); !stop.Load(); at++ {
				frames = m.resolveOne(at%500, 0x1010, true, frames[:0])
				last := frames[len(frames)-1]
				require.Contains(t, []string{"a", "b"}, last.Method)
				m.Stats()
			}
		})
	}
	for at := jvmlog.MonoTime(1); at < 500; at++ {
		load := inlined()
		load.Method, load.CompileID = jvmlog.MethodID(1+at%2), uint32(at)
		for i := range load.Frames {
			load.Frames[i].Method = load.Method
		}
		m.Apply(at, methodRecord(load.Method, string(rune('a'+at%2))))
		m.Apply(at, load)
		m.Watermark(at)
		if at > 100 {
			m.Forget(at - 100)
		}
	}
	stop.Store(true)
	wg.Wait()
	require.Equal(t, uint64(500), m.Stats().Loads)
	require.LessOrEqual(t, m.Stats().Intervals, 102)
}

// FuzzMap applies any records to a small Map and asks it about any addresses.
func FuzzMap(f *testing.F) {
	var seed []byte
	for i, r := range []jvmlog.Record{methodRecord(1, "a"), inlined(), &jvmlog.CodeUnload{Address: 0x1000, Method: 1}, &jvmlog.Stub{Address: 0x1800, Size: 9, Name: "s"}, &jvmlog.CodeHeap{Low: 1, High: 9}, code("aZAbZBcZC")} {
		var err error
		seed, err = jvmlog.EncodeRecord(seed, uint64(len(seed)), jvmlog.MonoTime(i), r)
		require.NoError(f, err)
	}
	f.Add(seed, uint64(3), uint64(0x1010))
	f.Fuzz(func(t *testing.T, b []byte, at, addr uint64) {
		m := New(Settings{MaxCodeBytes: 1 << 20, MaxMethodBytes: 1 << 16})
		for offset := 0; offset < len(b); {
			h, err := jvmlog.DecodeRecordHeader(b[offset:], uint64(offset))
			if err != nil || uint64(offset)+uint64(h.Length) > uint64(len(b)) {
				break
			}
			payload := b[offset+jvmlog.RecordHeaderBytes:][:h.PayloadBytes]
			if r, err := jvmlog.DecodePayload(h.Type, 1, payload); err == nil { // whatever its checksum
				m.Apply(h.Time, r)
			}
			offset += int(h.Length)
		}
		for _, leaf := range []bool{false, true} {
			require.NotEmpty(t, m.resolveOne(jvmlog.MonoTime(at), addr, leaf, nil))
			for _, all := range m.pages {
				for _, v := range all {
					require.NotEmpty(t, m.resolveOne(jvmlog.MonoTime(at), v.start+1, leaf, nil))
					require.NotEmpty(t, m.resolveOne(v.from, v.end-1, leaf, nil))
				}
			}
		}
		m.Forget(jvmlog.MonoTime(at))
		s := m.Stats()
		require.LessOrEqual(t, s.CodeBytes, 1<<20)
		require.LessOrEqual(t, s.MethodBytes, 1<<16)
	})
}
