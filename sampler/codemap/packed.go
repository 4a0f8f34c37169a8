package codemap

import (
	"encoding/binary"
	"sync"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// table is the debug info of one nmethod as it is looked up.
type table struct {
	regions []region // ascending by end
	links   []link
	proofs  []proof // ascending by end

	judge   sync.Once
	trusted []uint32 // :: region → region to believe instead, itself where it is believed; nil: all are believed. Valid after judge
}

// bytes estimates the memory that t holds once it is judged.
func (t *table) bytes() int {
	const fixed, perRegion, perLink, perProof = 124, 8 + 4, 16, 8
	return fixed + perRegion*len(t.regions) + perLink*len(t.links) + perProof*len(t.proofs)
}

// pack appends regions, links and proofs to dst in a fourth to an eighth of their size: varints of
// what changes from one to the next.
//
//	number of links, of regions, of proofs; then each link: method (signed, to the one before), bci (signed), distance to outer, 0 for none;
//	then each region: end (signed, to the one before), chain + 1, 0 for none (signed, to the one before);
//	then each proof: end (signed, to the one before), region (signed, to the one before)
//
// It never leaves this process, so that unpack may believe it.
func pack(dst []byte, regions []region, links []link, proofs []proof) []byte {
	for _, n := range []int{len(links), len(regions), len(proofs)} {
		dst = binary.AppendUvarint(dst, uint64(n))
	}
	method := int64(0)
	for i, l := range links {
		dst = binary.AppendVarint(dst, int64(l.method)-method)
		method = int64(l.method)
		dst = binary.AppendVarint(dst, int64(l.bci))
		distance := uint64(0) // outer links come first
		if l.outer != noLink {
			distance = uint64(i) - uint64(l.outer)
		}
		dst = binary.AppendUvarint(dst, distance)
	}
	end, chain := int64(0), int64(0)
	for _, r := range regions {
		dst = binary.AppendVarint(dst, int64(r.end)-end)
		next := int64(r.chain + 1) // noLink is the largest number
		dst = binary.AppendVarint(dst, next-chain)
		end, chain = int64(r.end), next
	}
	last := proof{}
	for _, p := range proofs {
		dst = binary.AppendVarint(dst, int64(p.end)-int64(last.end))
		dst = binary.AppendVarint(dst, int64(p.region)-int64(last.region))
		last = p
	}
	return dst
}

// packedMethods calls each with the method of every link of what was packed.
func packedMethods(b []byte, each func(jvmlog.MethodID)) {
	links, n := binary.Uvarint(b)
	b = b[n:]
	for range 2 { // how many regions and proofs there are
		b = b[uvarintBytes(b):]
	}
	method := int64(0)
	for range links {
		change, n := binary.Varint(b)
		method += change
		each(jvmlog.MethodID(method))
		b = b[n:]
		for range 2 { // bci and outer
			b = b[uvarintBytes(b):]
		}
	}
}

// uvarintBytes is the length of the varint that b begins with.
func uvarintBytes(b []byte) int {
	for i, c := range b {
		if c < 0x80 {
			return i + 1
		}
	}
	return len(b)
}

// unpack is what was packed.
func unpack(b []byte) *table {
	t := &table{}
	t.unpack(b)
	return t
}

// unpack fills a table with what was packed, in its memory where that suffices.
func (t *table) unpack(b []byte) {
	c := packedCursor{b: b}
	links, regions, proofs := c.unsigned(), c.unsigned(), c.unsigned()
	t.links, t.regions, t.proofs = sized(t.links, links), sized(t.regions, regions), sized(t.proofs, proofs)
	method := int64(0)
	for i := range t.links {
		l := &t.links[i]
		method += c.signed()
		l.method, l.bci, l.outer = jvmlog.MethodID(method), int32(c.signed()), noLink
		if distance := c.unsigned(); distance != 0 {
			l.outer = uint32(uint64(i) - distance)
		}
	}
	end, chain := int64(0), int64(0)
	for i := range t.regions {
		end += c.signed()
		chain += c.signed()
		t.regions[i] = region{end: uint32(end), chain: uint32(chain - 1)}
	}
	last := proof{}
	for i := range t.proofs {
		last = proof{end: uint32(int64(last.end) + c.signed()), region: uint32(int64(last.region) + c.signed())}
		t.proofs[i] = last
	}
}

// sized has n elements, in the memory of s where that suffices.
func sized[T any](s []T, n uint64) []T {
	if uint64(cap(s)) < n {
		return make([]T, n)
	}
	return s[:n]
}

// packedCursor reads varints. Most are one byte.
type packedCursor struct {
	b  []byte
	at int
}

func (c *packedCursor) unsigned() uint64 {
	v := uint64(c.b[c.at])
	c.at++
	if v < 0x80 {
		return v
	}
	return c.long()
}

// long reads a varint of which the first byte was read.
func (c *packedCursor) long() uint64 {
	v, n := binary.Uvarint(c.b[c.at-1:])
	c.at += n - 1
	return v
}

func (c *packedCursor) signed() int64 {
	v := c.unsigned()
	return int64(v>>1) ^ -int64(v&1)
}

// fewPackedBytes is up to how many bytes a table is unpacked at each look. That takes less than a
// microsecond and no memory. In 22 TPC-H queries it is nine of ten nmethods that samples meet, and
// two of three looks. What is left finds room in tables.
const fewPackedBytes = 1 << 10

// small reports whether the table of an nmethod is unpacked at each look.
func (n *nmethod) small() bool { return len(n.packed) <= fewPackedBytes }

// spareTables are for looks at small nmethods.
var spareTables = sync.Pool{New: func() any { return &table{} }}

// tables keeps the unpacked tables of nmethods that samples have met lately, if they are large or
// their debug info is not believed. Two generations: what is met in the older one moves to the
// younger one, and when that is full the older one goes. The zero value is ready; safe for
// concurrent use.
type tables struct {
	mu           sync.Mutex
	young, older map[*nmethod]*table
	bytes        int // of young
}

// mostTableBytes bounds each generation. A warm Spark executor's samples meet some hundred nmethods
// of two or three KiB.
const mostTableBytes = 1 << 20

// of is the table of an nmethod.
func (c *tables) of(n *nmethod) *table {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t := c.young[n]; t != nil {
		return t
	}
	t := c.older[n]
	if t == nil {
		t = unpack(n.packed)
	}
	if c.young == nil || c.bytes+t.bytes() > mostTableBytes {
		c.older, c.young, c.bytes = c.young, map[*nmethod]*table{}, 0
	}
	c.young[n] = t
	c.bytes += t.bytes()
	return t
}
