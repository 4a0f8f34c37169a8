package codemap

import (
	"sort"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// method is a Java method with its line table. Immutable once it is in the table.
type method struct {
	class, name, file string
	loader            jvmlog.LoaderID
	generated         bool
	lines             []jvmlog.LineEntry // ascending by StartBCI
	seen              jvmlog.MonoTime    // when its last record was written
}

// line is the source line of a bytecode; 0 where it is unknown.
func (m *method) line(bci int32) int {
	if bci < 0 {
		return 0
	}
	i := sort.Search(len(m.lines), func(i int) bool { return m.lines[i].StartBCI > uint32(bci) })
	if i == 0 {
		return 0
	}
	return int(m.lines[i-1].Line)
}

// size estimates the memory that the method holds. Class and file names are shared.
func (m *method) size() int {
	const fixed = 250
	return fixed + len(m.name) + 8*len(m.lines)
}

// methods is the table of a JVM's methods. Agents never use a number twice, and write a method once, so that it has to be
// remembered while code may come that mentions it.
type methods struct {
	byID  map[jvmlog.MethodID]*method
	bytes int
}

// put takes in a method; a replay's record takes the place of the old one.
func (t *methods) put(at jvmlog.MonoTime, r *jvmlog.Method) {
	m := &method{
		class:     r.Class, // decoded records share their strings
		name:      r.Name,
		file:      r.SourceFile,
		loader:    r.Loader,
		generated: r.Flags&jvmlog.MethodGenerated != 0,
		lines:     r.Lines,
		seen:      at,
	}
	t.drop(r.ID)
	t.byID[r.ID] = m
	t.bytes += m.size()
}

func (t *methods) drop(id jvmlog.MethodID) {
	if m, ok := t.byID[id]; ok {
		t.bytes -= m.size()
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
	return n
}
