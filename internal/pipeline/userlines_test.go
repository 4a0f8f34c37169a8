package pipeline

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// The user's lines reach a profile that asks for them, and no label.
func TestUserLines(t *testing.T) {
	play := func(settings AccumulatorSettings) JVMProfile {
		acc := NewAccumulator(settings)
		s := &scenario{t: t, p: New(Settings{Hold: UntilEnd}, acc), event: map[sampler.JVMID]uint64{}}
		s.jvm(7, sampler.ModeSelfOpened)
		for _, d := range []string{
			`{"version": 1, "execution_id": 4, "query": "q1-a", "plan": "p1-a", "nodes": [{"parent": -1, "operator": "filter@1", "line": "etl.py:3"}, {"parent": 0, "operator": "scan@2"}]}`,
			`{"version": 1, "execution_id": 4, "update": 1, "query": "q1-a", "plan": "p1-a", "call_site": "etl.py:9", "nodes": [{"parent": -1, "operator": "filter@1", "line": "etl.py:3"}]}`,
		} {
			s.p.Record(7, at(1), &jvmlog.Dictionary{Execution: 4, JSON: []byte(d)})
		}
		s.stageInfo(7, at(2), 6)
		for _, line := range []string{"a:1", "a:2", "a:2", "a:3", "a:4"} {
			acc.UserLine(7, UserLineOf{Query: "q1-b"}, line)
		}
		s.p.Finish()
		return acc.Take().JVMs[0]
	}
	require.Equal(t, map[UserLineOf][]string{
		{"q1-a", "p1-a", ""}: {"etl.py:9"}, {"q1-a", "p1-a", "filter@1"}: {"etl.py:3"},
		{"r1-6", "", ""}: {"etl.py:9"}, {"r1-6", "", "rdd@6"}: {"etl.py:7"},
		{"q1-b", "", ""}: {"a:1", "a:2", "a:3"},
	}, play(AccumulatorSettings{UserLines: true}).UserLines)
	require.Empty(t, play(AccumulatorSettings{}).UserLines)
}
