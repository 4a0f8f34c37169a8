package sampler

import (
	"encoding/binary"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	logs "go.uber.org/zap/zaptest/observer"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/selector"
)

// goldenLog is a log that the C tests wrote, changed. Its header keeps the application "of 1.4".
func goldenLog(t *testing.T, change func(b []byte)) *jvmlog.Log {
	t.Helper()
	b, err := os.ReadFile("../agent-jvmti/testdata/log-v1.bin")
	require.NoError(t, err)
	change(b)
	log, err := jvmlog.FromBytes(b)
	require.NoError(t, err)
	return log
}

func TestJudgeOfAnOpenJVM(t *testing.T) {
	const minor, applicationSeq, applicationFlags = 10, 768, 776 // FORMAT.md, "Log header"
	named := func(text string) *selector.Rules {
		p, err := selector.Parse(text)
		require.NoError(t, err)
		return &selector.Rules{Include: []selector.Rule{{Applications: []selector.Pattern{p}}}}
	}
	labelled := named("of*")
	labelled.Include[0].Labels = map[string]selector.Pattern{"team": {}}
	notNamed := named("of*")
	notNamed.Include, notNamed.Exclude = nil, notNamed.Include
	uncut := func(b []byte) { binary.LittleEndian.PutUint32(b[applicationFlags:], 0) }
	unsaid := func(b []byte) { binary.LittleEndian.PutUint32(b[applicationSeq:], 0) }
	older := func(b []byte) { binary.LittleEndian.PutUint16(b[minor:], 3) }
	for _, c := range []struct {
		name        string
		rules       *selector.Rules
		change      func(b []byte)
		first, last selector.Verdict // at once, and after applicationPatience
		unjudged    uint64
	}{
		{"no rules", nil, unsaid, selector.Yes, selector.Yes, 0},
		{"by process only", &selector.Rules{Include: []selector.Rule{{UIDs: []int{1}}}}, unsaid, selector.Yes, selector.Yes, 0},
		{"its application", named("of*"), uncut, selector.Yes, selector.Yes, 0},
		{"another's", named("x"), uncut, selector.No, selector.No, 0},
		{"excluded", notNamed, uncut, selector.No, selector.No, 0},
		{"it never says", named("*"), unsaid, selector.Later, selector.No, 1},
		{"it never says what would exclude it", notNamed, unsaid, selector.Later, selector.Yes, 1},
		{"an older agent", named("*"), older, selector.No, selector.No, 1},
		{"its labels are cut off", labelled, func([]byte) {}, selector.No, selector.No, 1},
	} {
		core, logged := logs.New(zapcore.WarnLevel)
		s := &Sampler{settings: Settings{Select: c.rules, Logger: zap.New(core)}}
		j := &jvm{log: goldenLog(t, c.change), choosing: choosing{process: selector.Process{UID: 7}, verdict: selector.Later}}
		now := time.Unix(1000, 0)
		assert.Equal(t, c.first, s.judge(j, now), c.name)
		assert.Equal(t, c.first, s.judge(j, now.Add(applicationPatience-1)), c.name)
		assert.Equal(t, c.last, s.judge(j, now.Add(applicationPatience)), c.name)
		assert.Equal(t, c.last, s.judge(j, now.Add(2*applicationPatience)), c.name)
		assert.Equal(t, c.unjudged, s.counts.Unjudged, c.name)
		assert.Len(t, logged.All(), int(c.unjudged), "%s: said once", c.name)
	}
}

func TestRank(t *testing.T) {
	one := []selector.Rule{{UIDs: []int{1}}}
	all := func(int) bool { return true }
	assert.Equal(t, jvmlog.RankAll, Settings{}.rank())
	assert.Equal(t, jvmlog.RankAll, Settings{Select: &selector.Rules{Exclude: one}}.rank(), "all but some")
	assert.Equal(t, jvmlog.RankSelected, Settings{Select: &selector.Rules{Include: one}}.rank())
	assert.Equal(t, jvmlog.RankNamed, Settings{Select: &selector.Rules{Include: one}, PIDs: all}.rank())
	assert.Equal(t, jvmlog.RankNamed, Settings{PIDs: all}.rank())
}
