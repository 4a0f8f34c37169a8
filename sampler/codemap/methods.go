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
	seen              jvmlog.MonoTime // when its last record was written, or when it was last found in use
	generated         bool
}

// packLines appends a line table, ascending by StartBCI, in about a quarter of its size: the
// differences from entry to entry.
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
	c := packedCursor{b: unsafe.Slice(unsafe.StringData(packed), len(packed))} // only read
	start, line := uint32(0), int64(0)
	for c.at < len(c.b) {
		step, change := c.unsigned(), c.signed()
		if start += uint32(step); start > uint32(bci) {
			break
		}
		line += change
	}
	return int(line)
}

// methods is the table of a JVM's methods. Agents never use a number twice, and write a method
// once, so that it has to be remembered while code may come that mentions it. No one tells when a
// class is unloaded.
type methods struct {
	byID   map[jvmlog.MethodID]method
	texts  texts
	bytes  int
	enough int             // bytes up to which no one looks for those that are dead
	looked jvmlog.MonoTime // when somebody did
	lines  []byte          // of the record at hand
}

// leastSpare is how many bytes of methods come at least between two looks for dead ones: some ten
// thousand. Spark keeps a hundred generated classes (spark.sql.codegen.cache.maxEntries), each with
// some tens of methods, and runs no others again.
const leastSpare = 2 << 20

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

// full tells that it is time to look for dead methods.
func (t *methods) full() bool { return t.bytes > max(t.enough, leastSpare) }

// tidy drops generated methods that were not in use at two looks in a row, nor written between
// them: most likely their classes are gone. The agent does not write methods twice, and a class may
// live on while its code is compiled again, or interpreted. The sampler tells those again that it
// meets. Nothing is asked for any more as of a time before forgotten. It returns how many went.
// Time is proportional to what is held, and a look is due when a quarter of what is left, or
// leastSpare, has come again.
func (t *methods) tidy(now, forgotten jvmlog.MonoTime, used map[jvmlog.MethodID]bool) (gone int) {
	for id, m := range t.byID {
		switch {
		case used[id]:
			m.seen = now
			t.byID[id] = m
		case m.generated && m.seen < min(t.looked, forgotten):
			t.drop(id)
			gone++
		}
	}
	t.renew()
	t.looked, t.enough = now, t.bytes+max(leastSpare, t.bytes/4)
	return gone
}

// shrink drops methods that are not used until at most limit bytes are left. Generated ones go
// first, whose classes come and go, then the longest not written or found in use. It returns how
// many went.
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
