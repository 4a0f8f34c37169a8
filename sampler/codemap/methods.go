package codemap

import (
	"encoding/binary"
	"sort"
	"unsafe"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// method is a Java method with its line table. Texts are numbers in methods.texts.
type method struct {
	class, name, file uint32
	lines             uint32 // packed by packLines
	loader            jvmlog.LoaderID
	seen              jvmlog.MonoTime // when its last record was written
	generated         bool
}

// packLines appends a line table, ascending by StartBCI, in about a quarter of its size: the differences from entry to entry.
func packLines(dst []byte, lines []jvmlog.LineEntry) []byte {
	var last jvmlog.LineEntry
	for _, l := range lines {
		dst = binary.AppendUvarint(dst, uint64(l.StartBCI-last.StartBCI))
		dst = binary.AppendVarint(dst, int64(l.Line)-int64(last.Line))
		last = l
	}
	return dst
}

// lineOf is the source line of a bytecode in a packed line table; 0 where it is unknown.
func lineOf(packed string, bci int32) int {
	if bci < 0 {
		return 0
	}
	b := unsafe.Slice(unsafe.StringData(packed), len(packed)) // only read
	start, line := uint32(0), int64(0)
	for len(b) > 0 {
		step, n := binary.Uvarint(b)
		change, m := binary.Varint(b[n:])
		b = b[n+m:]
		if start += uint32(step); start > uint32(bci) {
			break
		}
		line += change
	}
	return int(line)
}

// methods is the table of a JVM's methods. Agents never use a number twice, and write a method once, so that it has to be
// remembered while code may come that mentions it.
type methods struct {
	byID  map[jvmlog.MethodID]method
	texts texts
	bytes int
	lines []byte // of the record at hand
}

// size estimates the memory that a method holds. Class and file names are shared.
func (t *methods) size(m method) int {
	const fixed = 120
	return fixed + len(t.texts.get(m.name)) + len(t.texts.get(m.lines))
}

// put takes in a method; a replay's record takes the place of the old one.
func (t *methods) put(at jvmlog.MonoTime, r *jvmlog.Method) {
	t.lines = packLines(t.lines[:0], r.Lines)
	m := method{
		class: t.texts.add(r.Class), name: t.texts.add(r.Name), file: t.texts.add(r.SourceFile), lines: t.texts.add(string(t.lines)),
		loader: r.Loader, seen: at, generated: r.Flags&jvmlog.MethodGenerated != 0,
	}
	t.drop(r.ID)
	t.byID[r.ID] = m
	t.bytes += t.size(m)
}

// name fills in what is known of a method, and the line of a bytecode.
func (t *methods) name(f Frame, m method, bci int32) Frame {
	f.Class, f.Method, f.File, f.Loader = t.texts.get(m.class), t.texts.get(m.name), t.texts.get(m.file), m.loader
	f.Line = t.line(m, bci)
	return f
}

func (t *methods) line(m method, bci int32) int { return lineOf(t.texts.get(m.lines), bci) }

func (t *methods) drop(id jvmlog.MethodID) {
	if m, ok := t.byID[id]; ok {
		t.bytes -= t.size(m)
		delete(t.byID, id)
	}
}

// shrink drops methods that are not used until at most limit bytes are left: generated ones first, whose classes come and go, then
// the longest not written. It returns how many went.
func (t *methods) shrink(limit int, used map[jvmlog.MethodID]bool) int {
	var free []jvmlog.MethodID
	for id := range t.byID {
		if !used[id] {
			free = append(free, id)
		}
	}
	sort.Slice(free, func(i, j int) bool {
		a, b := t.byID[free[i]], t.byID[free[j]]
		if a.generated != b.generated {
			return a.generated
		}
		if a.seen != b.seen {
			return a.seen < b.seen
		}
		return free[i] < free[j]
	})
	n := 0
	for ; n < len(free) && t.bytes > limit; n++ {
		t.drop(free[n])
	}
	t.renew()
	return n
}

// renew keeps the texts of the methods that are left, and no others.
func (t *methods) renew() {
	var kept texts
	for id, m := range t.byID {
		for _, text := range []*uint32{&m.class, &m.name, &m.file, &m.lines} {
			*text = kept.add(t.texts.get(*text))
		}
		t.byID[id] = m
	}
	t.texts = kept
}
