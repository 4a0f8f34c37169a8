package codemap

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// BenchmarkResolve names an address in a map of n nmethods, each as large as the captured one (229
// regions, chains of 1-4 frames).
func BenchmarkResolve(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		for _, ask := range []string{"leaf", "return", "unknown"} {
			b.Run(fmt.Sprintf("nmethods=%d/%s", n, ask), func(b *testing.B) {
				m, load := readCapture(b, Settings{})
				for i := range n - 1 {
					copied := *load
					copied.Address += uint64(i+1) * 0x1000
					m.Apply(1, &copied)
					m.resolveOne(2, copied.Address, true, nil) // judges its debug info, once
				}
				low, span := load.Address, uint64(n)*0x1000
				if ask == "unknown" {
					low += span
				}
				var frames []Frame
				named := 0
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					frames = m.resolveOne(2, low+uint64(i)*0x9e3779b1%span&^0xfff+uint64(i*37)%uint64(load.Size), ask == "leaf", frames[:0])
					named += len(frames)
				}
				require.GreaterOrEqual(b, named, b.N)
				b.ReportMetric(float64(named)/float64(b.N), "frames/op")
			})
		}
	}
}

// BenchmarkJudge judges the debug info of the captured nmethod, which happens once for each that is
// sampled.
func BenchmarkJudge(b *testing.B) {
	m, load := readCapture(b, Settings{})
	for b.Loop() {
		var info debugInfo
		info.read(unpack(newNMethod(load).packed), m.sourceLineOf)
		require.NotNil(b, info.trusted(info.doubt(info.polluted())))
	}
	b.ReportMetric(float64(len(load.PCs)), "regions/op")
}

// BenchmarkApply takes in loads that overlap earlier ones, as a busy code cache's do.
func BenchmarkApply(b *testing.B) {
	m, load := readCapture(b, Settings{})
	at := jvmlog.MonoTime(2)
	for b.Loop() {
		copied := *load
		copied.Address += uint64(at%1000) * 0x1000
		m.Apply(at, &copied)
		at++
		if at%1000 == 0 {
			m.Forget(max(at, 5000) - 5000)
		}
	}
	require.Equal(b, uint64(b.N)+1, m.Stats().Loads)
}
