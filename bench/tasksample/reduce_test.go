package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// Samples come in any order, of several stages and executions; attempts that have not ended are
// left out.
func TestReduce(t *testing.T) {
	r := newReducer(5)
	c := (*attemptConsumer)(r)
	of := func(id, stage, partition int) pipeline.Task {
		return pipeline.Task{ID: tasksample.TaskAttemptID(id), Stage: tasksample.StageID(stage), Partition: tasksample.PartitionID(partition), Execution: 5}
	}
	sample := func(task pipeline.Task, at int, operator string, bucket attribution.Bucket) {
		l := &pipeline.Labelled{Labels: pipeline.Labels{JVM: 1, Execution: task.Execution, Operator: operator, Bucket: bucket}, Time: jvmlog.MonoTime(at), Of: &task}
		c.Sample(l)
	}
	end := func(task pipeline.Task, failed bool, cpu time.Duration) {
		c.Task(pipeline.TaskCPU{Labels: pipeline.Labels{JVM: 1, Execution: task.Execution}, Of: task, Failed: failed, CPU: cpu})
	}
	big, retry, small, other, running := of(7, 3, 11), of(9, 3, 11), of(2, 4, 0), of(1, 3, 0), of(8, 3, 12)
	other.Execution = 6
	sample(big, 30, "sort@b", "")
	sample(big, 10, "", attribution.BucketCodegen)
	sample(retry, 40, "sort@b", "")
	sample(big, 20, "scan@a", "")
	sample(small, 20, "scan@z", "")
	sample(other, 20, "scan@z", "")
	sample(running, 20, "scan@a", "")
	c.Sample(&pipeline.Labelled{Labels: pipeline.Labels{Execution: 5}})
	end(big, true, 3*time.Millisecond)
	end(retry, false, 5*time.Millisecond)
	end(small, false, time.Millisecond)
	end(other, false, time.Second)
	got, err := r.population("x")
	require.NoError(t, err)
	assert.Equal(t, &population{Stage: "x", Keys: []string{"[codegen]", "scan@a", "sort@b"}, Attempts: []task{
		{Partition: 11, Failed: true, CPU: 3 * time.Millisecond, Ticks: []byte{0, 1, 2}}, {Partition: 11, CPU: 5 * time.Millisecond, Ticks: []byte{2}},
	}}, got)
	_, err = newReducer(9).population("x")
	assert.ErrorContains(t, err, "no sample of execution 9")
}
