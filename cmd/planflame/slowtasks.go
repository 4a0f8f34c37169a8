package main

import (
	"cmp"
	"slices"
	"time"

	"github.com/planflame/planflame/cmd/planflame/internal/outcome"
	"github.com/planflame/planflame/internal/columns"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/slowtask"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/skew"
	"github.com/planflame/planflame/tasksample"
)

// attempt names a stage attempt of an application.
type attempt struct {
	id      tasksample.StageID
	attempt tasksample.StageAttempt
}

// timedJob is an application with what its driver told of stages and tasks: what the judge takes,
// and what it is made of.
type timedJob struct {
	application pipeline.ApplicationTimes
	of          []pipeline.StageTimes
	tasks       [][]pipeline.TaskTimes // :: of
	stages      []skew.Stage           // :: of
	queues      map[queueKey]queued
	halves      map[queueKey]outcome.Half
	unqueued    int // tasks of a second or more that are not in queues
}

// slowTasks finds the tasks that are slow beside their peers. It is nil if no driver told of
// stages.
func slowTasks(jvms []window.JVMProfile, m *columns.Model) *outcome.SlowTasks {
	out := &outcome.SlowTasks{Tasks: []outcome.SlowTask{}}
	queues, halves := runQueuesOf(jvms), halvesOf(jvms)
	for i := range jvms {
		for k := range jvms[i].Times.Applications {
			j := newTimedJob(&jvms[i].Times, k, queues)
			j.halves = halves
			j.judge(out, m)
		}
	}
	if out.Stages == 0 {
		return nil
	}
	slices.SortStableFunc(out.Tasks, func(a, b outcome.SlowTask) int { return cmp.Compare(b.Excess.All, a.Excess.All) })
	return out
}

// mostPageRows bounds the slow tasks that a page has, and the slow records.
const mostPageRows = 1000

// slowRows are slow tasks as the page lists them: those whose stage the model has. The model counts
// what finds no room.
func slowRows(s *outcome.SlowTasks, m *columns.Model) (out []columns.SlowTask) {
	if s == nil {
		return nil
	}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		stage := stageAt(m, t.ApplicationID, t.StageID, t.Attempt)
		if stage < 0 {
			continue
		}
		if len(out) == mostPageRows {
			m.Meta.LostSlow++
			continue
		}
		out = append(out, columns.SlowTask{
			Stage: stage, Task: int64(t.TaskID), Verdict: string(t.Verdict), Seconds: t.Seconds, Peers: t.PeerSeconds, Excess: t.Excess.All, Operator: t.Operator,
		})
	}
	return out
}

// queueKey is a task of an application.
type queueKey struct {
	application string
	task        tasksample.TaskAttemptID
}

// queued is for how long a task waited for a core, and in which JVM, from 1.
type queued struct {
	waited time.Duration
	jvm    int
}

// runQueuesOf is what the reader of each executor's JVM knows of its tasks.
func runQueuesOf(jvms []window.JVMProfile) map[queueKey]queued {
	out := map[queueKey]queued{}
	for i := range jvms {
		for _, q := range jvms[i].Times.RunQueues {
			out[queueKey{jvms[i].Application.ID, q.Task}] = queued{q.Waited, i + 1}
		}
	}
	return out
}

// halvesOf are the records that took half of a task's time. A task with a slow record has none: the
// record tells more.
func halvesOf(jvms []window.JVMProfile) map[queueKey]outcome.Half {
	out := map[queueKey]outcome.Half{}
	for i := range jvms {
		for k := range jvms[i].Times.Dwells {
			if d := &jvms[i].Times.Dwells[k]; d.Kind == pipeline.DwellHalf {
				var half outcome.Half
				half.Record[0], half.Record[1] = d.Span()
				half.Records = d.Records
				out[queueKey{jvms[i].Application.ID, d.Task}] = half
			}
		}
	}
	for i := range jvms {
		for _, d := range slowtask.Told(jvms[i].Times.Dwells) {
			if d.IsRecord() {
				delete(out, queueKey{jvms[i].Application.ID, d.Task})
			}
		}
	}
	return out
}

func newTimedJob(t *window.Times, application int, queues map[queueKey]queued) *timedJob {
	j := &timedJob{application: t.Applications[application], queues: queues}
	at, attempts := map[attempt]int{}, map[tasksample.StageID][]int{}
	for _, st := range t.Stages {
		if st.ApplicationID == j.application.ApplicationID {
			at[attempt{st.ID, st.Attempt}] = len(j.of)
			attempts[st.ID] = append(attempts[st.ID], len(j.of))
			j.of = append(j.of, st)
		}
	}
	j.tasks, j.stages = make([][]pipeline.TaskTimes, len(j.of)), make([]skew.Stage, len(j.of))
	for _, task := range t.Tasks {
		if i, known := at[attempt{task.Stage, task.StageAttempt}]; known && task.ApplicationID == j.application.ApplicationID {
			j.tasks[i] = append(j.tasks[i], task)
			j.stages[i].Tasks = append(j.stages[i].Tasks, j.task(&task))
		}
	}
	for i := range j.of {
		j.stages[i].Submitted, j.stages[i].Completed = j.since(j.of[i].SubmittedMS), j.since(j.of[i].CompletedMS)
		for _, id := range j.of[i].Parents {
			j.stages[i].Parents = append(j.stages[i].Parents, j.parent(attempts[id], j.of[i].SubmittedMS))
		}
	}
	return j
}

// parent is the attempt that ended last of those that ended until some time; -1 none.
func (j *timedJob) parent(attempts []int, until int64) int {
	last := -1
	for _, i := range attempts {
		if st := &j.of[i]; st.CompletedMS <= until && (last < 0 || st.CompletedMS > j.of[last].CompletedMS) {
			last = i
		}
	}
	return last
}

// since is a time since the application's start.
func (j *timedJob) since(ms int64) time.Duration { return millis(ms - j.application.StartedMS) }

func millis(ms int64) time.Duration { return time.Duration(ms) * time.Millisecond }

func (j *timedJob) task(t *pipeline.TaskTimes) skew.Task {
	queue, known := j.queues[queueKey{t.ApplicationID, t.ID}]
	if !known && t.FinishedMS-t.LaunchedMS >= 1000 {
		j.unqueued++
	}
	out := slowtask.Task(t, j.application.StartedMS, queue.waited)
	out.JVM = queue.jvm
	return out
}

// judge adds the slow tasks of the job.
func (j *timedJob) judge(out *outcome.SlowTasks, m *columns.Model) {
	found := skew.Judge(j.stages, j.application.Slots)
	for i := range j.of {
		out.Missing += max(j.of[i].Tasks-len(j.tasks[i]), 0)
	}
	out.Unqueued += j.unqueued
	wall := millis(cmp.Or(j.application.EndedMS, j.application.UntilMS) - j.application.StartedMS).Seconds()
	out.Stages, out.Judged = out.Stages+len(j.of), out.Judged+found.Judged
	out.Wall += wall
	out.WithoutWall += wall - found.Gain().Seconds()
	out.Replayed += found.Replayed.Seconds()
	operators := j.operators(found.Slow, m)
	for i := range found.Slow {
		s := &found.Slow[i]
		stage, task := &j.of[s.Stage], &j.tasks[s.Stage][s.Task]
		x := outcome.SlowTask{
			ApplicationID: j.application.ApplicationID, StageID: stage.ID, Attempt: stage.Attempt, TaskID: task.ID, Partition: task.Partition, Host: task.Host,
			Verdict: s.Verdict, Seconds: s.Seconds, PeerSeconds: s.Peer, Excess: outcome.ExcessOf(s), Volume: s.Volume, Measure: s.Measure, CPURatio: s.CPURatio,
		}
		if stage.Execution != tasksample.NoExecution {
			x.ExecutionID = &stage.Execution
		}
		if s.Verdict == skew.DataSkew || s.Verdict == skew.ComputationSkew {
			x.Operator, x.OperatorCPU = operators.most(j, s)
		}
		if half, known := j.halves[queueKey{x.ApplicationID, x.TaskID}]; known {
			x.Half = &half
		}
		if s.Culprit != i {
			culprit := &found.Slow[s.Culprit]
			x.PausedBy = &outcome.PausedBy{StageID: j.of[culprit.Stage].ID, Attempt: j.of[culprit.Stage].Attempt, Partition: j.tasks[culprit.Stage][culprit.Task].Partition}
		}
		out.Tasks = append(out.Tasks, x)
	}
}

// operatorCPU is the CPU of tasks by operator, as samples tell it.
type operatorCPU struct {
	model *columns.Model
	rows  map[tasksample.TaskAttemptID]uint32 // of the model's tasks
	cpu   map[uint32]map[int]float64
}

// operators sums the samples of slow tasks and of their peers.
func (j *timedJob) operators(slow []skew.Slow, m *columns.Model) operatorCPU {
	out := operatorCPU{model: m, rows: map[tasksample.TaskAttemptID]uint32{}}
	if len(slow) == 0 {
		return out
	}
	of := map[uint32]bool{}
	for row, id := range m.Tasks.ID {
		if row > 0 && m.Stages[m.Tasks.Stage[row]].Application == j.application.ApplicationID {
			out.rows[tasksample.TaskAttemptID(id)] = uint32(row)
		}
	}
	for i := range slow {
		for _, peer := range slow[i].Peers {
			of[out.rows[j.tasks[slow[i].Stage][peer].ID]] = true
		}
	}
	delete(of, 0) // outside any task
	out.cpu = m.TaskOperators(of)
	return out
}

// most is the operator that has at least half of the CPU that a slow task has beyond its peers; ""
// if there is none. It also returns how many seconds the operator has beyond their median.
func (o *operatorCPU) most(j *timedJob, s *skew.Slow) (name string, seconds float64) {
	tasks := j.tasks[s.Stage]
	beyond, all := map[int]float64{}, 0.
	for operator, cpu := range o.cpu[o.rows[tasks[s.Task].ID]] {
		var peers []float64
		for _, i := range s.Peers {
			if i != s.Task {
				peers = append(peers, o.cpu[o.rows[tasks[i].ID]][operator])
			}
		}
		slices.Sort(peers)
		beyond[operator] = cpu - peers[len(peers)/2]
		all += max(beyond[operator], 0)
	}
	most := columns.None
	for operator, cpu := range beyond {
		if operator != columns.None && (most == columns.None || cpu > beyond[most]) {
			most = operator
		}
	}
	if most == columns.None || beyond[most] <= 0 || beyond[most] < all/2 {
		return "", 0
	}
	return o.model.Operators[most].Name, beyond[most]
}
