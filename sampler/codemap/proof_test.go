package codemap

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// lineAt is the line that a Map names for an interrupted instruction of a drawing's code, and
// whether it was repaired.
func lineAt(m *Map, offset uint64) (line string, repaired bool) {
	frames := m.resolveOne(2, 0x1000+offset, true, nil)
	return string(rune(frames[len(frames)-1].Line)), frames[0].Repaired
}

// believedBytes draws what is said of each byte of the code, and what was repaired.
func believedBytes(m *Map, l *jvmlog.CodeLoad) (drawing, repaired string) {
	for offset := range uint64(l.Size) {
		line, was := lineAt(m, offset)
		mark := " "
		if was {
			mark = "^"
		}
		drawing, repaired = drawing+line, repaired+mark
	}
	return drawing, repaired
}

// Regions are of 4 bytes: of "abt" the trap call of t returns to 12.
func TestProofs(t *testing.T) {
	for _, c := range []struct {
		name, code     string
		proofs         []jvmlog.PCProof
		want, repaired string
	}{
		{"none", "abt", nil, "aaaabbbbtttt", "            "},
		{
			"from the begin of the region to the end of the branch, and not behind it", "abt", []jvmlog.PCProof{{End: 7, Trap: 12}},
			"aaaatttbtttt", "    ^^^     ",
		},
		{"a branch that ends with its region", "abt", []jvmlog.PCProof{{End: 8, Trap: 12}}, "aaaatttttttt", "    ^^^^    "},
		{
			"each branch has what is behind the one before, its own region's too", "abtu", []jvmlog.PCProof{{End: 5, Trap: 16}, {End: 6, Trap: 8}, {End: 7, Trap: 12}},
			"aaaaubtbttttuuuu", "    ^ ^         ",
		},
		{"branches of two regions", "abtu", []jvmlog.PCProof{{End: 2, Trap: 12}, {End: 7, Trap: 16}}, "ttaauuubttttuuuu", "^^  ^^^         "},
		{"the chain counts, not the region", "btb", []jvmlog.PCProof{{End: 3, Trap: 12}}, "bbbbttttbbbb", "            "},
		{"a trap that no region ends at", "abt", []jvmlog.PCProof{{End: 7, Trap: 11}, {End: 3, Trap: 16}}, "aaaabbbbtttt", "            "},
		{"a trap without a chain", "ab.", []jvmlog.PCProof{{End: 7, Trap: 12}}, "aaaabbbb\x00\x00\x00\x00", "            "},
		{"a branch behind the last region", "ab", []jvmlog.PCProof{{End: 9, Trap: 4}}, "aaaabbbb", "        "},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := code(c.code)
			unproven, _ := believedBytes(codeMap(Settings{}, l), l)
			l.Proofs = c.proofs
			got, repaired := believedBytes(codeMap(Settings{}, l), l)
			require.Equal(t, c.want, got)
			require.Equal(t, c.repaired, repaired)
			raw, none := believedBytes(codeMap(Settings{Unrepaired: true}, l), l)
			require.Equal(t, unproven, raw, "nothing else is repaired in these")
			require.NotContains(t, none, "^")
		})
	}
}

// A proof stands whatever the judgement is, and does not change it.
func TestProofsAndPollution(t *testing.T) {
	const doubted = "aZAbZBcZC" // TestPollution: all of Z is islands
	for _, c := range []struct {
		name       string
		proof      jvmlog.PCProof
		line, rest string // of byte 4, and of the last of that region
		repaired   bool
	}{
		{"takes another chain than the judgement does", jvmlog.PCProof{End: 6, Trap: 16}, "b", "a", true},
		{"what is doubted is right", jvmlog.PCProof{End: 6, Trap: 32}, "z", "a", false},
	} {
		l := code(doubted)
		l.Proofs = []jvmlog.PCProof{c.proof}
		m := codeMap(Settings{}, l)
		line, repaired := lineAt(m, 4)
		require.Equal(t, []any{c.line, c.repaired}, []any{line, repaired}, c.name)
		line, repaired = lineAt(m, 7)
		require.Equal(t, []any{c.rest, true}, []any{line, repaired}, c.name)
		got, _ := believed(m, l)
		require.Equal(t, "AbBBcCC", got[2:], c.name)
	}

	// Ten specks make a chain scattered. Nine and a proof of the same chain amid other code do not.
	l := code("aZbZcZdZeZfZgZhZiZj")
	l.Proofs = []jvmlog.PCProof{{End: 3, Trap: 8}}
	got, _ := believed(codeMap(Settings{}, l), l)
	require.Equal(t, "ZZbZcZdZeZfZgZhZiZj", got)
}

func TestProofsAndReturnAddresses(t *testing.T) {
	l := code("abt")
	l.Proofs = []jvmlog.PCProof{{End: 7, Trap: 12}}
	m := codeMap(Settings{}, l)
	for _, c := range []struct {
		name     string
		offset   uint64
		callee   Frame
		line     rune
		repaired bool
	}{
		{"a leaf call before the branch", 6, Frame{Kind: Stub, Method: "arrayof_jbyte_arraycopy"}, 't', true},
		{"behind the branch", 8, Frame{Kind: Stub, Method: "arrayof_jbyte_arraycopy"}, 'b', false},
		{"a safepoint is believed as it stands", 8, Frame{Kind: Java}, 'b', false},
		{"the region before", 4, Frame{Kind: Java}, 'a', false},
	} {
		frames := m.resolveOne(2, 0x1000+c.offset, false, []Frame{c.callee})[1:]
		require.Equal(t, []any{int(c.line), c.repaired}, []any{frames[0].Line, frames[0].Repaired}, c.name)
	}
}

// A replay tells the proofs of a method that was compiled before the agent knew where traps are
// called.
func TestReplayedProofs(t *testing.T) {
	m := codeMap(Settings{}, code("abt"))
	replayed := code("abt")
	replayed.Flags |= jvmlog.CodeReplayed
	m.Apply(2, replayed)
	require.Equal(t, uint64(1), m.Stats().Repeated)
	replayed.Proofs = []jvmlog.PCProof{{End: 7, Trap: 12}}
	m.Apply(2, replayed)
	require.Equal(t, uint64(1), m.Stats().Repeated, "it says more")
	line, _ := lineAt(m, 5)
	require.Equal(t, "t", line)
	m.Apply(3, replayed)
	m.Apply(4, func() *jvmlog.CodeLoad { l := code("abt"); l.Flags |= jvmlog.CodeReplayed; return l }())
	require.Equal(t, uint64(3), m.Stats().Repeated)
}
