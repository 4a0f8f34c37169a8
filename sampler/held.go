package sampler

import (
	"time"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/perfevent"
)

// mostHeldBytes bounds the samples of one JVM that were read from the rings and wait to be unwound: 64 MiB are ten seconds of eight threads
// at 25 Hz with 32 KiB of stack. What comes on top is dropped and counted (Stats.Overrun).
const mostHeldBytes = 64 << 20

// heldSample is a sample that was read and not yet unwound; buffers are used again.
type heldSample struct {
	time       jvmlog.MonoTime
	period     time.Duration
	base       time.Duration
	detail     time.Duration
	slot       int
	tid        uint32
	kernel     []uint64
	chain      []uint64
	ip, sp, fp uint64
	bcp        uint64
	regs       bool
	stack      []byte
	rounds     int
}

// bytes is about what h takes.
func (h *heldSample) bytes() int { return 256 + 8*(len(h.kernel)+len(h.chain)) + len(h.stack) }

// heldSamples are those that nobody has taken yet, and buffers for new ones.
type heldSamples struct {
	samples   []*heldSample
	free      []*heldSample
	freeBytes int // that free takes
	bytes     int // of all that is not free
}

// hold copies a sample out of the reader's buffers, unless there is too much already.
func (q *heldSamples) hold(t *thread, s *perfevent.Sample) bool {
	if q.bytes+len(s.Stack) > mostHeldBytes {
		return false
	}
	h := &heldSample{}
	if n := len(q.free); n > 0 {
		h, q.free = q.free[n-1], q.free[:n-1]
		q.freeBytes -= h.buffers()
	}
	*h = heldSample{
		time: jvmlog.MonoTime(s.Time), period: s.Period, base: t.base, detail: t.detail, slot: t.slot.Slot, tid: t.slot.TID,
		kernel: append(h.kernel[:0], s.Kernel...), chain: append(h.chain[:0], s.User...), stack: append(h.stack[:0], s.Stack...),
	}
	ip, ok1 := s.Reg(perfevent.RegIP)
	sp, ok2 := s.Reg(perfevent.RegSP)
	fp, ok3 := s.Reg(perfevent.RegFP)
	h.ip, h.sp, h.fp, h.regs = ip, sp, fp, ok1 && ok2 && ok3
	h.bcp, _ = s.Reg(perfevent.RegBCP)
	if !h.regs {
		h.ip = s.IP
	}
	q.bytes += h.bytes()
	q.samples = append(q.samples, h)
	return true
}

// release keeps some of the buffers.
func (q *heldSamples) release(h *heldSample) {
	q.bytes -= h.bytes()
	const mostFree = 4 << 20 // what a round brings, not what came while one was late
	if n := h.buffers(); q.freeBytes+n <= mostFree {
		q.free = append(q.free, h)
		q.freeBytes += n
	}
}

// buffers is about what h takes when it is used again.
func (h *heldSample) buffers() int { return 256 + 8*(cap(h.kernel)+cap(h.chain)) + cap(h.stack) }
