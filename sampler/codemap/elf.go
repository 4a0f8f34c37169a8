package codemap

import (
	"debug/elf"
	"errors"
	"fmt"
)

// maxSymbolBytes bounds the sections that are read of one object: five times the sections of libjvm
// with all its symbols.
const maxSymbolBytes = 64 << 20

// object is what is kept of an ELF file: its symbols, and how file offsets become the addresses
// that symbols use.
type object struct {
	symbols  *symtab
	segments []segment
}

// segment is an executable PT_LOAD.
type segment struct{ offset, filesz, vaddr uint64 }

// find names the code at a file offset; "" where no symbol covers it.
func (o *object) find(offset uint64) string {
	for _, s := range o.segments {
		if offset >= s.offset && offset-s.offset < s.filesz {
			return o.symbols.find(offset - s.offset + s.vaddr)
		}
	}
	return ""
}

// readObject reads the symbols of an ELF file of size bytes.
func readObject(f *elf.File, size int64) (*object, error) {
	o := &object{}
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD && p.Flags&elf.PF_X != 0 {
			o.segments = append(o.segments, segment{offset: p.Off, filesz: p.Filesz, vaddr: p.Vaddr})
		}
	}
	for _, s := range f.Sections {
		if s.Type != elf.SHT_SYMTAB && s.Type != elf.SHT_DYNSYM && s.Type != elf.SHT_STRTAB {
			continue
		}
		if s.Size > maxSymbolBytes || s.FileSize > uint64(size) {
			return nil, fmt.Errorf("section %s claims %d bytes of a file of %d", s.Name, s.Size, size)
		}
	}
	var b symtabBuilder
	for _, read := range []func() ([]elf.Symbol, error){f.Symbols, f.DynamicSymbols} {
		symbols, err := read()
		if err != nil && !errors.Is(err, elf.ErrNoSymbols) {
			return nil, err
		}
		b.reserve(len(symbols), 0)
		for _, s := range symbols {
			addSymbol(&b, f, s)
		}
	}
	o.symbols = b.build()
	return o, nil
}

// addSymbol takes in functions, and labels of hand-written code, which have neither type nor size.
func addSymbol(b *symtabBuilder, f *elf.File, s elf.Symbol) {
	if s.Section == elf.SHN_UNDEF || int(s.Section) >= len(f.Sections) || f.Sections[s.Section].Flags&elf.SHF_EXECINSTR == 0 || s.Name == "" {
		return
	}
	const function, label = 0, 2
	rank := uint8(function)
	switch elf.ST_TYPE(s.Info) {
	case elf.STT_FUNC, elf.STT_GNU_IFUNC:
	case elf.STT_NOTYPE:
		rank = label
	default:
		return
	}
	if elf.ST_BIND(s.Info) == elf.STB_LOCAL {
		rank++
	}
	b.add(s.Value, s.Size, s.Name, rank)
}
