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
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/planflame/planflame/cmd/planflame/internal/outcome"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/tasksample"
)

const debugLong = `  planflame run --records --out first -- spark-submit job.py
  planflame debug first -- spark-submit job.py

Runs the job again to find the slow rows in the slow batches that the first run named, and the slow
keys of its slow tasks. Without DIR it takes the last run in planflame-out. Give the same command as
then: rows are found in the same place of the same files, keys in the same partition of the same
stage.

Your code runs again, and so does everything that it does elsewhere. If Spark counted rows that the
first run wrote, the job runs only with --write-again. Spark counts no rows that your own code
sends elsewhere, and none of some catalogs.

In this run Spark reads Parquet and ORC row by row, not in batches, so scans take more CPU. Other
formats keep their batches. Python gets its rows one by one, but 100 at once in Spark 3.5. A job
that sets these itself keeps its own choice. The results of this run go into DIR/debug.

A key is the key of a group of an RDD, or a row at the end of a stage of SQL. Ten tasks are timed at
most. A key is named by a hash that no other run repeats. With --show-records the JVM that runs the
task prints it on its stderr, a row's numbers as they are in memory.

The rows go to stderr. --json prints them as one line on stdout after the job's output. The exit
code is the same as of planflame run. If the first run has no slow batch and no slow task, it is 2,
and the job does not run.`

// rowByRow are the settings that make Spark read files row by row, and Python workers get rows and
// hand them back one by one. Spark 3.5 has none of the two that begin with
// spark.sql.execution.python.udf. Both buffers have the least size that Arrow's accepts.
var rowByRow = []string{
	"spark.sql.parquet.enableVectorizedReader=false", "spark.sql.orc.enableVectorizedReader=false",
	"spark.sql.execution.python.udf.maxRecordsPerBatch=1", "spark.sql.execution.python.udf.buffer.size=4",
	"spark.sql.execution.arrow.maxRecordsPerBatch=1", "spark.sql.execution.pandas.udf.buffer.size=4",
}

func rowByRowProperties() map[string]string {
	properties := map[string]string{}
	for _, setting := range rowByRow {
		key, value, _ := strings.Cut(setting, "=")
		properties[key] = value
	}
	return properties
}

func newDebug() *cobra.Command {
	var again, asJSON, show bool
	o := runOptions{hz: defaultHz, tiers: defaultTiers(), records: true, properties: rowByRowProperties()}
	cmd := &cobra.Command{
		Use: "debug [DIR] [flags] -- COMMAND [ARGUMENT...]", Short: "Run a Spark job again and name the slow rows of slow batches", Long: debugLong,
		RunE: func(cmd *cobra.Command, args []string) error {
			dash := cmd.ArgsLenAtDash()
			if dash < 0 || dash > 1 || dash == len(args) {
				return fmt.Errorf("debug: want at most one folder, --, and the command to run: %s", cmd.UseLine())
			}
			dir, err := lastRun(args[:dash])
			if err != nil {
				return fmt.Errorf("debug: %w", err)
			}
			h, err := newHunt(dir, again)
			if err != nil {
				return fmt.Errorf("debug: %w", err)
			}
			h.json = asJSON
			if h.tasks != "" {
				o.properties["spark.planflame.keys"] = h.tasks
				if show {
					o.properties["spark.planflame.keys"] = "show " + h.tasks
				}
			}
			o.out = cmp.Or(o.out, filepath.Join(string(dir), "debug"))
			say("the job runs again, row by row: its code and what it does elsewhere too")
			o.hunt = h
			return run(cmd.Context(), o, args[dash:])
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.out, "out", "", "folder of this run's results (default: DIR/debug)")
	f.StringVar(&o.mode, "mode", "auto", "who opens the perf events: auto, privileged (this process) or self (the JVM)")
	f.BoolVar(&again, "write-again", false, "run the job although it writes")
	f.BoolVar(&show, "show-records", false, "let the JVMs print slow keys on their stderr")
	f.BoolVar(&asJSON, "json", false, "print the rows as one line of JSON on stdout, instead of stderr")
	return cmd
}

// hunt looks in a second run for the rows of the batches that a first run named.
type hunt struct {
	batches []outcome.SlowRecord
	tasks   string // whose keys are timed: STAGE:PARTITION, comma separated
	json    bool
}

// newHunt reads what a run named. again says that a job which writes may run again.
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
	if len(h.batches) == 0 && h.tasks == "" {
		return nil, fmt.Errorf("%s: of its %d slow records none is a batch of a file, and no task is slow for its keys: there is nothing to find", dir, len(a.summary.SlowRecords.Records))
	}
	if n := rowsWritten(a.jvms); n > 0 && !again {
		return nil, fmt.Errorf("%s: that run wrote %d rows, and another would write them again: use other outputs, or --write-again", dir, n)
	}
	return h, nil
}

// mostKeyTasks is what the plugin takes (Settings.java).
const mostKeyTasks = 10

// longAfter is how long a task that read a shuffle must work after its last record for its keys to
// be timed. A choice: half of what makes a task slow at least.
const longAfter = 500 * time.Millisecond

// keyTasks are the tasks whose keys may be slow, as spark.planflame.keys has them, longest
// first. These are the slow tasks, and those that stood still after all of their shuffles, as
// groups and aggregates do.
func keyTasks(s *outcome.SlowTasks, jvms []window.JVMProfile) string {
	type task struct {
		stage     tasksample.StageID
		partition int
	}
	longest := map[task]time.Duration{}
	add := func(stage tasksample.StageID, partition int, d time.Duration) {
		t := task{stage, partition}
		longest[t] = max(longest[t], d)
	}
	if s != nil {
		for i := range s.Tasks {
			t := &s.Tasks[i]
			add(t.StageID, t.Partition, time.Duration(t.Seconds*float64(time.Second)))
		}
	}
	for i := range jvms {
		for k := range jvms[i].Times.Dwells {
			if d := &jvms[i].Times.Dwells[k]; d.Shuffle && d.Kind == pipeline.DwellAfter && millis(d.NetMS) >= longAfter {
				add(d.Stage, d.Partition, millis(d.NetMS))
			}
		}
	}
	tasks := slices.SortedFunc(maps.Keys(longest), func(a, b task) int {
		return cmp.Or(cmp.Compare(longest[b], longest[a]), cmp.Compare(a.stage, b.stage), cmp.Compare(a.partition, b.partition))
	})
	var out []string
	for _, t := range tasks[:min(len(tasks), mostKeyTasks)] {
		out = append(out, fmt.Sprintf("%d:%d", t.stage, t.partition))
	}
	return strings.Join(out, ",")
}

// rowsWritten counts the rows that tasks wrote into outputs, as far as Spark counts them.
func rowsWritten(jvms []window.JVMProfile) (n int64) {
	for i := range jvms {
		for k := range jvms[i].Times.Tasks {
			n += jvms[i].Times.Tasks[k].OutputRows
		}
	}
	return n
}

// print prints the rows of a run's summary.
func (h *hunt) print(s outcome.Summary) error {
	if s.SlowRecords == nil {
		return errors.New("no one watched the records of this run")
	}
	found := s.SlowRecords.Find(h.batches)
	if h.json {
		return json.NewEncoder(os.Stdout).Encode(found)
	}
	_, err := io.WriteString(os.Stderr, "\n"+found.String())
	return err
}
