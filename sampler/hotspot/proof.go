package hotspot

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"sort"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// traps are a JVM's uncommon traps.
type traps struct {
	blob    uint64 // where they are called; 0: not known, nothing is proven
	reasons uint32 // bit n: traps for Deoptimization::DeoptReason n have the state of the bytecode that checks
}

// What agent-jvmti/native/proof.c looks for. proof.h says why that proves something.
const (
	mostBlock   = 128 // bytes of a trap's block, call and all
	callLen     = 5   // E8 rel32
	branchLen   = 6   // 0F 8x rel32
	requestLen  = 5   // BE imm32: mov esi
	reasonShift = 3   // of a trap's request
)

// trapBlock is where a trap may have its block: [from, end), end behind the call.
type trapBlock struct {
	from, end uint32
	branches  int    // how many lead into it; of the last one:
	target    uint32 // where it leads
	branchEnd uint32
}

// instructions are the code of one nmethod.
type instructions struct {
	bytes   []byte
	address uint64 // where it runs
}

// destination is where the rel32 at an offset leads; an offset, too.
func (c instructions) destination(at int) int64 {
	return int64(at) + 4 + int64(int32(binary.LittleEndian.Uint32(c.bytes[at:])))
}

// each calls with each place of a byte that begins an instruction of n bytes.
func (c instructions) each(b byte, n int, call func(at int)) {
	for at := 0; ; at++ {
		next := bytes.IndexByte(c.bytes[at:], b)
		if next < 0 || len(c.bytes)-at-next < n {
			return
		}
		at += next
		call(at)
	}
}

// blocks end in a call of the trap that has debug info, and hold no other one.
func (c instructions) blocks(blob uint64, regions []jvmlog.PCRegion) (blocks []trapBlock) {
	trap := int64(blob - c.address)
	last := uint32(0)
	c.each(0xe8, callLen, func(at int) {
		if c.destination(at+1) != trap {
			return
		}
		end := uint32(at + callLen)
		block := trapBlock{from: last, end: end}
		if end-last > mostBlock {
			block.from = end - mostBlock
		}
		if _, found := slices.BinarySearchFunc(regions, end, func(r jvmlog.PCRegion, end uint32) int { return cmp.Compare(r.End, end) }); found {
			blocks = append(blocks, block)
		}
		last = end
	})
	return blocks
}

// countBranches counts the conditional branches into each block.
func (c instructions) countBranches(blocks []trapBlock) {
	c.each(0x0f, branchLen, func(at int) {
		if c.bytes[at+1]&0xf0 != 0x80 {
			return
		}
		target := c.destination(at + 2)
		if target < 0 || target >= int64(len(c.bytes)) {
			return
		}
		i := sort.Search(len(blocks), func(i int) bool { return int64(blocks[i].end) > target })
		if i == len(blocks) || target < int64(blocks[i].from) {
			return
		}
		blocks[i].branches++
		blocks[i].target, blocks[i].branchEnd = uint32(target), uint32(at+branchLen)
	})
}

// reasons are those, a bit each, for which a block calls the trap: what it gives esi, from the
// branch's target on.
func (c instructions) reasons(block *trapBlock) (reasons uint32) {
	for at := block.target; at+requestLen+callLen <= block.end; at++ {
		b := c.bytes[at:]
		if b[0] != 0xbe || b[2] != 0xff || b[3] != 0xff || b[4] != 0xff {
			continue
		}
		if at > block.target && c.bytes[at-1]&0xf1 == 0x41 { // REX.B: another register
			continue
		}
		reasons |= 1 << (^b[1] >> reasonShift)
	}
	return reasons
}

// findProofs returns a proof for each branch that proves something, ascending by End.
func findProofs(traps traps, code []byte, address uint64, regions []jvmlog.PCRegion) (proofs []jvmlog.PCProof) {
	if traps.blob == 0 || traps.reasons == 0 {
		return nil
	}
	c := instructions{bytes: code, address: address}
	blocks := c.blocks(traps.blob, regions)
	if len(blocks) > 0 {
		c.countBranches(blocks)
	}
	for i := range blocks {
		b := &blocks[i]
		if b.branches != 1 {
			continue
		}
		if reasons := c.reasons(b); reasons != 0 && reasons&^traps.reasons == 0 {
			proofs = append(proofs, jvmlog.PCProof{End: b.branchEnd, Trap: b.end})
		}
	}
	slices.SortFunc(proofs, func(a, b jvmlog.PCProof) int { return cmp.Compare(a.End, b.End) })
	return proofs
}
