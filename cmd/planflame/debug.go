package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/planflame/planflame/cmd/planflame/internal/outcome"
	"github.com/planflame/planflame/internal/columns"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/skew"
	"github.com/planflame/planflame/tasksample"
)

const debugLong = `  planflame run --records --out first -- spark-submit job.py
  planflame debug first -- spark-submit job.py

Runs the job again to find the slow rows in the slow batches that the first run named, and the slow
keys of its slow tasks. Without DIR it takes the last run in planflame-out. Give the same command as
then: rows are found in the same place of the same files, keys in the same partition of the same
stage.

Your code runs again, and so does everything that it does elsewhere. If the first run wrote, changed
a table, failed or has gaps, the job runs only with --write-again. Spark does not see what your own
code sends elsewhere.

To find the rows of a slow batch, Spark reads Parquet and ORC row by row, so scans take more CPU.
Other formats keep their batches. To find rows of Python, workers get rows one by one, but 100 at
once in Spark 3.5. Then pandas functions get frames of one row, and a large frame may not pass
toPandas or createDataFrame. A job that sets these itself keeps its own choice. The results of this
run go into DIR/debug.

A key is the key of a group of an RDD, or a row at the end of a stage of SQL. Ten tasks are timed at
most: slow ones first, then those that worked longest after the last record of their shuffles. Of
these tasks it also names keys with ten times the rows of the others: the largest group of an RDD,
or in a local Spark the columns by which SQL spreads rows. A key is named by a hash that no other
run repeats. With --show-records a local Spark prints it on the terminal, a row's numbers as they
are in memory.

The rows go to stderr. --json prints them as one line on stdout after the job's output. The exit
code is the same as of planflame run. If the first run has neither slow batches nor such tasks, it
is 2, and the job does not run.`

// byRow are the settings that make Spark read files row by row.
var byRow = map[string]string{"spark.sql.parquet.enableVectorizedReader": "false", "spark.sql.orc.enableVectorizedReader": "false"}

// pythonByRow are the settings that make Python workers get rows and hand them back one by one.
// Spark 3.5 has none of the two that begin with spark.sql.execution.python.udf. Both buffers have
// the least size that Arrow's accepts.
var pythonByRow = map[string]string{
	"spark.sql.execution.python.udf.maxRecordsPerBatch": "1", "spark.sql.execution.python.udf.buffer.size": "4",
	"spark.sql.execution.arrow.maxRecordsPerBatch": "1", "spark.sql.execution.pandas.udf.buffer.size": "4",
}

func newDebug() *cobra.Command {
	var again, asJSON, show bool
	o := runOptions{hz: defaultHz, tiers: defaultTiers(), records: true}
	cmd := &cobra.Command{
		Use: "debug [DIR] [flags] -- COMMAND [ARGUMENT...]", Short: "Run a Spark job again and name its slow rows and keys", Long: debugLong,
		RunE: func(cmd *cobra.Command, args []string) error {
			dash := cmd.ArgsLenAtDash()
			if dash < 0 || dash > 1 || dash == len(args) {
				return fmt.Errorf("debug: want at most one folder, --, and the command to run: %s", cmd.UseLine())
			}
			if _, terminal := terminalWidth(os.Stderr); show && !terminal {
				return errors.New("debug: --show-records prints values of records: stderr must be a terminal")
			}
			dir, err := lastRun(args[:dash])
			if err != nil {
				return fmt.Errorf("debug: %w", err)
			}
			h, err := newHunt(dir, again)
			if err != nil {
				return fmt.Errorf("debug: %w", err)
			}
			h.json, o.properties = asJSON, h.properties(show)
			o.out = cmp.Or(o.out, filepath.Join(string(dir), "debug"))
			say("the job runs again: its code and what it does elsewhere too")
			o.hunt = h
			return run(cmd.Context(), o, args[dash:])
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.out, "out", "", "folder of this run's results (default: DIR/debug)")
	f.StringVar(&o.mode, "mode", "auto", "who opens the perf events: auto, privileged (this process) or self (the JVM)")
	f.BoolVar(&again, "write-again", false, "run the job although it writes")
	f.BoolVar(&show, "show-records", false, "let a local Spark print the keys on the terminal")
	f.BoolVar(&asJSON, "json", false, "print the rows as one line of JSON on stdout, instead of stderr")
	return cmd
}

// hunt looks in a second run for the rows of the batches that a first run named, and for the keys
// of its tasks.
type hunt struct {
	batches []outcome.SlowRecord
	tasks   []keyTask
	json    bool
}

// keyTask is a task whose keys are timed.
type keyTask struct {
	stage     tasksample.StageID
	partition int
	name      string // of the stage, "" if the driver did not tell it
}

// newHunt reads what a run named. again says that a job which may write may run again.
func newHunt(dir results, again bool) (*hunt, error) {
	a, err := analyze(dir.recording(), pipeline.Without{}, drawing{})
	if a == nil || a.profile == nil {
		return nil, err
	}
	if err != nil {
		say("%v", err)
	}
	if a.summary.SlowRecords == nil {
		return nil, fmt.Errorf("%s: no one watched the records of that run: make it with planflame run --records", dir)
	}
	h := &hunt{batches: a.summary.SlowRecords.Batches(), tasks: keyTasks(a.summary.SlowTasks, a.jvms)}
	if len(h.batches) == 0 && len(h.tasks) == 0 {
		return nil, fmt.Errorf("%s: of its %d slow records none is a batch of a file, and no task is slow for its keys: there is nothing to find", dir, len(a.summary.SlowRecords.Records))
	}
	if again {
		return h, nil
	}
	if wrote := a.wrote(); wrote != "" {
		return nil, fmt.Errorf("%s: that run wrote %s, and another would write again: use other outputs, or --write-again", dir, wrote)
	}
	if gap := a.gap(err); gap != "" {
		return nil, fmt.Errorf("%s: %s, so the job may write what that run did not: use other outputs, or --write-again", dir, gap)
	}
	return h, nil
}

// properties are the settings of the second run.
func (h *hunt) properties(show bool) map[string]string {
	out := map[string]string{}
	for i := range h.batches {
		if h.batches[i].Python {
			maps.Copy(out, pythonByRow)
		} else {
			maps.Copy(out, byRow)
		}
	}
	if len(h.tasks) > 0 {
		tasks := make([]string, len(h.tasks))
		for i, t := range h.tasks {
			tasks[i] = fmt.Sprintf("%d:%d", t.stage, t.partition)
		}
		out["spark.planflame.keys"] = strings.Join(tasks, ",")
		if show {
			out["spark.planflame.keys"] = "show " + out["spark.planflame.keys"]
		}
	}
	return out
}

// wrote says what a run wrote, as far as Spark tells it; "" if nothing. The sink noop keeps
// nothing.
func (a *analysis) wrote() string {
	var rows int64
	for i := range a.jvms {
		of := int64(0)
		for k := range a.jvms[i].Times.Stages {
			of += a.jvms[i].Times.Stages[k].OutputRows
		}
		tasks := int64(0) // of stages that did not end, too
		for k := range a.jvms[i].Times.Tasks {
			tasks += a.jvms[i].Times.Tasks[k].OutputRows
		}
		rows += max(of, tasks)
	}
	if rows > 0 {
		return fmt.Sprintf("%d rows", rows)
	}
	for i := range a.model.Plans {
		for k := range a.model.Plans[i].Nodes {
			if n := &a.model.Plans[i].Nodes[k]; writes(n) {
				return "by " + n.Name
			}
		}
	}
	for i := range a.jvms {
		for k := range a.jvms[i].Times.Executions {
			if e := &a.jvms[i].Times.Executions[k]; changes(e) {
				return "by " + e.RootNode
			}
		}
	}
	return ""
}

var (
	// writers are classes of plan nodes that write, by how their names begin (Spark 3.5 to 4.3).
	writers = regexp.MustCompile(`\.(Append|Overwrite|Replace|AtomicReplace|Call|Write|DeleteFrom|UpdateTable|MergeInto|MergeRows|Truncate|CreateTableAs|AtomicCreateTableAs|DataWriting|StreamSink)\w*$`)
	// changers are commands of the driver alone that change tables, by how the names of their nodes
	// begin. Some of these names are harmless to run again.
	changers = regexp.MustCompile(`^(Add|Alter|Append|AtomicCreate|AtomicReplace|Call|Create|Delete|Drop|Merge|Overwrite|Recover|Rename|Replace|Truncate|Update|Write)\w*$`)
	harmless = regexp.MustCompile(`^(CreateNamespace|CreateVariable|DropVariable)$`)
	// noop is the sink that keeps nothing, as Spark 4.3 and earlier ones show it.
	noop = regexp.MustCompile(`\.noop\.| noop-table\b`)
	// plainCommands are what ExecutedCommandExec runs without writing rows.
	plainCommands = regexp.MustCompile(`^Execute (Create\w*(View|Function|Database)|DropTempView|Show|Describe|Set|Reset|Explain|Cache|Uncache|Clear|Analyze|Add|List|Refresh|Use)`)
)

// writes reports whether a plan node writes rows, or may. The sink noop keeps none.
func writes(n *columns.Node) bool {
	if strings.HasSuffix(n.Class, ".ExecutedCommandExec") {
		return !plainCommands.MatchString(n.Text)
	}
	return writers.MatchString(n.Class) && !noop.MatchString(n.Text) && !noop.MatchString(n.Name)
}

// changes reports whether an execution without a job is a command that changes something, or may.
// No executor tells its plan.
func changes(e *pipeline.ExecutionTimes) bool {
	if e.Jobs > 0 {
		return false
	}
	if strings.HasPrefix(e.RootNode, "Execute ") {
		return !plainCommands.MatchString(e.RootNode)
	}
	return changers.MatchString(e.RootNode) && !harmless.MatchString(e.RootNode)
}

// gap says why it is not known all that a run wrote; "" if it is. err is of its recording.
func (a *analysis) gap(err error) string {
	if err != nil {
		return "its recording is not whole"
	}
	if a.summary.SlowTasks == nil {
		return "its driver was not seen"
	}
	for i := range a.jvms {
		t := &a.jvms[i].Times
		for k := range t.Applications {
			if t.Applications[k].EndedMS == 0 {
				return "its application did not end"
			}
		}
		if slices.ContainsFunc(t.Stages, func(s pipeline.StageTimes) bool { return s.Failed && !retried(t.Stages, &s) }) ||
			slices.ContainsFunc(t.Executions, func(e pipeline.ExecutionTimes) bool { return e.Failed }) {
			return "it failed in part"
		}
	}
	return ""
}

// retried reports whether a later attempt of a stage did not fail.
func retried(stages []pipeline.StageTimes, of *pipeline.StageTimes) bool {
	return slices.ContainsFunc(stages, func(s pipeline.StageTimes) bool {
		return s.ApplicationID == of.ApplicationID && s.ID == of.ID && s.Attempt > of.Attempt && !s.Failed
	})
}

// mostKeyTasks is what the plugin takes (Settings.java).
const mostKeyTasks = 10

// longAfter is how long a task that read a shuffle must work after its last record for its keys to
// be timed. A choice: half of what makes a task slow at least.
const longAfter = 500 * time.Millisecond

// noKeys are the verdicts that keys do not explain.
var noKeys = []skew.Verdict{skew.GC, skew.Serialization, skew.FetchWait, skew.Host}

// keyTasks are the tasks whose keys may be slow: the slow tasks, and then those that stood still
// after all of their shuffles, as groups and aggregates do. Both are longest first.
func keyTasks(s *outcome.SlowTasks, jvms []window.JVMProfile) (out []keyTask) {
	type stage struct {
		application string
		id          tasksample.StageID
	}
	names := map[stage]string{}
	for i := range jvms {
		for k := range jvms[i].Times.Stages {
			st := &jvms[i].Times.Stages[k]
			names[stage{st.ApplicationID, st.ID}] = st.Name
		}
	}
	add := func(longest map[keyTask]time.Duration) {
		tasks := slices.SortedFunc(maps.Keys(longest), func(a, b keyTask) int {
			return cmp.Or(cmp.Compare(longest[b], longest[a]), cmp.Compare(a.stage, b.stage), cmp.Compare(a.partition, b.partition))
		})
		for _, t := range tasks {
			if len(out) < mostKeyTasks && !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	slow, after := map[keyTask]time.Duration{}, map[keyTask]time.Duration{}
	if s != nil {
		for i := range s.Tasks {
			if t := &s.Tasks[i]; !slices.Contains(noKeys, t.Verdict) {
				at := keyTask{t.StageID, t.Partition, names[stage{t.ApplicationID, t.StageID}]}
				slow[at] = max(slow[at], time.Duration(t.Seconds*float64(time.Second)))
			}
		}
	}
	for i := range jvms {
		for k := range jvms[i].Times.Dwells {
			if d := &jvms[i].Times.Dwells[k]; d.Shuffle && d.Kind == pipeline.DwellAfter && millis(d.NetMS) >= longAfter {
				at := keyTask{d.Stage, d.Partition, names[stage{jvms[i].Application.ID, d.Stage}]}
				after[at] = max(after[at], millis(d.NetMS))
			}
		}
	}
	add(slow)
	add(after)
	return out
}

// print prints what a run shows of the rows and keys.
func (h *hunt) print(a *analysis) error {
	if a.summary.SlowRecords == nil {
		return errors.New("no one watched the records of this run")
	}
	found := a.summary.SlowRecords.Find(h.batches)
	found.Rows = largestKeys(a.jvms)
	slow := func(t *keyTask, k *outcome.SlowRecord) bool { return t.is(a, k.ApplicationID, k.StageID, k.Partition) }
	large := func(t *keyTask, k *outcome.LargestKey) bool { return t.is(a, k.ApplicationID, k.StageID, k.Partition) }
	found.Keys = slices.DeleteFunc(found.Keys, func(k outcome.SlowRecord) bool {
		return !slices.ContainsFunc(h.tasks, func(t keyTask) bool { return slow(&t, &k) })
	})
	found.Rows = slices.DeleteFunc(found.Rows, func(k outcome.LargestKey) bool {
		return !slices.ContainsFunc(h.tasks, func(t keyTask) bool { return large(&t, &k) })
	})
	for _, t := range h.tasks {
		if !slices.ContainsFunc(found.Keys, func(k outcome.SlowRecord) bool { return slow(&t, &k) }) &&
			!slices.ContainsFunc(found.Rows, func(k outcome.LargestKey) bool { return large(&t, &k) }) {
			why := cmp.Or(t.otherStage(a), t.silence(a))
			found.Tasks = append(found.Tasks, outcome.SilentTask{StageID: t.stage, Partition: t.partition, Why: why})
		}
	}
	if h.json {
		return json.NewEncoder(os.Stdout).Encode(found)
	}
	text := "\n" + found.String()
	for _, line := range a.summary.SlowRecords.More(len(a.summary.SlowRecords.Records)) {
		text += line + "\n"
	}
	_, err := io.WriteString(os.Stderr, text)
	return err
}

// largestKeys are the keys with most of the rows of a shuffle.
func largestKeys(jvms []window.JVMProfile) []outcome.LargestKey {
	out := []outcome.LargestKey{}
	for i := range jvms {
		for k := range jvms[i].Times.Dwells {
			if d := &jvms[i].Times.Dwells[k]; d.Kind == pipeline.DwellRows {
				out = append(out, outcome.LargestKeyOf(jvms[i].Application.ID, d))
			}
		}
	}
	slices.SortStableFunc(out, func(a, b outcome.LargestKey) int { return cmp.Compare(b.Rows, a.Rows) })
	return out
}

// is reports whether a task of this run is the first run's. Its stage has the number and the name.
// That holds if either has no name.
func (t *keyTask) is(a *analysis, application string, stage tasksample.StageID, partition int) bool {
	if stage != t.stage || partition != t.partition {
		return false
	}
	for i := range a.jvms {
		for k := range a.jvms[i].Times.Stages {
			if st := &a.jvms[i].Times.Stages[k]; st.ApplicationID == application && st.ID == t.stage {
				return t.name == "" || st.Name == t.name
			}
		}
	}
	return true
}

// otherStage says that a task's stage is not the first run's, "" if it is. The driver numbers
// stages in their order, which may be another one. Each application has its own numbers.
func (t *keyTask) otherStage(a *analysis) (other string) {
	for i := range a.jvms {
		for k := range a.jvms[i].Times.Stages {
			st := &a.jvms[i].Times.Stages[k]
			if st.ID != t.stage || t.name == "" {
				continue
			}
			if st.Name == t.name {
				return ""
			}
			other = fmt.Sprintf("stage %d is another one in this run: %s", t.stage, st.Name)
		}
	}
	return other
}

// silence says why a run shows no key of a task.
func (t *keyTask) silence(a *analysis) string {
	ran, timed := false, 0
	for i := range a.jvms {
		of := &a.jvms[i].Times
		for k := range of.Tasks {
			ran = ran || of.Tasks[k].Stage == t.stage && of.Tasks[k].Partition == t.partition
		}
		for k := range of.Dwells {
			if d := &of.Dwells[k]; d.Kind == pipeline.DwellKey && d.Stage == t.stage && d.Partition == t.partition {
				timed++
			}
		}
	}
	switch {
	case !ran:
		return "it did not run"
	case timed > 0:
		return fmt.Sprintf("keys that took 0.1 s or more: %d; none took ten times the others, or is known to have ten times their rows", timed)
	}
	return "none that has a name took 0.1 s, or is known to have ten times the rows of the others"
}
