package window

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/jvmtest"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// The user's lines reach a profile that asks for them, and no label.
func TestUserLines(t *testing.T) {
	play := func(settings Settings) JVMProfile {
		acc := New(settings)
		s := scenarioInto(pipeline.Settings{Hold: pipeline.UntilEnd}, acc)
		s.JVM(7, sampler.ModeSelfOpened)
		for _, d := range []string{
			`{"version": 1, "execution_id": 4, "query": "q1-a", "plan": "p1-a", "nodes": [{"parent": -1, "operator": "filter@1", "line": "etl.py:3"}, {"parent": 0, "operator": "scan@2"}]}`,
			`{"version": 1, "execution_id": 4, "update": 1, "query": "q1-a", "plan": "p1-a", "call_site": "etl.py:9", "nodes": [{"parent": -1, "operator": "filter@1", "line": "etl.py:3"}]}`,
		} {
			s.p.Record(7, jvmtest.At(1), &jvmlog.Dictionary{Execution: 4, JSON: []byte(d)})
		}
		s.StageInfo(7, jvmtest.At(2), 6)
		for _, line := range []string{"a:1", "a:2", "a:2", "a:3", "a:4"} {
			acc.UserLine(7, pipeline.UserLineOf{Query: "q1-b"}, line)
		}
		s.p.Finish()
		return acc.Take().JVMs[0]
	}
	require.Equal(t, map[pipeline.UserLineOf][]string{
		{Query: "q1-a", Plan: "p1-a"}: {"etl.py:9"}, {Query: "q1-a", Plan: "p1-a", Operator: "filter@1"}: {"etl.py:3"},
		{Query: "r1-6"}: {"etl.py:9"}, {Query: "r1-6", Operator: "rdd@6"}: {"etl.py:7"},
		{Query: "q1-b"}: {"a:1", "a:2", "a:3"},
	}, play(Settings{UserLines: true}).UserLines)
	require.Empty(t, play(Settings{}).UserLines)
}
