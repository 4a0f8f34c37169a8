package slowtask

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/skew"
	"github.com/planflame/planflame/tasksample"
)

// tasksOf are eight tasks of a stage, from first on. Each sleeps for 1 s; the last sleeps for 5 s.
func tasksOf(application string, stage tasksample.StageID, first int) (out []pipeline.TaskTimes) {
	for i := range 8 {
		took := int64(1000)
		if i == 7 {
			took = 5000
		}
		out = append(out, pipeline.TaskTimes{
			ApplicationID: application, Stage: stage, StageAttempt: 1, ID: tasksample.TaskAttemptID(first + i), Partition: 20 + i, Succeeded: true,
			LaunchedMS: 2000, FinishedMS: 2000 + took, Host: "a", TaskFigures: pipeline.TaskFigures{RunMS: took, CPUNanos: 500e6, InputRows: 30},
		})
	}
	return out
}

func stageOf(application string, stage tasksample.StageID, execution tasksample.ExecutionID) pipeline.StageTimes {
	return pipeline.StageTimes{ApplicationID: application, ID: stage, Attempt: 1, Execution: execution, SubmittedMS: 1900, CompletedMS: 7100}
}

var slots = []pipeline.ApplicationTimes{{ApplicationID: "app-7", Slots: 8}}

// A stage's tasks come over two windows, its end in a third, and the end of its execution in a
// fourth. The task of 5 s has 4 s beyond its peers, and no CPU or rows beyond theirs.
func TestBook(t *testing.T) {
	var b Book
	tasks := tasksOf("app-7", 4, 10)
	require.Empty(t, b.Add(&window.Times{Applications: slots, Tasks: tasks[:3]}, false))
	require.Empty(t, b.Add(&window.Times{Tasks: append(tasks[3:], tasksOf("app-8", 4, 50)...)}, false))
	require.Empty(t, b.Add(&window.Times{Stages: []pipeline.StageTimes{stageOf("app-7", 4, 3)}}, false), "the query is not known yet")
	got := b.Add(&window.Times{Executions: []pipeline.ExecutionTimes{
		{ApplicationID: "app-7", ID: 3, Query: "q1-abc", QueryName: "nightly", Plan: "p1-def"}, {ApplicationID: "app-7", ID: 4, Query: "another"}, {ApplicationID: "app-8", ID: 3, Query: "another"},
	}}, false)
	want := skew.Slow{Verdict: skew.Wait, Seconds: 5, Peer: 1, Excess: 4, Volume: 1, Measure: skew.RowsIn, CPURatio: 1}
	want.Parts[skew.PartWait] = 4
	require.Equal(t, []Slow{{Judged: want, Of: tasks[7], Execution: 3, Query: "q1-abc", QueryName: "nightly", Plan: "p1-def"}}, got)

	require.Empty(t, b.Add(&window.Times{Stages: []pipeline.StageTimes{stageOf("app-7", 4, 3)}}, true), "a replay, and the end")
	require.Empty(t, b.open)
	require.Zero(t, b.tasks)
	require.Zero(t, b.Lost)
}

// A stage outside SQL waits for the slots alone.
func TestBookOutsideSQL(t *testing.T) {
	var b Book
	require.Empty(t, b.Add(&window.Times{Tasks: tasksOf("app-7", 4, 10), Stages: []pipeline.StageTimes{stageOf("app-7", 4, tasksample.NoExecution)}}, false))
	got := b.Add(&window.Times{Applications: slots}, false)
	require.Len(t, got, 1)
	require.Equal(t, tasksample.TaskAttemptID(17), got[0].Of.ID)
	require.Empty(t, got[0].Query)
}

// A driver that is killed reports no end of its execution. Without slots nothing can be judged.
func TestBookOfAKilledDriver(t *testing.T) {
	ended := window.Times{Tasks: tasksOf("app-7", 4, 10), Stages: []pipeline.StageTimes{stageOf("app-7", 4, 3)}}
	var b Book
	require.Empty(t, b.Add(&window.Times{Applications: slots}, false))
	require.Empty(t, b.Add(&ended, false))
	got := b.Add(&window.Times{Tasks: tasksOf("app-7", 5, 30)}, true)
	require.Len(t, got, 1)
	require.Equal(t, tasksample.ExecutionID(3), got[0].Execution)
	require.Empty(t, got[0].Query)
	require.Zero(t, b.Lost, "the other stage did not end")

	b = Book{}
	require.Empty(t, b.Add(&ended, true))
	require.Equal(t, uint64(8), b.Lost)
}

// The oldest stage makes room for a new one: each stage of eight tasks takes nine places.
func TestBookIsBounded(t *testing.T) {
	var b Book
	n := mostTasks / 9
	for i := range n + 2 {
		b.Add(&window.Times{Tasks: tasksOf("app-7", tasksample.StageID(i), 10*i)}, false)
	}
	require.Equal(t, uint64(16), b.Lost)
	require.Len(t, b.open, n)
	require.Len(t, b.order, n)
	require.Equal(t, 8*n, b.tasks)

	b = Book{}
	var stages []pipeline.StageTimes
	got := b.Add(&window.Times{Applications: slots}, false)
	for i := range mostWaiting + 2 {
		stages = []pipeline.StageTimes{stageOf("app-7", tasksample.StageID(i), 3)}
		got = append(got, b.Add(&window.Times{Tasks: tasksOf("app-7", tasksample.StageID(i), 10*i), Stages: stages}, false)...)
	}
	require.Len(t, got, 2, "the oldest go without their query")
	require.Equal(t, []tasksample.StageID{0, 1}, []tasksample.StageID{got[0].Of.Stage, got[1].Of.Stage})
	require.Len(t, b.waiting, mostWaiting)
}

// What a JVM says may be any number.
func TestBookOfNonsense(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	number := func() int64 {
		return []int64{0, 1, -1, 1000, 5000, r.Int64(), -r.Int64(), r.Int64N(10_000)}[r.IntN(8)]
	}
	for range 3000 {
		var b Book
		times := window.Times{
			Applications: []pipeline.ApplicationTimes{{Slots: int(number())}},
			Stages:       []pipeline.StageTimes{{ID: 1, Execution: -1, SubmittedMS: number(), CompletedMS: number()}},
		}
		for i := range 4 + r.IntN(20) {
			times.Tasks = append(times.Tasks, pipeline.TaskTimes{
				Stage: 1, ID: tasksample.TaskAttemptID(i), Succeeded: r.IntN(5) > 0, LaunchedMS: number(), FinishedMS: number(), OperatorRows: number(), Host: string(rune('a' + r.IntN(3))),
				TaskFigures: pipeline.TaskFigures{RunMS: number(), CPUNanos: number(), GCMS: number(), DeserializeMS: number(), FetchWaitMS: number(), InputRows: number(), ShuffleReadBytes: number()},
			})
		}
		b.Add(&times, true)
		require.Empty(t, b.open)
	}
}

// The slowest stage to judge is full, and as many tasks are slow as the judge looks at.
func BenchmarkBook(b *testing.B) {
	times := window.Times{Applications: []pipeline.ApplicationTimes{{Slots: mostTasks}}, Stages: []pipeline.StageTimes{stageOf("app-7", 4, -1)}}
	for i := range mostTasks - 1 {
		times.Tasks = append(times.Tasks, pipeline.TaskTimes{ApplicationID: "app-7", Stage: 4, StageAttempt: 1, ID: tasksample.TaskAttemptID(i), Succeeded: true,
			LaunchedMS: int64(i), FinishedMS: int64(i) + 100 + int64(max(0, i-mostTasks+64))*10_000})
	}
	for b.Loop() {
		var book Book
		if len(book.Add(&times, false)) == 0 {
			b.Fatal("no task is slow")
		}
	}
}
