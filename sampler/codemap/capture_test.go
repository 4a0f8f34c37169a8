package codemap

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// capture is a captured nmethod (testdata/README.md).
type capture struct {
	Methods []*jvmlog.Method
	Load    *jvmlog.CodeLoad
}

func readCapture(t testing.TB, s Settings) (*Map, *jvmlog.CodeLoad) {
	t.Helper()
	b, err := os.ReadFile("testdata/polluted-jdk17.json")
	require.NoError(t, err)
	var c capture
	require.NoError(t, json.Unmarshal(b, &c))
	m := New(s)
	for _, method := range c.Methods {
		m.Apply(1, method)
	}
	m.Apply(1, c.Load)
	return m, c.Load
}

// The expectations are read by hand from the regions around each offset and the generated source.
func TestCapturedPollution(t *testing.T) {
	repaired, load := readCapture(t, Settings{})
	raw, _ := readCapture(t, Settings{Unrepaired: true})
	for _, c := range []struct {
		offset      uint64
		raw, line   int // of the generated frame
		leaf        string
		wasRepaired bool
		why         string
	}{
		{0x70, 55, 55, "arrayEquals", false, "the comparison's tail"},
		{0x26a, 75, 75, "append", false, ""},
		{0x26d, 55, 75, "linkLast", true, "84 bytes between append and linkLast: the allocation of the list's node"},
		{0x308, 55, 75, "linkLast", true, "between two pieces of linkLast"},
		{0x394, 55, 55, "arrayEquals", true, "within arrayEquals: another bytecode, the same line"},
		{0x660, 55, 55, "arrayEquals", true, "the comparison's own loop"},
		{0x7fa, 55, 75, "linkLast", true, "a write barrier of linkLast"},
		{0x857, 55, 41, "processNext", true, "the loop's increment is next"},
		{0x860, 41, 41, "processNext", false, ""},
		{0x920, 55, 75, "linkLast", true, "barriers again"},
		{0x98f, 75, 75, "linkLast", false, ""},
		{0xac0, 55, 75, "linkLast", true, ""},
		{0x4d6, 42, 42, "processNext", false, "the loop's head is no island here"},
	} {
		before := raw.resolveOne(2, load.Address+c.offset, true, nil)
		after := repaired.resolveOne(2, load.Address+c.offset, true, nil)
		require.Equal(t, c.raw, before[len(before)-1].Line, "%#x before: %s", c.offset, c.why)
		require.Equal(t, c.line, after[len(after)-1].Line, "%#x after: %s", c.offset, c.why)
		require.Equal(t, []any{c.leaf, c.wasRepaired}, []any{after[0].Method, after[0].Repaired}, "%#x: %s", c.offset, c.why)
	}
	require.Equal(t, uint64(1), repaired.Stats().PollutedChains, "one chain and no other")

	// 0x310 is no safepoint's end within the chain, but as a return address it would be the end of
	// a call: believed as it stands.
	frames := repaired.resolveOne(2, load.Address+0x310, false, nil)
	require.Equal(t, []any{55, false}, []any{frames[len(frames)-1].Line, frames[0].Repaired})
}
