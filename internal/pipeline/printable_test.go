package pipeline

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// No text of a JVM reaches a label or a terminal as an escape sequence: the raw ones are of
// records, the others of JSON in them.
func TestTextsArePrintable(t *testing.T) {
	app, _, err := parseApplication([]byte(`{"application_name": "a\u001b[2J", "labels": {"team\u202e": "\u009bx"}}`), nil)
	require.NoError(t, err)
	assert.Equal(t, `a\x1b[2J`, app.Name)
	assert.Equal(t, map[string]string{`team\u202e`: `\u009bx`}, app.Attributes)

	stage, err := parseStageInfo([]byte(`{"query": "q\u0007", "operator": "o\u007f", "operator_name": "n\u001bc", "stage": "\u2066s", "call_site": "c\r", "line": "l\b"}`))
	require.NoError(t, err)
	assert.Equal(t, &rddStage{query: `q\a`, place: `\u2066s`, callSite: `c\r`, line: `l\b`, names: nodeNames{operator: `o\x7f`, name: `n\x1bc`, role: rddRole}}, stage)

	m := printableMethod(&jvmlog.Method{ID: 3, Class: "C\x1b[1m", Name: "m\u202e", SourceFile: "F\a.java"})
	assert.Equal(t, &jvmlog.Method{ID: 3, Class: `C\x1b[1m`, Name: `m\u202e`, SourceFile: `F\a.java`}, m)
	assert.Equal(t, []threadUse{{&namedThreads{shown: `GC\x1b`, bucket: BucketOtherThreads, cpu: 7}, 7}}, new(accounts).spent(1, Account{Threads: map[string]time.Duration{"GC\x1b": 7}}).used)

	code := codemap.New(codemap.Settings{})
	j := &jvm{code: code}
	j.record(5, &jvmlog.Stub{Address: 0x1000, Size: 16, Name: "stub\x1b[2J"})
	frames, _ := code.ResolveStack(9, []uint64{0x1004}, nil, nil)
	assert.Equal(t, `stub\x1b[2J`, frames[0].Method)
	j.symbols = symbolizer(func(uint64) (codemap.Frame, bool) { return codemap.Frame{Kind: codemap.Native, Method: "f\x1b"}, true })
	assert.Equal(t, `f\x1b`, j.symbol(0x2000, codemap.Frame{}).Method)
}

type symbolizer func(uint64) (codemap.Frame, bool)

func (s symbolizer) Symbol(addr uint64) (codemap.Frame, bool) { return s(addr) }
