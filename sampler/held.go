package sampler

import (
	"slices"
	"sync"
	"time"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/perfevent"
)

// mostHeldBytes bounds the samples of one JVM that were read from the rings and wait to be unwound.
// 64 MiB are ten seconds of eight threads at 25 Hz with 32 KiB of stack. What comes on top is
// dropped and counted (Stats.Overrun).
const mostHeldBytes = 64 << 20

// heldSample is a sample that was read and not yet unwound; buffers are used again.
type heldSample struct {
	time       jvmlog.MonoTime
	period     time.Duration // of the clock that took it, as in force then
	base       time.Duration // and bytes of both
	detail     time.Duration
	gap        time.Duration // Sample.Gap
	slot       int
	tid        uint32
	kernel     []uint64
	chain      []uint64
	ip, sp, fp uint64
	bcp        uint64
	method     uint64
	ret        uint64
	regs       bool
	stack      []byte
	deep       bool // the stack goes on beyond its copy, in the thread's own memory
	rounds     int
}

// bytes is about what h takes.
func (h *heldSample) bytes() int { return 256 + 8*(len(h.kernel)+len(h.chain)) + len(h.stack) }

// heldSamples are those that no one has taken yet.
type heldSamples struct {
	samples []*heldSample
	bytes   int          // of all that were not released
	buffers *heldBuffers // nil: none are kept
}

// heldBuffers are samples that may be used again, of all JVMs of a sampler. Safe for concurrent
// use. The zero value is ready.
type heldBuffers struct {
	mu    sync.Mutex
	free  []*heldSample
	bytes int // that free takes
	least int // of free, since it shrank

	shrank time.Time
}

// shrinkInterval is time enough for a round of each JVM.
const shrinkInterval = 2 * mostRoundInterval

// mostFreeBytes is more than the rounds of a node with sixteen task threads bring at 200 Hz: JVMs
// have theirs at about the same time. It is not what came while one was late.
const mostFreeBytes = 8 << 20

// get is an old sample, or a new one.
func (b *heldBuffers) get() *heldSample {
	if b == nil {
		return &heldSample{}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	n := len(b.free)
	if n == 0 {
		b.least = 0
		return &heldSample{}
	}
	h := b.free[n-1]
	b.free[n-1] = nil
	b.free = b.free[:n-1]
	b.least = min(b.least, n-1)
	b.bytes -= h.buffers()
	return h
}

// shrink lets go of a fourth of those that no one needed for a shrinkInterval.
func (b *heldBuffers) shrink(now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if now.Sub(b.shrank) < shrinkInterval {
		return
	}
	b.shrank = now
	n := (b.least + 3) / 4
	for _, h := range b.free[:n] {
		b.bytes -= h.buffers()
	}
	b.free = slices.Delete(b.free, 0, n)
	b.least = len(b.free)
}

// put keeps h, unless there are enough.
func (b *heldBuffers) put(h *heldSample) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if n := h.buffers(); b.bytes+n <= mostFreeBytes {
		b.free = append(b.free, h)
		b.bytes += n
	}
}

// hold copies a sample out of the reader's buffers, unless there is too much already.
func (q *heldSamples) hold(t *thread, s *perfevent.Sample) bool {
	if q.bytes+len(s.Stack) > mostHeldBytes {
		return false
	}
	h := q.buffers.get()
	*h = heldSample{
		time: jvmlog.MonoTime(s.Time), slot: t.slot.Slot, tid: t.slot.TID,
		kernel: append(h.kernel[:0], s.Kernel...), chain: append(h.chain[:0], s.User...), stack: append(h.stack[:0], s.Stack...), deep: s.StackFull,
	}
	t.took(h, s.Period)
	ip, ok1 := s.Reg(perfevent.RegIP)
	sp, ok2 := s.Reg(perfevent.RegSP)
	fp, ok3 := s.Reg(perfevent.RegFP)
	h.ip, h.sp, h.fp, h.regs = ip, sp, fp, ok1 && ok2 && ok3
	h.bcp, _ = s.Reg(perfevent.RegBCP)
	h.method, _ = s.Reg(perfevent.RegMethod)
	h.ret, _ = s.Reg(perfevent.RegReturn)
	if !h.regs {
		h.ip = s.IP
	}
	q.bytes += h.bytes()
	q.samples = append(q.samples, h)
	return true
}

// release says that a sample is not held any more.
func (q *heldSamples) release(h *heldSample) {
	q.bytes -= h.bytes()
	q.buffers.put(h)
}

// buffers is about what h takes when it is used again.
func (h *heldSample) buffers() int { return 256 + 8*(cap(h.kernel)+cap(h.chain)) + cap(h.stack) }
