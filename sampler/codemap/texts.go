package codemap

import (
	"hash/maphash"
	"unsafe"
)

// texts keeps each distinct text once, one behind the other, in memory without pointers. A JVM has
// some ten thousand names and line tables; each garbage collection would look at every one if they
// were strings. A text is known by its number; 0 is "". The zero value is ready. Nothing is taken
// out: whoever has dropped much makes a new one of what is left. Not safe for concurrent writing.
type texts struct {
	chunks [][]byte // never moved once begun: get points into them
	refs   []textRef
	cells  []uint32 // open addressing by hash: number of a text, 0 for none; a power of two, at most three quarters full
}

// textRef is where a text lies.
type textRef struct{ chunk, at, bytes uint32 }

// textChunk is how many bytes are taken at a time; a longer text has a chunk of its own.
const textChunk = 64 << 10

// textSeed is of all hashes of texts.
var textSeed = maphash.MakeSeed()

// get is the text of a number that add gave. It stays valid, and lies at the same address, for as
// long as anybody holds it.
func (t *texts) get(number uint32) string {
	if number == 0 {
		return ""
	}
	r := t.refs[number-1]
	return unsafe.String(&t.chunks[r.chunk][r.at], int(r.bytes))
}

// add returns the number of s, of which a copy is kept unless it is there.
func (t *texts) add(s string) uint32 {
	if s == "" {
		return 0
	}
	if 4*len(t.refs) >= 3*len(t.cells) {
		t.grow()
	}
	cell := t.cell(s)
	if *cell == 0 {
		t.refs = append(t.refs, t.keep(s))
		*cell = uint32(len(t.refs))
	}
	return *cell
}

// cell is the cell of s, or the free one in which it belongs.
func (t *texts) cell(s string) *uint32 {
	mask := uint64(len(t.cells) - 1)
	for i := maphash.String(textSeed, s) & mask; ; i = (i + 1) & mask {
		if n := t.cells[i]; n == 0 || t.get(n) == s {
			return &t.cells[i]
		}
	}
}

func (t *texts) grow() {
	const least = 64
	t.cells = make([]uint32, max(least, 2*len(t.cells)))
	for i := range t.refs {
		*t.cell(t.get(uint32(i) + 1)) = uint32(i) + 1
	}
}

// keep copies s into a chunk.
func (t *texts) keep(s string) textRef {
	last := len(t.chunks) - 1
	if last < 0 || cap(t.chunks[last])-len(t.chunks[last]) < len(s) {
		t.chunks = append(t.chunks, make([]byte, 0, max(textChunk, len(s))))
		last++
	}
	at := len(t.chunks[last])
	t.chunks[last] = append(t.chunks[last], s...)
	return textRef{chunk: uint32(last), at: uint32(at), bytes: uint32(len(s))}
}
