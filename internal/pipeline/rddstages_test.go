package pipeline

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/jvmtest"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// A stage without a plan has what no plan claims; a sample waits for its name as for a plan.
func TestStageWithoutAPlan(t *testing.T) {
	s := newScenario(Settings{Hold: time.Second, PlanWait: 10 * time.Second})
	s.p.JVMFound(sampler.JVM{ID: 7, PID: 107, Mode: sampler.ModeSelfOpened, Header: jvmlog.Header{Minor: 5}})
	s.Code(7)
	s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(10), 41, 900, 6, -1, jvmtest.Clocks{CPU: 20, System: 5})
	s.Sample(7, jvmtest.At(10.5), 41, jvmtest.ScanCode+9)
	s.Sample(7, jvmtest.At(10.6), 41, jvmtest.RunCode+9)
	s.p.Watermark(7, jvmtest.At(13))
	require.Empty(t, s.got.samples, "the name is not there yet")
	s.StageInfo(7, jvmtest.At(13.1), 6)
	s.p.Watermark(7, jvmtest.At(13.2))
	require.Equal(t, []verdict{{"r1-6", "rdd@6", "", 900, true}, {"r1-6", "", attribution.BucketFramework, 900, true}}, s.got.verdicts())
	l := s.got.samples[0]
	require.Equal(t, []string{"collect at etl.py", "", "shuffle>rdd@9", "reduceByKey at etl.py", "rdd"}, []string{l.QueryName, l.Plan, l.StagePlace, l.OperatorName, l.Role})

	s.p.Record(7, jvmtest.At(14), &jvmlog.StageInfo{Stage: 8, JSON: []byte(`{"query": "r1-8"}`)})
	require.EqualValues(t, 1, s.p.Counts().BadRecords)
}

// An older agent names no stages: nothing waits for it.
func TestStageOfAnOlderAgent(t *testing.T) {
	s := newScenario(Settings{Hold: time.Second, PlanWait: 10 * time.Second})
	s.p.JVMFound(sampler.JVM{ID: 7, PID: 107, Mode: sampler.ModeSelfOpened, Header: jvmlog.Header{Minor: 4}})
	s.Code(7)
	s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(10), 41, 900, 6, -1, jvmtest.Clocks{CPU: 20, System: 5})
	s.Sample(7, jvmtest.At(10.5), 41, jvmtest.ScanCode+9)
	s.p.Watermark(7, jvmtest.At(12))
	require.Equal(t, []verdict{{"", "", attribution.BucketNoPlan, 900, true}}, s.got.verdicts())
}

func TestStagesWithoutAPlanAreBounded(t *testing.T) {
	o := newOperators(512, &budget{}, &Counts{}, &attribution.Common{})
	stages := &o.rdds
	const most = 2 * 512
	for i := range most + 3 {
		require.NotNil(t, o.stageInfo(&jvmlog.StageInfo{Stage: tasksample.StageID(i), JSON: []byte(`{"query": "r1-1", "operator": "rdd@1"}`)}))
		for _, stage := range []tasksample.StageID{tasksample.StageID(i), 0} {
			require.NotNil(t, stages.of(&Task{Stage: stage, Execution: tasksample.NoExecution}), "the first runs all the time")
		}
	}
	require.Len(t, stages.by, most)
	require.Nil(t, stages.of(&Task{Stage: 3, Execution: tasksample.NoExecution}))
	require.NotNil(t, stages.of(&Task{Stage: 4, Execution: tasksample.NoExecution}))
	require.Nil(t, stages.of(&Task{Stage: 3, Execution: 1}), "a stage of an execution has a plan")
	require.Nil(t, stages.of(nil))
}

// The operators of a DataFrame whose RDD a job computes are a part of that job. A job that no one
// named has the plan's name.
func TestRDDOfADataFrame(t *testing.T) {
	s := newScenario(Settings{Hold: UntilEnd})
	s.p.JVMFound(sampler.JVM{ID: 7, PID: 107, Mode: sampler.ModeSelfOpened, Header: jvmlog.Header{Minor: 5}})
	s.Code(7)
	s.Plan(7, jvmtest.At(9), -5)
	for stage := 6; stage <= 7; stage++ {
		s.Stage(7, jvmtest.At(11), stage, -1)
		from := float64(10 * stage)
		s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(from), 41, 900+stage, stage, -1, jvmtest.Clocks{CPU: 20, System: 5})
		s.Sample(7, jvmtest.At(from+1), 41, jvmtest.ScanCode+9)
		s.Sample(7, jvmtest.At(from+2), 41, jvmtest.RunCode+9)
	}
	s.StageInfo(7, jvmtest.At(12), 6)
	s.p.Record(7, jvmtest.At(12), &jvmlog.StageInfo{Stage: 7, JSON: []byte(`{"query": "r1-7", "query_name": "query stage", "operator": "rdd@7",
			"operator_name": "query stage", "stage": "result"}`)})
	require.Equal(t, []string{"q1-of-5 p1-of-5 -5", "r1-6  -5"}, outlinesOf(s.p.Plans(7)))
	s.p.Finish()
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
