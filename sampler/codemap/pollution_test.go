package codemap

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// code draws an nmethod of method 1, one region of 4 bytes a letter. A letter is a chain. A
// lower-case one is bytecode 0, 10, 20 … of method 1 itself, each on a line of its own. An
// upper-case one is method 50 inlined at that bytecode, so on the same line as its lower-case
// letter. '.' is no chain.
func code(drawing string) *jvmlog.CodeLoad {
	l := &jvmlog.CodeLoad{Address: 0x1000, Size: uint32(4 * len(drawing)), Level: 4, Method: 1, CompileID: 1, Flags: jvmlog.CodeInlines}
	for i, c := range drawing {
		p := jvmlog.PCRegion{End: uint32(4 * (i + 1)), First: uint32(len(l.Frames))}
		switch {
		case c >= 'A' && c <= 'Z':
			l.Frames = append(l.Frames, jvmlog.CodeFrame{Method: 50, BCI: 7}, jvmlog.CodeFrame{Method: 1, BCI: 10 * (c - 'A')})
		case c >= 'a' && c <= 'z':
			l.Frames = append(l.Frames, jvmlog.CodeFrame{Method: 1, BCI: 10 * (c - 'a')})
		}
		p.Count = uint32(len(l.Frames)) - p.First
		l.PCs = append(l.PCs, p)
	}
	return l
}

// codeMap is a Map with a drawing at 0x1000 since time 1.
func codeMap(s Settings, l *jvmlog.CodeLoad) *Map {
	m := New(s)
	main := &jvmlog.Method{ID: 1, Class: "org.apache.spark.Generated", Name: "main", Flags: jvmlog.MethodGenerated}
	for i := range uint32(26) {
		main.Lines = append(main.Lines, jvmlog.LineEntry{StartBCI: 10 * i, Line: 'a' + i})
	}
	m.Apply(0, main)
	m.Apply(0, &jvmlog.Method{ID: 50, Class: "Util", Name: "inlined", Lines: []jvmlog.LineEntry{{StartBCI: 0, Line: 3}}})
	m.Apply(1, l)
	return m
}

// believed draws what Resolve says of each region's first byte, and marks what was repaired.
func believed(m *Map, l *jvmlog.CodeLoad) (drawing, repaired string) {
	for i := range l.PCs {
		frames := m.resolveOne(2, l.Address+uint64(4*i), true, nil)
		last := frames[len(frames)-1]
		letter, mark := ".", " "
		if last.Line != 0 {
			letter = string(rune(last.Line))
		}
		if len(frames) == 2 {
			letter = strings.ToUpper(letter)
		}
		if frames[0].Repaired {
			mark = "^"
		}
		drawing, repaired = drawing+letter, repaired+mark
	}
	return drawing, strings.TrimRight(repaired, " ")
}

func TestPollution(t *testing.T) {
	for _, c := range []struct{ name, code, want, repaired string }{
		{"clean", "aaabbbBBcccDDD", "aaabbbBBcccDDD", ""},
		{"nothing at all", "", "", ""},
		{"no chains", "....", "....", ""},
		{"islands in another line", "aZAbZBcZC", "aAAbBBcCC", " ^  ^  ^"},
		{"two islands may be", "aZAbZB", "aZAbZB", ""},
		{"half are islands", "aZAbZBcZdZ", "aAAbBBcddd", " ^  ^  ^ ^"},
		{"less than half are islands, all in one line", "aZAaZAcZdZeZ", "aZAaZAcZdZeZ", ""},
		{"strewn: less than half are islands, in two lines", "aZAbZBcZdZeZ", "aAAbBBcddeeZ", " ^  ^  ^ ^"},
		{"strewn, but beside its own line", "aZAbZBzZzyZzxzZw", "aAAbBBzZzyZzxzZw", " ^  ^"},
		{"two runs are not strewn", "aZAcdbZBe", "aZAcdbZBe", ""},
		{"an inlined call in its own line is no island", "aAbaAcaAdaAe", "aAbaAcaAdaAe", ""},
		{"code that a wrong chain is sprinkled into is no island", "aZaZaZbZBZcZC", "aaaaabbBBccCC", " ^ ^ ^ ^ ^ ^"},
		{"scattered: ten specks", "aZbZcZdZeZfZgZhZiZjZk", "abbccddeeffgghhiijjkk", " ^ ^ ^ ^ ^ ^ ^ ^ ^ ^"},
		{"nine specks", "aZbZcZdZeZfZgZhZiZj", "aZbZcZdZeZfZgZhZiZj", ""},
		{"a loop's head spread over its body", "ahbhchdhehfhghahbhchdh", "abbccddeeffggaabbccddd", " ^ ^ ^ ^ ^ ^ ^ ^ ^ ^ ^"},
		{"at the end the one before is believed", "aZAbZBcZCZZ", "aAAbBBcCCCC", " ^  ^  ^ ^^"},
		{"an unrolled loop of two lines", "xazazazazazazazazazazazay", "xazazazazazazazazazazazay", ""},
		{"an unrolled loop of three", "xabcabcabcabcabcabcabcabcabcabcabcabcy", "xabcabcabcabcabcabcabcabcabcabcabcabcy", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := code(c.code)
			got, repaired := believed(codeMap(Settings{}, l), l)
			require.Equal(t, c.want, got)
			require.Equal(t, c.repaired, repaired)
			raw, none := believed(codeMap(Settings{Unrepaired: true}, l), l)
			require.Equal(t, c.code, raw)
			require.Empty(t, none)
		})
	}
}

func TestPollutionSparesOthers(t *testing.T) {
	const drawing = "aZAbZBcZC"
	for name, spare := range map[string]func(*jvmlog.CodeLoad){
		"C1":       func(l *jvmlog.CodeLoad) { l.Level = 3 },
		"unknown":  func(l *jvmlog.CodeLoad) { l.Level = 0 },
		"no lines": func(l *jvmlog.CodeLoad) { l.Flags = 0 },
	} {
		l := code(drawing)
		spare(l)
		m := codeMap(Settings{}, l)
		got, _ := believed(m, l)
		require.Equal(t, drawing, got, name)
		require.Zero(t, m.Stats().JudgedMethods)
	}
}

func TestPollutionAndReturnAddresses(t *testing.T) {
	l := code("aZAbZBcZC")
	m := codeMap(Settings{}, l)
	for _, c := range []struct {
		name     string
		offset   uint64
		callee   []Frame
		line     rune
		repaired bool
	}{
		{"alone", 8, nil, 'z', false},
		{"of a Java method", 8, []Frame{{Kind: Java, Method: "f"}}, 'z', false},
		{"of the interpreter", 8, []Frame{{Kind: Interpreted}}, 'z', false},
		{"of an allocation, JDK 17", 8, []Frame{{Kind: Stub, Method: "_new_instance_Java"}}, 'z', false},
		{"of an allocation, JDK 25", 8, []Frame{{Kind: Stub, Method: "C2 Runtime new_instance"}}, 'z', false},
		{"of a call that is being resolved", 8, []Frame{{Kind: Native}, {Kind: Stub, Method: "resolve_static_call"}}, 'z', false},
		{"of an intrinsic", 8, []Frame{{Kind: Stub, Method: "sha512_implCompress"}}, 'a', true},
		{"of the C runtime", 8, []Frame{{Kind: Native, Method: "SharedRuntime::dsin"}}, 'a', true},
		{"of who knows what", 8, []Frame{{}}, 'a', true},
		{"within the region: no safepoint", 7, nil, 'a', true},
		{"in a region that is believed", 12, nil, 'a', false},
	} {
		frames := m.resolveOne(2, 0x1000+c.offset, false, c.callee)[len(c.callee):]
		require.Len(t, frames, 2, c.name)
		require.Equal(t, []any{"inlined", c.repaired}, []any{frames[0].Method, frames[0].Repaired}, c.name)
		require.Equal(t, []any{int(c.line), c.repaired}, []any{frames[1].Line, frames[1].Repaired}, c.name)
	}
	s := m.Stats()
	require.Equal(t, []uint64{4, 1, 1}, []uint64{s.RepairedFrames, s.JudgedMethods, s.PollutedChains})
}

// A scattered chain must also have its share: of 1000 runs, 15 are 1.5 %.
func TestPollutionShare(t *testing.T) {
	for n, want := range map[int]bool{14: false, 15: true} {
		d := &debugInfo{counts: []int{n}, lines: []sourceLine{{1, 1}}}
		for i := range 1000 {
			chain := 0
			if i >= 2*n || i%2 == 0 { // a chain of its own, and line 1 throughout: no islands
				chain = len(d.counts)
				d.counts, d.lines = append(d.counts, 1), append(d.lines, sourceLine{1, 1})
			}
			d.runs = append(d.runs, run{first: uint32(i), end: uint32(i + 1), chain: uint32(chain)})
		}
		require.Equal(t, want, d.polluted()[0], "%d of 1000 runs", n)
	}
}
