package codemap

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"io"
)

// maxSymbolBytes bounds the sections that are read of one object, and the names of its symbols:
// five times the sections of libjvm with all its symbols.
const maxSymbolBytes = 64 << 20

// maxNameLog2 and maxNameBytes bound a symbol's name, as it is in the object and demangled.
const (
	maxNameLog2  = 12
	maxNameBytes = 1 << maxNameLog2
)

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

// headerOnce is an ELF file whose header stays as it was checked.
type headerOnce struct {
	io.ReaderAt
	header []byte
}

func (h *headerOnce) ReadAt(p []byte, off int64) (int, error) {
	n, err := h.ReaderAt.ReadAt(p, off)
	if off < int64(len(h.header)) {
		copy(p[:n], h.header[off:])
	}
	return n, err
}

// openELF opens an ELF file in which a user may have written anything. elf.NewFile reads as many
// sections as the file claims, and copies the name of each. So it sees a file with no more sections
// than the header has room for, and without their names.
func openELF(r io.ReaderAt) (*elf.File, error) {
	var h elf.Header64
	header := make([]byte, binary.Size(h))
	if _, err := r.ReadAt(header, 0); err != nil {
		return nil, err
	}
	if class, data := elf.Class(header[elf.EI_CLASS]), elf.Data(header[elf.EI_DATA]); class != elf.ELFCLASS64 || data != elf.ELFDATA2LSB {
		return nil, fmt.Errorf("ELF file of %v, %v: want a 64-bit one, low byte first", class, data)
	}
	if _, err := binary.Decode(header, binary.LittleEndian, &h); err != nil {
		return nil, err
	}
	if h.Shoff != 0 && (h.Shnum == 0 || int(h.Shentsize) != binary.Size(elf.Section64{})) || h.Phnum != 0 && int(h.Phentsize) != binary.Size(elf.Prog64{}) {
		return nil, fmt.Errorf("%d sections of %d bytes, %d segments of %d", h.Shnum, h.Shentsize, h.Phnum, h.Phentsize)
	}
	h.Shstrndx = 0
	if _, err := binary.Encode(header, binary.LittleEndian, &h); err != nil {
		return nil, err
	}
	return elf.NewFile(&headerOnce{r, header})
}

// readObject reads the symbols of an ELF file of size bytes.
func readObject(f *elf.File, size int64) (*object, error) {
	o := &object{}
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD && p.Flags&elf.PF_X != 0 {
			o.segments = append(o.segments, segment{offset: p.Off, filesz: p.Filesz, vaddr: p.Vaddr})
		}
	}
	for i, s := range f.Sections {
		if s.Type != elf.SHT_SYMTAB && s.Type != elf.SHT_DYNSYM && s.Type != elf.SHT_STRTAB {
			continue
		}
		if s.Size > maxSymbolBytes || s.FileSize > uint64(size) {
			return nil, fmt.Errorf("section %d, a %v, claims %d bytes of a file of %d", i, s.Type, s.Size, size)
		}
	}
	var b symtabBuilder
	for _, t := range []elf.SectionType{elf.SHT_SYMTAB, elf.SHT_DYNSYM} {
		if err := readSymbols(&b, f, t); err != nil {
			return nil, fmt.Errorf("symbols of the %v: %w", t, err)
		}
	}
	o.symbols = b.build()
	return o, nil
}

// readSymbols reads the symbols of the first section of a type, if there is one. Unlike
// elf.File.Symbols it copies no names that it does not keep: symbols may share a long one.
func readSymbols(b *symtabBuilder, f *elf.File, t elf.SectionType) error {
	section := f.SectionByType(t)
	if section == nil {
		return nil
	}
	if int(section.Link) >= len(f.Sections) || f.Sections[section.Link].Type != elf.SHT_STRTAB {
		return fmt.Errorf("section %d has no names", section.Link)
	}
	table, err := section.Data()
	if err != nil {
		return err
	}
	names, err := f.Sections[section.Link].Data()
	if err != nil {
		return err
	}
	b.reserve(len(table)/elf.Sym64Size, 0)
	for ; len(table) >= elf.Sym64Size; table = table[elf.Sym64Size:] {
		s := elf.Sym64{
			Name: f.ByteOrder.Uint32(table), Info: table[4], Shndx: f.ByteOrder.Uint16(table[6:]),
			Value: f.ByteOrder.Uint64(table[8:]), Size: f.ByteOrder.Uint64(table[16:]),
		}
		addSymbol(b, f, &s, nameAt(names, s.Name))
		if len(b.names) > maxSymbolBytes {
			return fmt.Errorf("names of more than %d bytes", maxSymbolBytes)
		}
	}
	return nil
}

// nameAt is the name at an offset of a section of names, cut to maxNameBytes.
func nameAt(names []byte, at uint32) []byte {
	if uint64(at) >= uint64(len(names)) {
		return nil
	}
	names = names[at:]
	names = names[:min(len(names), maxNameBytes)]
	if end := bytes.IndexByte(names, 0); end >= 0 {
		return names[:end]
	}
	return names
}

// addSymbol takes in functions, and labels of hand-written code, which have neither type nor size.
func addSymbol(b *symtabBuilder, f *elf.File, s *elf.Sym64, name []byte) {
	if at := elf.SectionIndex(s.Shndx); at == elf.SHN_UNDEF || int(at) >= len(f.Sections) || f.Sections[at].Flags&elf.SHF_EXECINSTR == 0 || len(name) == 0 {
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
	b.add(s.Value, s.Size, string(name), rank)
}
