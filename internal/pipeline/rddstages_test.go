package pipeline

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// stageInfo names a stage without a plan.
func (s *scenario) stageInfo(id sampler.JVMID, at jvmlog.MonoTime, stage int) {
	s.p.Record(id, at, &jvmlog.StageInfo{Stage: tasksample.StageID(stage), JSON: []byte(fmt.Sprintf(`{"version": 1, "query": "r1-%d", "query_name": "collect at etl.py",
		"operator": "rdd@%d", "operator_name": "reduceByKey at etl.py", "stage": "shuffle>rdd@9", "call_site": "etl.py:9", "line": "etl.py:7", "description": "no"}`, stage, stage))})
}

// A stage without a plan has what no plan claims; a sample waits for its name as for a plan.
func TestStageWithoutAPlan(t *testing.T) {
	s := newScenario(t, Settings{Hold: time.Second, PlanWait: 10 * time.Second})
	s.p.JVMFound(sampler.JVM{ID: 7, PID: 107, Mode: sampler.ModeSelfOpened, Header: jvmlog.Header{Minor: 5}})
	s.code(7)
	s.taskEvent(7, jvmlog.TaskStart, at(10), 41, 900, 6, -1, clocksAt{20, 5})
	s.sample(7, at(10.5), 41, scanCode+9)
	s.sample(7, at(10.6), 41, runCode+9)
	s.p.Watermark(7, at(13))
	require.Empty(t, s.got.samples, "the name is not there yet")
	s.stageInfo(7, at(13.1), 6)
	s.p.Watermark(7, at(13.2))
	require.Equal(t, []verdict{{"r1-6", "rdd@6", "", 900, true}, {"r1-6", "", attribution.BucketFramework, 900, true}}, s.got.verdicts())
	l := s.got.samples[0]
	require.Equal(t, []string{"collect at etl.py", "", "shuffle>rdd@9", "reduceByKey at etl.py", "rdd"}, []string{l.QueryName, l.Plan, l.StagePlace, l.OperatorName, l.Role})

	s.p.Record(7, at(14), &jvmlog.StageInfo{Stage: 8, JSON: []byte(`{"query": "r1-8"}`)})
	require.EqualValues(t, 1, s.p.Counts().BadRecords)
}

// An older agent names no stages: nothing waits for it.
func TestStageOfAnOlderAgent(t *testing.T) {
	s := newScenario(t, Settings{Hold: time.Second, PlanWait: 10 * time.Second})
	s.p.JVMFound(sampler.JVM{ID: 7, PID: 107, Mode: sampler.ModeSelfOpened, Header: jvmlog.Header{Minor: 4}})
	s.code(7)
	s.taskEvent(7, jvmlog.TaskStart, at(10), 41, 900, 6, -1, clocksAt{20, 5})
	s.sample(7, at(10.5), 41, scanCode+9)
	s.p.Watermark(7, at(12))
	require.Equal(t, []verdict{{"", "", attribution.BucketNoPlan, 900, true}}, s.got.verdicts())
}

func TestStagesWithoutAPlanAreBounded(t *testing.T) {
	var stages rddStages
	for i := range mostRDDStages + 3 {
		_, err := stages.add(&jvmlog.StageInfo{Stage: tasksample.StageID(i), JSON: []byte(`{"query": "r1-1", "operator": "rdd@1"}`)})
		require.NoError(t, err)
	}
	require.Len(t, stages.by, mostRDDStages)
	require.Nil(t, stages.of(&Task{Stage: 2, Execution: tasksample.NoExecution}))
	require.NotNil(t, stages.of(&Task{Stage: 3, Execution: tasksample.NoExecution}))
	require.Nil(t, stages.of(&Task{Stage: 3, Execution: 1}), "a stage of an execution has a plan")
	require.Nil(t, stages.of(nil))
}

// The operators of a DataFrame whose RDD a job computes are a part of that job. A job that no one
// named has the plan's name.
func TestRDDOfADataFrame(t *testing.T) {
	acc := NewAccumulator(AccumulatorSettings{UserLines: true})
	s := newScenario(t, Settings{Hold: UntilEnd})
	for _, out := range []Consumer{s.got, acc} {
		s.p = New(Settings{Hold: UntilEnd}, out)
		s.p.JVMFound(sampler.JVM{ID: 7, PID: 107, Mode: sampler.ModeSelfOpened, Header: jvmlog.Header{Minor: 5}})
		s.code(7)
		s.plan(7, at(9), -5)
		for stage := 6; stage <= 7; stage++ {
			s.stage(7, at(11), stage, -1)
			from := float64(10 * stage)
			s.taskEvent(7, jvmlog.TaskStart, at(from), 41, 900+stage, stage, -1, clocksAt{20, 5})
			s.sample(7, at(from+1), 41, scanCode+9)
			s.sample(7, at(from+2), 41, runCode+9)
		}
		s.stageInfo(7, at(12), 6)
		s.p.Record(7, at(12), &jvmlog.StageInfo{Stage: 7, JSON: []byte(`{"query": "r1-7", "query_name": "query stage", "operator": "rdd@7",
			"operator_name": "query stage", "stage": "result"}`)})
		if out == Consumer(acc) {
			require.Equal(t, []string{"q1-of-5 p1-of-5 -5", "r1-6  -5"}, outlinesOf(s.p.Plans(7)))
		}
		s.p.Finish()
	}
	require.False(t, (&rddStage{queryName: "takeSample at KMeans.scala", names: nodeNames{name: "takeSample at KMeans.scala"}}).nameless())
	require.False(t, (&rddStage{queryName: "nightly", names: nodeNames{name: "query stage"}}).nameless())
	var labels [][]string
	for _, l := range s.got.samples {
		labels = append(labels, []string{l.Query, l.QueryName, l.Plan, l.StagePlace, l.Name()})
	}
	require.Equal(t, [][]string{
		{"r1-6", "collect at etl.py", "", "shuffle>rdd@9", "Scan t"},
		{"r1-6", "collect at etl.py", "", "shuffle>rdd@9", "[task framework]"},
		{"q1-of-5", "query -5", "p1-of-5", "exchange>result", "Scan t"},
		{"q1-of-5", "query -5", "p1-of-5", "exchange>result", "[task framework]"},
	}, labels)
}

func outlinesOf(plans []PlanOutline) (out []string) {
	for _, o := range plans {
		out = append(out, fmt.Sprintf("%s %s %d", o.Query, o.Plan, o.Execution))
	}
	return out
}
