package codemap

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestParseMappings(t *testing.T) {
	got, err := parseMappings(strings.NewReader(`7f4b07902000-7f4b07904000 r-xp 00000000 00:00 0                          [vdso]
55e000000000-55e000002000 r--p 00000000 08:01 99                         /usr/bin/java
55e000002000-55e000003000 r-xp 00002000 08:01 99                         /usr/bin/java
7f0000000000-7f0000010000 rwxp 00000000 00:00 0
7f1000000000-7f1000001000 r-xp 00005000 fe:00 1234567                    /tmp/with space/libsnappy.so (deleted)
7f2000000000-7f2000001000 r-xs 00000000 00:01 77                         /memfd:libffi (deleted)
`))
	require.NoError(t, err)
	require.Equal(t, []mapping{
		{low: 0x55e000002000, high: 0x55e000003000, offset: 0x2000, inode: 99, path: "/usr/bin/java"},
		{low: 0x7f0000000000, high: 0x7f0000010000},
		{low: 0x7f1000000000, high: 0x7f1000001000, offset: 0x5000, inode: 1234567, path: "/tmp/with space/libsnappy.so (deleted)"},
		{low: 0x7f2000000000, high: 0x7f2000001000, inode: 77, path: "/memfd:libffi (deleted)"},
		{low: 0x7f4b07902000, high: 0x7f4b07904000, path: "[vdso]"},
	}, got)
	require.Equal(t, []string{"java", "libsnappy.so", "libffi"}, []string{got[0].base(), got[2].base(), got[3].base()})
	require.Equal(t, []bool{false, true}, []bool{got[0].deleted(), got[2].deleted()})
	require.Equal(t, []bool{true, false, true, true, false},
		[]bool{got[0].isFile(), got[1].isFile(), got[2].isFile(), got[3].isFile(), got[4].isFile()})

	for addr, want := range map[uint64]string{0x55e000001fff: "", 0x55e000002000: "java", 0x55e000002fff: "java", 0x55e000003000: "", 0x7f4b07904000: ""} {
		base := ""
		if m := findMapping(got, addr); m != nil {
			base = m.base()
		}
		require.Equal(t, want, base, "%#x", addr)
	}

	for _, bad := range []string{"", "7f00-7f10 r-xp", "7f00 r-xp 0 0:0 0", "zz-7f10 r-xp 0 0:0 0", "7f10-7f10 r-xp 0 0:0 0", "1-2 r-xp x 0:0 0", "1-2 r-xp 0 0:0 x"} {
		_, err := parseMappings(strings.NewReader(bad + "\n"))
		require.ErrorContains(t, err, fmt.Sprintf("mapping %q", bad))
	}
}

func TestMerge(t *testing.T) {
	old := []mapping{{low: 10, high: 20, path: "gone"}, {low: 20, high: 30, path: "replaced"}, {low: 40, high: 50, path: "in part"}, {low: 60, high: 70, path: "last"}}
	now := []mapping{{low: 0, high: 10, path: "x"}, {low: 20, high: 30, path: "y"}, {low: 45, high: 60, path: "z"}}
	require.Equal(t, []mapping{
		{low: 0, high: 10, path: "x"}, {low: 10, high: 20, path: "gone"}, {low: 20, high: 30, path: "y"}, {low: 45, high: 60, path: "z"},
		{low: 60, high: 70, path: "last"},
	}, merge(now, old))
	require.Equal(t, old, merge(nil, old))
	require.Equal(t, now, merge(now, nil))
}

func TestSymtab(t *testing.T) {
	var b symtabBuilder
	b.add(0x100, 0x10, "sized", 0)
	b.add(0x200, 0, "label", 2)
	b.add(0x300, 0x20, "zlocal", 1)
	b.add(0x300, 0x20, "global", 0)
	b.add(0x400, 0, "b", 0)
	b.add(0x400, 8, "c", 0)
	b.add(0x400, 8, "a", 0)
	table := b.build()
	for addr, want := range map[uint64]string{
		0xff: "", 0x100: "sized", 0x10f: "sized", 0x110: "", 0x1ff: "", 0x200: "label", 0x2ff: "label", 0x300: "global", 0x320: "", 0x400: "a", 0x408: "",
	} {
		require.Equal(t, want, table.find(addr), "%#x", addr)
	}
	require.Empty(t, (&symtab{}).find(7))
}

// Names that were asked for are kept, up to a bound.
func TestNamesOfSymbolsAreInflatedOnce(t *testing.T) {
	var b symtabBuilder
	for i := range mostRecentNames + 1 {
		b.add(uint64(i), 1, fmt.Sprintf("symbol%d", i), 0)
	}
	table := b.build()
	require.Equal(t, "symbol7", table.find(7))
	blocks := table.names
	table.names = nil
	require.Equal(t, "symbol7", table.find(7), "without its block")
	table.names = blocks
	for i := range mostRecentNames + 1 {
		require.Equal(t, fmt.Sprintf("symbol%d", i), table.find(uint64(i)))
		require.LessOrEqual(t, len(table.recent), mostRecentNames)
	}
}

// Tables of more than one block of names and one upper half of addresses.
func TestLargeSymtab(t *testing.T) {
	var b symtabBuilder
	const many = 3*namesPerBlock + 7
	at := func(i int) uint64 { return 0x7f00_0000_0000 + uint64(i)*0x0300_0000 } // crosses 4 GiB a few times
	for i := many - 1; i >= 0; i-- {
		b.add(at(i), 0, fmt.Sprintf("symbol%d", i), 0)
	}
	table := b.build()
	require.Len(t, table.lows, many)
	require.Greater(t, len(table.highs), 2)
	require.Empty(t, table.find(at(0)-1))
	for i := range many {
		require.Equal(t, fmt.Sprintf("symbol%d", i), table.find(at(i)))
		require.Equal(t, fmt.Sprintf("symbol%d", i), table.find(at(i+1)-1), "up to the next")
	}
	require.Equal(t, fmt.Sprintf("symbol%d", many-1), table.find(math.MaxUint64))
}

func TestParseKallsyms(t *testing.T) {
	table, err := parseKallsyms(strings.NewReader("ffffffff81000000 T _stext\nffffffff81000100 D data\nffffffff81000200 t do_work\nffffffffc0000000 t ext4_read\t[ext4]\n"))
	require.NoError(t, err)
	k := &KernelSymbols{symbols: table}
	k.once.Do(func() {})
	for addr, want := range map[uint64]Frame{
		0xffffffff80ffffff: {Method: "[kernel]", File: "vmlinux"},
		0xffffffff81000150: {Method: "_stext", File: "vmlinux"},
		0xffffffff81000200: {Method: "do_work", File: "vmlinux"},
		0xffffffffc0000001: {Method: "ext4_read", File: "ext4"},
	} {
		want.Kind, want.Addr = Kernel, addr
		require.Equal(t, want, k.Symbol(addr))
	}

	_, err = parseKallsyms(strings.NewReader("0000000000000000 T _stext\n0000000000000000 t x\n"))
	require.ErrorContains(t, err, "2 symbols, all without an address")
	_, err = parseKallsyms(strings.NewReader("xyz T _stext\n"))
	require.ErrorContains(t, err, `line "xyz T _stext"`)
	hidden := &KernelSymbols{err: err}
	hidden.once.Do(func() {})
	require.Equal(t, Frame{Kind: Kernel, Method: "[kernel]", File: "vmlinux", Addr: 1 << 63}, hidden.Symbol(1<<63))
}

// A real process: its maps, its C library (found by the symbols that it exports), the vDSO and the
// kernel; alive and dead.
func TestObjectsOfAProcess(t *testing.T) {
	cat := exec.Command("cat")
	in, err := cat.StdinPipe()
	require.NoError(t, err)
	out, err := cat.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cat.Start())
	_, err = in.Write([]byte("x"))
	require.NoError(t, err)
	_, err = io.ReadFull(out, make([]byte, 1)) // now its libraries are mapped
	require.NoError(t, err)
	o, err := NewObjects(cat.Process.Pid, NewObjectCache(0), &KernelSymbols{})
	require.NoError(t, err)
	begun := o.refreshed
	require.NoError(t, o.Refresh())
	require.Equal(t, begun, o.refreshed, "no address was asked for")

	libc := exported(t, o, "libc.so.6")
	for _, name := range []string{"malloc", "qsort", "getenv"} {
		require.Contains(t, libc, name)
		f, ok := o.Symbol(libc[name] + 3)
		require.True(t, ok)
		require.Equal(t, Frame{Kind: Native, Method: name, File: "libc.so.6", Addr: libc[name] + 3}, f)
	}
	names := map[string]bool{}
	for _, m := range o.mappings {
		for addr := m.low; m.path == vdsoPath && addr < m.high; addr += 4 {
			f, ok := o.Symbol(addr)
			require.True(t, ok)
			require.Equal(t, vdsoPath, f.File)
			names[f.Method] = true
		}
	}
	require.Contains(t, names, vdsoPath, "its headers")
	require.Greater(t, len(names), 3, "%v", names)
	_, ok := o.Symbol(8)
	require.False(t, ok)
	require.Equal(t, uint64(1), o.Stats().Unmapped)
	f, ok := o.Symbol(0xffffffff81000000)
	require.True(t, ok)
	require.Equal(t, Kernel, f.Kind)
	require.NotEmpty(t, f.Method)

	require.NoError(t, in.Close())
	require.NoError(t, cat.Wait())
	require.Error(t, o.Refresh(), "it is dead")
	o.files = map[string]*file{}
	f, ok = o.Symbol(libc["strtol"])
	require.True(t, ok)
	require.Equal(t, "libc.so.6", f.File)
	require.NotContains(t, f.Method, "[", "read by its path in our own root")
	require.Empty(t, o.Unreadable())
}

// exported maps the symbols that a mapped object exports to their addresses in the process.
func exported(t *testing.T, o *Objects, base string) map[string]uint64 {
	t.Helper()
	for _, m := range o.mappings {
		if m.base() != base {
			continue
		}
		f, err := elf.Open(m.path)
		require.NoError(t, err)
		defer f.Close()
		symbols, err := f.DynamicSymbols()
		require.NoError(t, err)
		out := map[string]uint64{}
		for _, p := range f.Progs {
			for _, s := range symbols {
				if p.Type == elf.PT_LOAD && p.Off == m.offset && s.Value >= p.Vaddr && s.Value < p.Vaddr+p.Filesz {
					out[s.Name] = m.low + s.Value - p.Vaddr
				}
			}
		}
		return out
	}
	t.Fatalf("%s is not mapped", base)
	return nil
}

func TestObjectsSayWhatTheyCannotRead(t *testing.T) {
	_, err := NewObjects(1<<30, NewObjectCache(0), &KernelSymbols{})
	require.ErrorContains(t, err, "maps of pid 1073741824")

	garbage := filepath.Join(t.TempDir(), "libgarbage.so")
	require.NoError(t, os.WriteFile(garbage, []byte("not an ELF file"), 0o600))
	o, err := NewObjects(os.Getpid(), NewObjectCache(0), &KernelSymbols{})
	require.NoError(t, err)
	now := time.Now()
	o.Clock = func() time.Time { return now }
	o.refreshed = now
	o.mappings = []mapping{
		{low: 0x1000, high: 0x2000, inode: 5, path: "/not/there/libgone.so"},
		{low: 0x2000, high: 0x3000, inode: 6, path: "/not/there/libdeleted.so (deleted)"},
		{low: 0x3000, high: 0x4000, inode: 7, path: garbage},
		{low: 0x4000, high: 0x5000},
	}
	for addr, want := range map[uint64]Frame{
		0x1010: {Kind: Native, Method: "[libgone.so]", File: "libgone.so"},
		0x2010: {Kind: Native, Method: "[libdeleted.so]", File: "libdeleted.so"},
		0x3010: {Kind: Native, Method: "[libgarbage.so]", File: "libgarbage.so"},
	} {
		want.Addr = addr
		got, ok := o.Symbol(addr)
		require.True(t, ok)
		require.Equal(t, want, got)
	}
	_, ok := o.Symbol(0x4010)
	require.False(t, ok, "anonymous memory")
	require.Equal(t, ObjectStats{Unreadable: 3, Unnamed: 3, Unmapped: 1}, o.Stats())
	unreadable := o.Unreadable()
	require.Len(t, unreadable, 3)
	require.ErrorIs(t, unreadable["/not/there/libgone.so"], os.ErrNotExist)
	require.Contains(t, unreadable[garbage].Error(), "libgarbage.so is inode")

	// An address that no mapping covers makes it read the maps again, at most once in
	// RefreshInterval.
	here := uint64(reflect.ValueOf(TestParseMappings).Pointer()) // in the test's own binary
	_, ok = o.Symbol(here)
	require.False(t, ok)
	now = now.Add(RefreshInterval)
	_, ok = o.Symbol(here)
	require.True(t, ok)
}

func TestObjectCache(t *testing.T) {
	b := smallELF(t)
	c := NewObjectCache(1)
	first, err := c.read(bytes.NewReader(b), int64(len(b)), "a copy")
	require.NoError(t, err)
	require.NotEmpty(t, first.symbols.lows)
	again, err := c.read(bytes.NewReader(b), int64(len(b)), "another copy")
	require.NoError(t, err)
	require.Same(t, first, again, "the same symbols; kept although larger than the cache: they are the only ones")
	require.Equal(t, first.symbols.bytes(), c.bytes)
	// A file with the same build id and other names is another object.
	renamed := bytes.ReplaceAll(b, []byte("clock_gettime"), []byte("clock_planted"))
	require.NotEqual(t, b, renamed)
	planted, err := c.read(bytes.NewReader(renamed), int64(len(b)), "planted")
	require.NoError(t, err)
	require.NotSame(t, first, planted)
	again, err = c.read(bytes.NewReader(b), int64(len(b)), "a copy")
	require.NoError(t, err)
	require.NotSame(t, planted, again)
	other := &object{symbols: (&symtabBuilder{}).build()}
	c.put("other", other)
	require.Equal(t, other.symbols.bytes(), c.bytes, "the least recently used went")

	_, err = c.read(bytes.NewReader(b[:len(b)/2]), int64(len(b)/2), "half")
	require.Error(t, err)
}

// elfWith is an ELF file of a section of code, names, and symbols that have the first of them.
func elfWith(t testing.TB, names []byte, symbols int) []byte {
	t.Helper()
	const header, code = 64, 2
	table := make([]byte, 0, symbols*elf.Sym64Size)
	for i := range symbols {
		s := elf.Sym64{Name: 1, Info: byte(elf.STT_FUNC), Shndx: code, Value: uint64(i) * 16, Size: 16}
		table = binary.LittleEndian.AppendUint32(table, s.Name)
		table = append(table, s.Info, s.Other)
		table = binary.LittleEndian.AppendUint16(table, s.Shndx)
		table = binary.LittleEndian.AppendUint64(table, s.Value)
		table = binary.LittleEndian.AppendUint64(table, s.Size)
	}
	at := uint64(header + len(names) + len(table))
	var out bytes.Buffer
	h := elf.Header64{Ident: [16]byte{0x7f, 'E', 'L', 'F', 2, 1, 1}, Type: 3, Machine: 62, Version: 1, Shoff: at, Ehsize: header, Shentsize: 64, Shnum: 4, Shstrndx: 1}
	require.NoError(t, binary.Write(&out, binary.LittleEndian, &h))
	out.Write(names)
	out.Write(table)
	require.NoError(t, binary.Write(&out, binary.LittleEndian, []elf.Section64{
		{},
		{Type: uint32(elf.SHT_STRTAB), Off: header, Size: uint64(len(names))},
		{Type: uint32(elf.SHT_PROGBITS), Flags: uint64(elf.SHF_EXECINSTR)},
		{Type: uint32(elf.SHT_SYMTAB), Off: uint64(header + len(names)), Size: uint64(len(table)), Link: 1},
	}))
	return out.Bytes()
}

// A file that a process has made up costs no more than it is large.
func TestObjectsOfASharedName(t *testing.T) {
	read := func(b []byte) (*object, error) { return NewObjectCache(0).read(bytes.NewReader(b), int64(len(b)), "") }
	b := elfWith(t, append([]byte{0}, bytes.Repeat([]byte("x"), 1<<20)...), 800)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	o, err := read(b)
	runtime.ReadMemStats(&after)
	require.NoError(t, err)
	require.Len(t, o.symbols.find(799*16), maxNameBytes)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(48<<20))

	_, err = read(elfWith(t, append([]byte{0}, bytes.Repeat([]byte("x"), 1<<20)...), 1+maxSymbolBytes/maxNameBytes))
	require.ErrorContains(t, err, "names of more than 67108864 bytes")

	b = elfWith(t, []byte("\x00name\x00"), 1)
	o, err = read(b)
	require.NoError(t, err)
	require.Equal(t, "name", o.symbols.find(3))
	for at, want := range map[int]string{60: "0 sections of 64 bytes", 58: "4 sections of 0 bytes", 4: "ELFCLASSNONE"} { // e_shnum, e_shentsize, the class
		bad := bytes.Clone(b)
		bad[at] = 0
		_, err := read(bad)
		require.ErrorContains(t, err, want)
	}
	bad := bytes.Clone(b)
	binary.LittleEndian.PutUint64(bad[len(bad)-3*64+32:], 1<<40) // size of the names
	_, err = read(bad)
	require.ErrorContains(t, err, "section 1, a SHT_STRTAB, claims 1099511627776 bytes")
}

func FuzzObject(f *testing.F) {
	f.Add([]byte("\x7fELF"))
	f.Add(smallELF(f))
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := openELF(bytes.NewReader(b))
		if err != nil {
			return
		}
		o, err := readObject(file, int64(len(b)))
		if err != nil {
			return
		}
		for offset := uint64(0); offset < uint64(len(b)); offset += 64 {
			o.find(offset)
		}
	})
}

// smallELF is the vDSO: an ELF file of a page or two that every machine has.
func smallELF(t testing.TB) []byte {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/maps")
	require.NoError(t, err)
	mappings, err := parseMappings(bytes.NewReader(maps))
	require.NoError(t, err)
	for _, m := range mappings {
		if m.path == vdsoPath {
			b := make([]byte, m.high-m.low)
			mem, err := os.Open("/proc/self/mem")
			require.NoError(t, err)
			defer mem.Close()
			_, err = mem.ReadAt(b, int64(m.low))
			require.NoError(t, err)
			return b
		}
	}
	return nil
}

func FuzzMappings(f *testing.F) {
	f.Add("7f1000000000-7f1000001000 r-xp 00005000 fe:00 1234567                    /tmp/lib.so (deleted)\n")
	f.Fuzz(func(t *testing.T, s string) {
		mappings, err := parseMappings(strings.NewReader(s))
		if err != nil {
			return
		}
		for i := range mappings {
			require.Less(t, mappings[i].low, mappings[i].high)
			mappings[i].base()
			findMapping(mappings, mappings[i].low)
		}
	})
}

func FuzzKallsyms(f *testing.F) {
	f.Add("ffffffff81000000 T _stext\nffffffffc0000000 t ext4_read\t[ext4]\n")
	f.Fuzz(func(t *testing.T, s string) {
		if table, err := parseKallsyms(strings.NewReader(s)); err == nil {
			table.find(1)
			table.find(1<<64 - 1)
		}
	})
}
