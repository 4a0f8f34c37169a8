package recording

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// What a SAMPLE says beside its slot, time and stack. A field that is left out is as in the
// thread's last sample, or 0 for kernel, flags, repaired and gap.
const (
	hasPeriod = 1 << iota
	hasBase
	hasKernel
	hasFlags
	hasRepaired
	hasGap
	hasDetail
	hasTID
	hasKept
	newTrees // all trees and threads, of all JVMs, begin again
	knownFields
)

// encodeSample appends a SAMPLE to dst, or returns an error for one that no Reader takes. It
// extends the JVM's tree.
func (w *Writer) encodeSample(dst []byte, id sampler.JVMID, s *sampler.Sample) ([]byte, error) {
	if len(s.Addrs) > maxFrames || s.Slot < 0 || s.Slot >= maxSlots {
		return dst, fmt.Errorf("stack of %d frames, slot %d", len(s.Addrs), s.Slot)
	}
	has := uint64(0)
	if w.size+len(s.Addrs)+1 > w.most {
		clear(w.trees)
		w.size, has = 0, newTrees
	}
	tree := w.trees[id]
	if tree == nil {
		tree = newGrowing()
		w.trees[id] = tree
	}
	before := tree.size()
	last := tree.threads[s.Slot]
	if last == nil {
		last = &thread{}
		tree.threads[s.Slot] = last
	}
	dst = encodeFields(dst, s, last, has)
	dst = w.encodeStack(dst, tree, s)
	w.size += tree.size() - before
	return dst, nil
}

func encodeFields(dst []byte, s *sampler.Sample, last *thread, has uint64) []byte {
	now := thread{tid: s.TID, time: int64(s.Time), period: int64(s.Period), base: int64(s.Base), detail: int64(s.Detail), kept: s.Kept}
	for _, f := range []struct {
		bit uint64
		set bool
	}{
		{hasPeriod, now.period != last.period}, {hasBase, now.base != last.base}, {hasKernel, s.Kernel != 0}, {hasFlags, s.Flags != 0},
		{hasRepaired, len(s.Repaired) > 0}, {hasGap, s.Gap != 0}, {hasDetail, now.detail != last.detail}, {hasTID, now.tid != last.tid},
		{hasKept, now.kept != last.kept},
	} {
		if f.set {
			has |= f.bit
		}
	}
	dst = binary.AppendUvarint(dst, has)
	dst = binary.AppendUvarint(dst, uint64(s.Slot))
	dst = binary.AppendVarint(dst, now.time-last.time-last.period)
	for _, f := range []struct{ bit, value uint64 }{
		{hasPeriod, uint64(now.period)}, {hasBase, uint64(now.base)}, {hasKernel, uint64(s.Kernel)}, {hasFlags, uint64(s.Flags)},
		{hasGap, uint64(s.Gap)}, {hasDetail, uint64(now.detail)}, {hasTID, uint64(now.tid)}, {hasKept, math.Float64bits(now.kept)},
	} {
		if has&f.bit != 0 {
			dst = binary.AppendUvarint(dst, f.value)
		}
	}
	if has&hasRepaired != 0 {
		dst = binary.AppendUvarint(dst, uint64(len(s.Repaired)))
		for _, i := range s.Repaired {
			dst = binary.AppendUvarint(dst, uint64(i))
		}
	}
	*last = now
	return dst
}

// encodeStack appends the part of the stack that the tree has and the frames that are new.
func (w *Writer) encodeStack(dst []byte, tree *growing, s *sampler.Sample) []byte {
	interpreted := s.Interpreted
	at := func(i int) frame { // called with falling i
		f := frame{addr: s.Addrs[i]}
		if n := len(interpreted); n > 0 && interpreted[n-1].Frame == i {
			f.method, f.bci, f.interpreted = interpreted[n-1].Method, interpreted[n-1].BCI, true
			interpreted = interpreted[:n-1]
		}
		return f
	}
	node, i := uint32(0), len(s.Addrs)-1
	w.fresh = w.fresh[:0]
	for ; i >= 0; i-- {
		f := at(i)
		below, ok := tree.below(node, f)
		if !ok {
			w.fresh = append(w.fresh, f)
			break
		}
		node = below
	}
	for i--; i >= 0; i-- {
		w.fresh = append(w.fresh, at(i))
	}
	dst = binary.AppendUvarint(dst, uint64(tree.nodes-node))
	dst = binary.AppendUvarint(dst, uint64(len(w.fresh)))
	if len(w.fresh) == 0 {
		return dst
	}
	caller, ran := uint64(0), 0
	if above := len(s.Addrs) - len(w.fresh); above > 0 {
		caller = s.Addrs[len(w.fresh)]
	}
	for _, f := range w.fresh {
		if number, ok := tree.numbers[f.addr]; ok {
			dst = binary.AppendUvarint(dst, uint64(number))
		} else {
			tree.numbers[f.addr] = uint32(len(tree.numbers)) + 1
			dst = binary.AppendUvarint(dst, 0)
			dst = binary.AppendVarint(dst, int64(f.addr-caller))
		}
		caller = f.addr
		if f.interpreted {
			ran++
		}
		node = tree.add(node, f)
	}
	dst = binary.AppendUvarint(dst, uint64(ran))
	for i, f := range w.fresh {
		if f.interpreted {
			dst = binary.AppendUvarint(dst, uint64(i))
			dst = binary.AppendUvarint(dst, f.method)
			dst = binary.AppendVarint(dst, int64(f.bci))
		}
	}
	return dst
}

var (
	errShort     = errors.New("ends in the middle of a number")
	errManyNodes = fmt.Errorf("more than %d nodes and threads", maxNodes)
)

// numbers reads variable-length numbers. After the first that is not there all are 0.
type numbers struct {
	b   []byte
	err error
}

func (n *numbers) uvarint() uint64 {
	v, size := binary.Uvarint(n.b)
	if size <= 0 {
		n.b, n.err = nil, errShort
		return 0
	}
	n.b = n.b[size:]
	return v
}

func (n *numbers) varint() int64 {
	v, size := binary.Varint(n.b)
	if size <= 0 {
		n.b, n.err = nil, errShort
		return 0
	}
	n.b = n.b[size:]
	return v
}

// readSample decodes a SAMPLE of major 2. It extends the JVM's tree. What stands behind the fields
// that are known is of a newer version.
func (r *Reader) readSample(id sampler.JVMID, body []byte) (s sampler.Sample, err error) {
	n := &numbers{b: body}
	has, slot := n.uvarint(), n.uvarint()
	if has >= knownFields {
		return s, fmt.Errorf("fields %#x, at most %#x are known", has, knownFields-1)
	}
	if slot >= maxSlots {
		return s, fmt.Errorf("slot %d of at most %d", slot, maxSlots)
	}
	if has&newTrees != 0 {
		clear(r.trees)
		r.size = 0
	}
	tree := r.trees[id]
	if tree == nil {
		tree = newGrown()
		r.trees[id] = tree
	}
	last := tree.threads[int(slot)]
	if last == nil {
		if r.size++; r.size > maxNodes {
			return s, errManyNodes
		}
		last = &thread{}
		tree.threads[int(slot)] = last
	}
	readFields(n, &s, last, has)
	s.Slot = int(slot)
	node, err := r.readFrames(n, tree)
	if err == nil {
		err = n.err
	}
	if err != nil {
		return s, err
	}
	if !tree.stack(node, &s) {
		return s, fmt.Errorf("stack of more than %d frames", maxFrames)
	}
	return s, checkSample(&s)
}

func readFields(n *numbers, s *sampler.Sample, last *thread, has uint64) {
	last.time += last.period + n.varint()
	field := func(bit uint64, set func(uint64)) {
		if has&bit != 0 {
			set(n.uvarint())
		}
	}
	field(hasPeriod, func(v uint64) { last.period = int64(v) })
	field(hasBase, func(v uint64) { last.base = int64(v) })
	field(hasKernel, func(v uint64) { s.Kernel = int(v) })
	field(hasFlags, func(v uint64) { s.Flags = sampler.SampleFlags(v) })
	field(hasGap, func(v uint64) { s.Gap = time.Duration(v) })
	field(hasDetail, func(v uint64) { last.detail = int64(v) })
	field(hasTID, func(v uint64) { last.tid = uint32(v) })
	field(hasKept, func(v uint64) { last.kept = math.Float64frombits(v) })
	if has&hasRepaired != 0 {
		m := n.uvarint()
		s.Repaired = make([]int, 0, min(m, uint64(len(n.b)))) // each takes a byte at least
		for ; m > 0 && n.err == nil; m-- {
			s.Repaired = append(s.Repaired, int(n.uvarint()))
		}
	}
	s.Time, s.TID, s.Period, s.Base, s.Detail, s.Kept =
		jvmlog.MonoTime(last.time), last.tid, time.Duration(last.period), time.Duration(last.base), time.Duration(last.detail), last.kept
}

// readFrames adds the new frames of a stack to the tree and returns the leaf.
func (r *Reader) readFrames(n *numbers, tree *grown) (leaf uint32, err error) {
	back, fresh := n.uvarint(), n.uvarint()
	if back > uint64(tree.nodes()) {
		return 0, fmt.Errorf("%d nodes back of %d", back, tree.nodes())
	}
	node := uint64(tree.nodes()) - back
	if fresh == 0 {
		return uint32(node), nil
	}
	if fresh > uint64(len(n.b)) {
		return 0, fmt.Errorf("%d frames, at most %d fit", fresh, len(n.b))
	}
	if r.size += int(fresh); r.size > maxNodes {
		return 0, errManyNodes
	}
	addr, first := tree.frames[node].addr, len(tree.frames)
	for range fresh {
		switch number := n.uvarint(); {
		case number > uint64(len(tree.addrs)):
			return 0, fmt.Errorf("address %d of %d", number, len(tree.addrs))
		case number > 0:
			addr = tree.addrs[number-1]
		default:
			addr += uint64(n.varint())
			tree.addrs = append(tree.addrs, addr)
		}
		tree.callers = append(tree.callers, uint32(node))
		node = uint64(len(tree.frames))
		tree.frames = append(tree.frames, frame{addr: addr})
	}
	for m := n.uvarint(); m > 0 && n.err == nil; m-- {
		i := n.uvarint()
		if i >= fresh {
			return 0, fmt.Errorf("interpreted frame %d of %d", i, fresh)
		}
		f := &tree.frames[first+int(i)]
		f.method, f.bci, f.interpreted = n.uvarint(), int32(n.varint()), true
	}
	return uint32(node), nil
}

// checkSample reports what cannot be in a sample.
func checkSample(s *sampler.Sample) error {
	if s.Kernel < 0 || s.Kernel > len(s.Addrs) || s.Period < 0 {
		return fmt.Errorf("%d kernel addresses of %d, period %d", s.Kernel, len(s.Addrs), s.Period)
	}
	before := -1
	for _, i := range s.Repaired {
		if i <= before || i >= len(s.Addrs) {
			return fmt.Errorf("repaired address %d of %d after %d", i, len(s.Addrs), before)
		}
		before = i
	}
	if s.Base < 0 || s.Detail < 0 {
		return fmt.Errorf("base period %d, detail period %d", s.Base, s.Detail)
	}
	if !(s.Kept >= 0 && s.Kept <= 1) {
		return fmt.Errorf("part kept %v is not in 0 … 1", s.Kept)
	}
	if s.Gap < 0 {
		return fmt.Errorf("gap %d before a sample", s.Gap)
	}
	return nil
}
