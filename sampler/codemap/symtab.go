package codemap

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"sort"
)

// symbol is a named stretch of code of an object.
type symbol struct {
	addr uint64
	size uint32 // 0: up to the next symbol
	name uint32 // offset in the table's names
	len  uint32
	rank uint8 // of symbols at one address the lowest is taken
}

// symtab finds symbols by address. Immutable once built; safe for concurrent use.
type symtab struct {
	symbols []symbol // ascending by addr, one each
	names   []byte
}

// symtabBuilder collects symbols in any order.
type symtabBuilder struct{ symtab }

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

// build sorts and keeps one symbol of each address: the lowest rank, then one with a size, then the name with the fewest leading
// underscores (malloc, not __libc_malloc), then the first.
func (b *symtabBuilder) build() *symtab {
	t := &b.symtab
	slices.SortFunc(t.symbols, func(x, y symbol) int {
		return cmp.Or(cmp.Compare(x.addr, y.addr), cmp.Compare(x.rank, y.rank), cmp.Compare(y.size, x.size),
			cmp.Compare(t.underscores(x), t.underscores(y)), bytes.Compare(t.nameBytes(x), t.nameBytes(y)))
	})
	t.symbols = slices.CompactFunc(t.symbols, func(x, y symbol) bool { return x.addr == y.addr })
	// Copies: what append took beyond the need, a quarter on average, would stay for as long as the table.
	return &symtab{symbols: slices.Clone(t.symbols), names: slices.Clone(t.names)}
}

func (t *symtab) nameBytes(s symbol) []byte { return t.names[s.name : s.name+s.len] }

func (t *symtab) underscores(s symbol) int {
	b := t.nameBytes(s)
	return len(b) - len(bytes.TrimLeft(b, "_"))
}

// find names the symbol that covers an address; "" where none does.
func (t *symtab) find(addr uint64) string {
	i := sort.Search(len(t.symbols), func(i int) bool { return t.symbols[i].addr > addr })
	if i == 0 {
		return ""
	}
	s := t.symbols[i-1]
	if s.size != 0 && addr-s.addr >= uint64(s.size) {
		return ""
	}
	return string(t.nameBytes(s))
}

// bytes estimates the memory of the table.
func (t *symtab) bytes() int { return 24*cap(t.symbols) + cap(t.names) }
