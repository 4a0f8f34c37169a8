package main

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/cmd/planflame/internal/outcome"
	"github.com/planflame/planflame/internal/columns"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/skew"
	"github.com/planflame/planflame/tasksample"
)

func TestDebugRefuses(t *testing.T) {
	for want, args := range map[string][]string{
		"want at most one folder": {"debug", "DIR", "true"},
		"and the command to run":  {"debug", "DIR", "--"},
		"one folder":              {"debug", "A", "B", "--", "true"},
		"/no/run":                 {"debug", "/no/run", "--", "true"},
	} {
		root := newRoot()
		root.SetArgs(args)
		require.ErrorContains(t, root.Execute(), want)
	}
}

func TestKeyTasks(t *testing.T) {
	dwell := func(stage tasksample.StageID, partition int, ms int64) pipeline.Dwell {
		return pipeline.Dwell{Stage: stage, Partition: partition, NetMS: ms, Kind: pipeline.DwellAfter, Shuffle: true}
	}
	file, before, other := dwell(1, 1, 9000), dwell(1, 2, 9000), window.JVMProfile{}
	file.Shuffle, before.Kind = false, pipeline.DwellBefore
	other.Times.Dwells = []pipeline.Dwell{file, before, dwell(4, 17, 500), dwell(4, 17, 2500), dwell(4, 18, 499), dwell(5, 0, 2000)}
	other.Times.Stages = []pipeline.StageTimes{{ID: 4, Name: "count at A.scala:7"}}
	slow := &outcome.SlowTasks{Tasks: []outcome.SlowTask{
		{StageID: 7, Partition: 3, Seconds: 2.25}, {StageID: 4, Partition: 17, Seconds: 1, Verdict: skew.DataSkew}, {StageID: 6, Partition: 1, Seconds: 9, Verdict: skew.GC},
	}}
	require.Equal(t, []keyTask{{7, 3, ""}, {4, 17, "count at A.scala:7"}, {5, 0, ""}}, keyTasks(slow, []window.JVMProfile{{}, other}))
	require.Empty(t, keyTasks(nil, nil))
	for partition := range 20 {
		other.Times.Dwells = append(other.Times.Dwells, dwell(8, partition, 60_000))
	}
	tasks := keyTasks(slow, []window.JVMProfile{other})
	require.Len(t, tasks, mostKeyTasks)
	require.Equal(t, []keyTask{{7, 3, ""}, {4, 17, "count at A.scala:7"}, {8, 0, ""}}, tasks[:3], "slow tasks come first")
}

func TestPropertiesOfTheSecondRun(t *testing.T) {
	key := "spark.planflame.keys"
	require.Equal(t, map[string]string{key: "4:17,7:3"}, (&hunt{tasks: []keyTask{{4, 17, ""}, {7, 3, ""}}}).properties(false))
	require.Equal(t, map[string]string{key: "show 4:17"}, (&hunt{tasks: []keyTask{{4, 17, ""}}}).properties(true))
	require.Equal(t, byRow, (&hunt{batches: make([]outcome.SlowRecord, 2)}).properties(true))
	python := (&hunt{batches: []outcome.SlowRecord{{Python: true}}}).properties(false)
	require.Equal(t, pythonByRow, python)
}

func TestDebugDoesNotWriteAgain(t *testing.T) {
	const command, appends = "org.apache.spark.sql.execution.command.ExecutedCommandExec", "org.apache.spark.sql.execution.datasources.v2.AppendDataExec"
	run := func(rows int64, nodes ...columns.Node) *analysis {
		a := &analysis{jvms: make([]window.JVMProfile, 2), model: &columns.Model{Head: columns.Head{Plans: []columns.Plan{{Nodes: nodes}}}}}
		a.jvms[1].Times.Tasks = []pipeline.TaskTimes{{TaskFigures: pipeline.TaskFigures{OutputRows: rows}}}
		a.jvms[1].Times.Stages = []pipeline.StageTimes{{OutputRows: rows / 2}} // another one did not end
		return a
	}
	require.Equal(t, "15 rows", run(15).wrote())
	dropped := run(0)
	dropped.jvms[0].Times.Stages = []pipeline.StageTimes{{OutputRows: 7}} // figures of tasks found no room
	require.Equal(t, "7 rows", dropped.wrote())
	require.Empty(t, run(0, columns.Node{Role: "scan", Name: "Scan"}).wrote())
	require.Equal(t, "by AppendData", run(0, columns.Node{Role: "write", Name: "AppendData", Class: appends, Text: "AppendData KafkaTable"}).wrote())
	require.Empty(t, run(0, columns.Node{Role: "write", Name: "AppendData", Class: appends, Text: "AppendData org.apache.spark.sql.execution.datasources.noop.NoopWrite$@1"}).wrote())
	require.Empty(t, run(0, columns.Node{Role: "write", Name: "OverwriteByExpression noop-table", Class: "org.apache.spark.sql.execution.datasources.v2.OverwriteByExpressionExec"}).wrote())
	require.Equal(t, "by Execute", run(0, columns.Node{Role: "write", Name: "Execute", Class: command, Text: "Execute SaveIntoDataSourceCommand"}).wrote())
	for _, text := range []string{"CreateViewCommand `v`", "ShowTablesCommand", "SetCommand (a,b)", "CacheTableCommand", "AddJarsCommand"} {
		require.Empty(t, run(0, columns.Node{Role: "write", Name: "Execute", Class: command, Text: "Execute " + text}).wrote())
	}
	for _, class := range []string{"v2.ReplaceDataExec", "v2.AtomicReplaceTableAsSelectExec", "v2.DeleteFromTableExec", "v2.OverwritePartitionsDynamicExec", "WriteFilesExec", "v2.AppendDataExecV1", "v2.CallExec"} {
		require.Equal(t, "by It", run(0, columns.Node{Name: "It", Class: "org.apache.spark.sql.execution.datasources." + class}).wrote(), class)
	}
	for _, class := range []string{"UpdateEventTimeColumnExec", "aggregate.MergingSessionsExec", "SortExec"} {
		require.Empty(t, run(0, columns.Node{Name: "It", Class: "org.apache.spark.sql.execution." + class}).wrote(), class)
	}

	for node, want := range map[string]string{
		"Execute DropTableCommand": "by Execute DropTableCommand", "Execute TruncateTableCommand": "by Execute TruncateTableCommand", "DropTable": "by DropTable",
		"AlterTable": "by AlterTable", "DeleteFromTable": "by DeleteFromTable", "Call": "by Call",
		"Execute ShowTablesCommand": "", "Execute CreateViewCommand": "", "Execute DropTempViewCommand": "", "CreateNamespace": "", "CreateVariable": "", "DropVariable": "", "AdaptiveSparkPlan": "", "CommandResult": "", "ShowTables": "", "": "",
	} {
		command := run(0)
		command.jvms[0].Times.Executions = []pipeline.ExecutionTimes{{RootNode: node}}
		require.Equal(t, want, command.wrote(), node)
		command.jvms[0].Times.Executions[0].Jobs = 1
		require.Empty(t, command.wrote(), "its plan tells")
	}

	whole := run(0)
	require.Equal(t, "its driver was not seen", whole.gap(nil))
	whole.summary.SlowTasks = &outcome.SlowTasks{}
	whole.jvms[0].Times.Applications = []pipeline.ApplicationTimes{{EndedMS: 1}}
	require.Empty(t, whole.gap(nil))
	require.Equal(t, "its recording is not whole", whole.gap(io.ErrUnexpectedEOF))
	whole.jvms[1].Times.Stages[0].Failed = true
	require.Equal(t, "it failed in part", whole.gap(nil))
	whole.jvms[1].Times.Stages = append(whole.jvms[1].Times.Stages, pipeline.StageTimes{Attempt: 1})
	require.Empty(t, whole.gap(nil), "its second attempt did not fail")
	whole.jvms[0].Times.Executions = []pipeline.ExecutionTimes{{Failed: true}}
	require.Equal(t, "it failed in part", whole.gap(nil))
	whole.jvms[0].Times.Applications[0].EndedMS = 0
	require.Equal(t, "its application did not end", whole.gap(nil))
}

func TestWhyNoKeyIsSlow(t *testing.T) {
	a := &analysis{jvms: make([]window.JVMProfile, 1)}
	times := &a.jvms[0].Times
	times.Stages = []pipeline.StageTimes{{ID: 4, Name: "count at A.scala:7"}, {ID: 5, Name: "join at A.scala:9"}}
	times.Tasks = []pipeline.TaskTimes{{Stage: 4, Partition: 17}, {Stage: 4, Partition: 18}, {Stage: 5, Partition: 17}}
	times.Dwells = []pipeline.Dwell{{Stage: 4, Partition: 17, Kind: pipeline.DwellKey}, {Stage: 4, Partition: 18, Kind: pipeline.DwellAfter}}
	for want, task := range map[string]keyTask{
		"keys that took 0.1 s or more: 1; none took ten times the others, or is known to have ten times their rows": {4, 17, "count at A.scala:7"},
		"none that has a name took 0.1 s, or is known to have ten times the rows of the others":                     {4, 18, ""},
		"it did not run": {6, 17, ""},
	} {
		require.Equal(t, want, task.silence(a))
		require.Empty(t, task.otherStage(a))
	}
	other := keyTask{5, 17, "count at A.scala:7"}
	require.Equal(t, "stage 5 is another one in this run: join at A.scala:9", other.otherStage(a))
	times.Stages = append(times.Stages, pipeline.StageTimes{ApplicationID: "second", ID: 5, Name: "count at A.scala:7"}, pipeline.StageTimes{ApplicationID: "third", ID: 5})
	require.Empty(t, other.otherStage(a), "an application has it")
	for application, want := range map[string]bool{"": false, "second": true, "third": false, "fourth": true} {
		require.Equal(t, want, other.is(a, application, 5, 17), application)
	}
	require.False(t, other.is(a, "second", 5, 18))
}

func TestLargestKeys(t *testing.T) {
	rows := func(partition int, of int64) pipeline.Dwell {
		return pipeline.Dwell{Stage: 4, Partition: partition, Kind: pipeline.DwellRows, Key: "6f1c09ab", GroupRows: of, Records: 2 * of}
	}
	jvms := make([]window.JVMProfile, 2)
	jvms[0].Application.ID = "app"
	jvms[0].Times.Dwells = []pipeline.Dwell{rows(17, 300), {Kind: pipeline.DwellKey, GroupRows: 900}}
	jvms[1].Times.Dwells = []pipeline.Dwell{rows(3, 500)}
	require.Equal(t, []outcome.LargestKey{
		{StageID: 4, Partition: 3, Key: "6f1c09ab", Rows: 500, Of: 1000}, {ApplicationID: "app", StageID: 4, Partition: 17, Key: "6f1c09ab", Rows: 300, Of: 600},
	}, largestKeys(jvms))
	require.NotContains(t, slowRecords(jvms).Apart, "rows", "it is no dwell")
}
