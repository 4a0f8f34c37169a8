package columns

import (
	"cmp"
	"fmt"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/tasksample"
)

func (f *finisher) jvmTable() {
	for i := range f.p.JVMs {
		j := &f.p.JVMs[i]
		f.jvms[j.JVM.ID] = i
		t := &j.Totals
		f.m.JVMs = append(f.m.JVMs, JVM{
			Application: j.Application.ID, Name: j.Application.Name, Executor: j.Application.ExecutorID, PID: j.JVM.PID, Spark: j.Application.SparkVersion,
			JDK: j.JVM.Header.JDKVersion, Mode: j.JVM.Mode.String(), Samples: t.Samples, Truncated: t.Truncated, Lost: j.Sampler.Lost + j.Sampler.Overrun,
			Tasks: t.Tasks, TaskCPUNanos: int64(t.TaskCPU), KernelNanos: int64(t.Kernel), ProcessNanos: int64(t.Process), TaskThreadsNanos: int64(t.TaskThreads),
			ThreadsNanos: int64(t.Threads), ChildrenNanos: int64(t.Children), WorkersNanos: int64(t.Workers), UnplacedNanos: int64(t.Unplaced),
		})
	}
	for i, thread := range f.b.tasks.threads {
		lane := Lane{JVM: None}
		if i > 0 {
			lane = Lane{JVM: f.jvm(thread.jvm), TID: thread.tid, Thread: f.b.tasks.names[i]}
		}
		f.m.Lanes = append(f.m.Lanes, lane)
	}
}

// jvm is the row of a JVM.
func (f *finisher) jvm(id sampler.JVMID) int {
	if i, known := f.jvms[id]; known {
		return i
	}
	return None
}

// application is the application of a JVM.
func (f *finisher) application(id sampler.JVMID) string {
	if i := f.jvm(id); i >= 0 {
		return applicationOf(f.m.JVMs[i].Application, id)
	}
	return applicationOf("", id)
}

// applicationOf is the application of a JVM by its name; one without is one of its own.
func applicationOf(name string, id sampler.JVMID) string {
	if name != "" {
		return name
	}
	return fmt.Sprintf("jvm %d", id)
}

// query is the row of a query; None if it is not known.
func (f *finisher) query(query, plan, name string) int {
	if query == "" {
		return None
	}
	key := queryKey{query, plan}
	i, known := f.queries[key]
	if !known {
		i = len(f.m.Queries)
		f.queries[key] = i
		f.m.Queries = append(f.m.Queries, Query{Query: query, Plan: plan})
	}
	f.m.Queries[i].Name = cmp.Or(f.m.Queries[i].Name, name)
	return i
}

// execution is the row of an execution. Jobs without SQL have one for each query.
func (f *finisher) execution(application string, jvm int, id tasksample.ExecutionID, query int) int {
	key := executionKey{application, id, None}
	if id == tasksample.NoExecution {
		key.query = query
	}
	i, known := f.executions[key]
	if !known {
		i = len(f.m.Executions)
		f.executions[key] = i
		f.m.Executions = append(f.m.Executions, Execution{JVM: jvm, Application: application, ID: id, Query: query, Plan: None, Start: ^uint32(0)})
	}
	x := &f.m.Executions[i]
	if x.Query == None {
		x.Query = query
	}
	return i
}

// stage is the row of a stage attempt.
func (f *finisher) stage(application string, jvm int, id tasksample.StageID, attempt tasksample.StageAttempt) int {
	if id == pipeline.NoStage {
		return None
	}
	key := stageKey{application, id, attempt}
	i, known := f.stages[key]
	if !known {
		i = len(f.m.Stages)
		f.stages[key] = i
		f.m.Stages = append(f.m.Stages, Stage{JVM: jvm, Application: application, ID: id, Attempt: attempt, Execution: None, Query: None, Start: ^uint32(0)})
	}
	return i
}

// anyAttempt is the row of the first attempt at a stage.
func (f *finisher) anyAttempt(l *pipeline.Labels) int {
	for attempt := range tasksample.StageAttempt(8) { // Spark gives a stage up after four
		if i, known := f.stages[stageKey{f.application(l.JVM), l.Stage, attempt}]; known {
			return i
		}
	}
	return None
}

// operator is the row of an operator.
func (f *finisher) operator(query int, place, operator, name, role string) int {
	key := operatorKey{query, place, operator}
	i, known := f.operators[key]
	if !known {
		i = len(f.m.Operators)
		f.operators[key] = i
		f.m.Operators = append(f.m.Operators, Operator{Query: query, Place: place, Operator: operator, Name: name, Role: role, Parent: None})
	}
	return i
}
