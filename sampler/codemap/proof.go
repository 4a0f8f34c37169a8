package codemap

import (
	"sort"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// proof says what instructions tell of debug info. The code up to end belongs to the bytecode of
// another region. It begins with the region in which end lies, or behind the proof before. The
// proof is a check of that bytecode, and ends in a branch to the uncommon trap, whose debug info is
// right (FORMAT.md, "Notes on fields"). agent-jvmti/native/proof.h says how the agent finds them.
//
// A proof reaches no further than its branch: given the whole region, it took samples away from
// where they belong. Runs that a branch of theirs confirms could be believed whole, against
// pollution.go; that moved no sample of the 22 TPC-H queries, nor of LLSS's own form.
type proof struct {
	end    uint32 // offset from the nmethod's start
	region uint32 // the trap call's
}

// appendProofs appends what a record has proven of regions, ascending by end. A proof of a trap
// that no region with a chain ends at tells nothing.
func appendProofs(dst []proof, regions []region, proofs []jvmlog.PCProof) []proof {
	for _, p := range proofs {
		i := sort.Search(len(regions), func(i int) bool { return regions[i].end >= p.Trap })
		if i < len(regions) && regions[i].end == p.Trap && regions[i].chain != noLink {
			dst = append(dst, proof{end: p.End, region: uint32(i)})
		}
	}
	return dst
}

// believed is the region whose chain to believe of the code at an offset in region i, itself where
// nothing speaks against it. What is proven needs no judgement, and takes no part in it: a proof is
// not a region, so that it makes no runs. The caller holds the lock for reading.
func (m *Map) believed(code *nmethod, t *table, i int, offset uint32) int {
	if m.settings.Unrepaired {
		return i
	}
	if proven, ok := t.proven(i, offset); ok {
		return proven
	}
	if trusted := m.trusted(code, t); trusted != nil {
		return int(trusted[i])
	}
	return i
}

// proven is the region whose bytecode the code at an offset in region i has been proven to belong
// to; false: nothing proves it. No return address stands where a proof ends, for a branch ends
// there: so it does not matter here whether it is one.
func (t *table) proven(i int, offset uint32) (int, bool) {
	p := sort.Search(len(t.proofs), func(p int) bool { return t.proofs[p].end > offset })
	if p == len(t.proofs) || t.proofs[p].end > t.regions[i].end {
		return 0, false
	}
	return int(t.proofs[p].region), true
}
