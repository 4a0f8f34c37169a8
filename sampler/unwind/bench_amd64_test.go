package unwind

import (
	"fmt"
	"testing"
)

// BenchmarkUnwind unwinds stacks of so many compiled frames below a stub that hides its caller.
func BenchmarkUnwind(b *testing.B) {
	for _, frames := range []int{10, 60, 120} {
		b.Run(fmt.Sprintf("frames=%d", frames), func(b *testing.B) {
			m := newMachine()
			m.base()
			for range frames - 1 {
				m.compiled(frameA)
				m.callsTo(inA, methodA)
			}
			m.compiled(frameB)
			m.callsTo(inB, stubS)
			in := m.sample(stubS+0x40, 16<<10)
			u := m.unwinder()
			var out []uint64
			for b.Loop() {
				var r Result
				out, r = u.Unwind(in, out[:0])
				if !r.Complete || len(out) != frames+1+len(baseAddrs) {
					b.Fatalf("%d addresses, %+v", len(out), r)
				}
			}
		})
	}
}
