package codemap

import (
	"bytes"
	"cmp"
	"compress/flate"
	"fmt"
	"io"
	"math"
	"slices"
	"sort"
	"sync"
)

// symbol is a named stretch of code of an object, while a table is built.
type symbol struct {
	addr uint64
	size uint32 // 0: up to the next symbol
	name uint32 // offset in the builder's names
	len  uint32
	rank uint8 // of symbols at one address the lowest is taken
}

// symtab finds symbols by address. Safe for concurrent use. The kernel and libjvm have some hundred
// thousand symbols, of which samples meet some hundred, at many addresses each. So addresses are
// kept as halves, and names compressed, except the ones that were asked for.
type symtab struct {
	highs []addressRange // ascending
	lows  []uint32       // :: symbol → lower half of its address; symbols ascend
	sizes []uint32       // :: symbol → size, 0: up to the next symbol; nil: all are 0
	names [][]byte       // :: symbol / namesPerBlock → deflated names, each with a zero byte behind it

	mu     sync.Mutex
	recent map[int]string // :: symbol → its name, of those asked for lately
}

// addressRange are the symbols from first on, up to the next range's, whose addresses have one
// upper half.
type addressRange struct {
	high  uint32
	first int
}

// namesPerBlock are compressed together: some four KiB, which take some ten microseconds to read.
const namesPerBlock = 128

// symtabBuilder collects symbols in any order.
type symtabBuilder struct {
	symbols []symbol
	names   []byte
}

// reserve makes room for so many symbols and bytes of names.
func (b *symtabBuilder) reserve(symbols, names int) {
	b.symbols, b.names = slices.Grow(b.symbols, symbols), slices.Grow(b.names, names)
}

func (b *symtabBuilder) add(addr, size uint64, name string, rank uint8) {
	addSymbolName(b, addr, size, name, rank)
}

// addSymbolName is add for texts of either kind.
func addSymbolName[T string | []byte](b *symtabBuilder, addr, size uint64, name T, rank uint8) {
	b.symbols = append(b.symbols, symbol{
		addr: addr, size: uint32(min(size, math.MaxUint32)), name: uint32(len(b.names)), len: uint32(len(name)), rank: rank,
	})
	b.names = append(b.names, name...)
}

// build sorts and keeps one symbol of each address. In this order: the lowest rank, one with a
// size, the name with the fewest leading underscores (malloc, not __libc_malloc), the first.
func (b *symtabBuilder) build() *symtab {
	slices.SortFunc(b.symbols, func(x, y symbol) int {
		return cmp.Or(cmp.Compare(x.addr, y.addr), cmp.Compare(x.rank, y.rank), cmp.Compare(y.size, x.size),
			cmp.Compare(b.underscores(x), b.underscores(y)), bytes.Compare(b.nameOf(x), b.nameOf(y)))
	})
	b.symbols = slices.CompactFunc(b.symbols, func(x, y symbol) bool { return x.addr == y.addr })
	t := &symtab{lows: make([]uint32, len(b.symbols)), sizes: make([]uint32, len(b.symbols))}
	sized := false
	for i, s := range b.symbols {
		if high := uint32(s.addr >> 32); len(t.highs) == 0 || t.highs[len(t.highs)-1].high != high {
			t.highs = append(t.highs, addressRange{high, i})
		}
		t.lows[i], t.sizes[i] = uint32(s.addr), s.size
		sized = sized || s.size != 0
	}
	if !sized {
		t.sizes = nil
	}
	t.names = b.compressed()
	return t
}

// compressed are the names of the symbols as they are now, for symtab.names.
func (b *symtabBuilder) compressed() (blocks [][]byte) {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestSpeed)
	if err != nil {
		panic(err) // the level is a constant
	}
	for block := range slices.Chunk(b.symbols, namesPerBlock) {
		out.Reset()
		w.Reset(&out)
		for _, s := range block {
			w.Write(b.nameOf(s)) // into memory: no error
			w.Write([]byte{0})
		}
		w.Close() // likewise
		blocks = append(blocks, bytes.Clone(out.Bytes()))
	}
	return blocks
}

func (b *symtabBuilder) nameOf(s symbol) []byte { return b.names[s.name : s.name+s.len] }

func (b *symtabBuilder) underscores(s symbol) int {
	name := b.nameOf(s)
	return len(name) - len(bytes.TrimLeft(name, "_"))
}

// find names the symbol that covers an address; "" where none does.
func (t *symtab) find(addr uint64) string {
	i := sort.Search(len(t.lows), func(i int) bool { return t.addr(i) > addr }) - 1
	if i < 0 {
		return ""
	}
	if t.sizes != nil && t.sizes[i] != 0 && addr-t.addr(i) >= uint64(t.sizes[i]) {
		return ""
	}
	return t.name(i)
}

func (t *symtab) addr(i int) uint64 {
	r := len(t.highs) - 1
	for t.highs[r].first > i { // there are one to three
		r--
	}
	return uint64(t.highs[r].high)<<32 | uint64(t.lows[i])
}

// inflaters are used again: one takes some 40 KiB.
var inflaters = sync.Pool{New: func() any { return flate.NewReader(nil) }}

// mostRecentNames bounds symtab.recent; beyond it all are forgotten.
const mostRecentNames = 4096

func (t *symtab) name(i int) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	name, known := t.recent[i]
	if !known {
		if t.recent == nil || len(t.recent) >= mostRecentNames {
			t.recent = map[int]string{}
		}
		name = t.inflate(i)
		t.recent[i] = name
	}
	return name
}

// inflate reads a name.
func (t *symtab) inflate(i int) string {
	r := inflaters.Get().(io.ReadCloser)
	defer inflaters.Put(r)
	block := t.names[i/namesPerBlock]
	err := r.(flate.Resetter).Reset(bytes.NewReader(block), nil)
	names := []byte{}
	if err == nil {
		names, err = io.ReadAll(r)
	}
	if err != nil {
		panic(fmt.Sprintf("codemap: names of a symbol table: %v", err)) // we have compressed them
	}
	for range i % namesPerBlock {
		names = names[bytes.IndexByte(names, 0)+1:]
	}
	return string(names[:bytes.IndexByte(names, 0)])
}

// bytes estimates the memory of the table.
func (t *symtab) bytes() int {
	n := 4*len(t.lows) + 4*len(t.sizes)
	for _, block := range t.names {
		n += 24 + cap(block)
	}
	return n
}
