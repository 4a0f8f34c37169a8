package finding

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/planflame/planflame/cmd/planflame/internal/outcome"
	"github.com/planflame/planflame/tasksample"
)

const (
	// skewedFactor is Spark's own: spark.sql.adaptive.skewJoin.skewedPartitionFactor, 5.0 (Spark
	// 4.3).
	skewedFactor = 5
	// fewTasks have no median that means much.
	fewTasks = 4
	// leastSpill is a partition's size by default: spark.sql.files.maxPartitionBytes, 128 MiB
	// (Spark 3.5 to 4.3).
	leastSpill = 128 << 20
	// runningShare is so low because a task also waits for a CPU: a machine with ten times too many
	// threads that run leaves each a tenth.
	runningShare = 0.05
	// slower is how many times less a stage runs than the others of its run: on a machine with too
	// many threads all of them wait.
	slower = 3
	// programShare is our choice: between the 22 queries of TPC-H a program used 2 to 5 % of the
	// run.
	programShare = 0.25
)

// stages calls f for every stage, with its query: one of its own name for a stage that has none.
func stages(s *outcome.Summary, f func(*outcome.Query, *outcome.StageTime)) {
	for i := range s.Stages {
		st := &s.Stages[i]
		f(&outcome.Query{QueryName: withoutFolders(st.Name)}, st)
	}
	for i := range s.Queries {
		q := &s.Queries[i]
		for k := range q.Stages {
			f(q, &q.Stages[k])
		}
	}
}

// withoutFolders is a call site with its file's name alone: "collect at etl.py:7".
func withoutFolders(site string) string {
	method, file, ok := strings.Cut(site, " at ")
	if !ok {
		return site
	}
	return method + " at " + path.Base(file)
}

// of names a stage with its query and its most expensive operator.
func of(q *outcome.Query, id tasksample.StageID) string {
	text := fmt.Sprintf("%s, stage %d", called(q), id)
	for i := range q.Operators { // by falling CPU
		if _, found := slices.BinarySearch(q.Operators[i].SparkStages, id); found {
			return text + ", " + q.Operators[i].Name
		}
	}
	return text
}

// skew finds stages that wait for a task that is far longer than the others.
func skew(s *outcome.Summary) (out []outcome.Finding) {
	stages(s, func(q *outcome.Query, st *outcome.StageTime) {
		if st.Tasks < fewTasks || st.MaxRunSeconds < skewedFactor*st.MedianRunSeconds || st.MaxRunSeconds < half*st.WallSeconds {
			return
		}
		out = append(out, outcome.Finding{
			Query: q.Query, Stage: &st.StageID, Seconds: st.MaxRunSeconds - max(st.MedianRunSeconds, st.RunSeconds/float64(st.Tasks)),
			Text: fmt.Sprintf("%s: skew, its longest task ran %.1f s and the median %.2f s, of %d tasks", of(q, st.StageID), st.MaxRunSeconds, st.MedianRunSeconds, st.Tasks),
			Try:  "a key that spreads evenly: salt the frequent values, or treat them apart",
		})
	})
	return out
}

// spill finds stages whose tasks had too little memory.
func spill(s *outcome.Summary) (out []outcome.Finding) {
	stages(s, func(q *outcome.Query, st *outcome.StageTime) {
		if st.DiskSpilledBytes < leastSpill {
			return
		}
		out = append(out, outcome.Finding{
			Query: q.Query, Stage: &st.StageID, Seconds: st.WallSeconds,
			Text: fmt.Sprintf("%s: tasks spilled %d MiB to disk, %d MiB in memory", of(q, st.StageID), st.DiskSpilledBytes>>20, st.MemorySpilledBytes>>20),
			Try:  "more partitions (spark.sql.shuffle.partitions), or more memory per core",
		})
	})
	return out
}

// waits finds stages whose tasks hold their slots and do nothing.
func waits(s *outcome.Summary) (out []outcome.Finding) {
	uses, all := slotUses(s)
	stages(s, func(q *outcome.Query, st *outcome.StageTime) {
		own := uses[0]
		uses = uses[1:]
		share := own.busy / own.held
		if own.held <= 0 || share > runningShare || share*slower > all.without(own) {
			return
		}
		out = append(out, outcome.Finding{
			Query: q.Query, Stage: &st.StageID, Seconds: min(own.held-own.busy, st.WallSeconds),
			Text: fmt.Sprintf("%s: tasks held slots for %.1f s and were busy for %.2f s", of(q, st.StageID), own.held, own.busy),
			Try:  "find what they wait for (a service, a lock, storage, a busy machine), and ask it for many rows at once",
		})
	})
	return out
}

// slotUse is the time for which tasks held slots. They were busy for a part of it: they used a CPU,
// Python workers' included, or waited for what Spark does, shuffle blocks and garbage collection.
type slotUse struct{ busy, held float64 }

// slotUses returns the use of each stage, in the order of stages, and the sum.
func slotUses(s *outcome.Summary) (each []slotUse, all slotUse) {
	var of *outcome.Query
	var python map[tasksample.StageID]float64
	stages(s, func(q *outcome.Query, st *outcome.StageTime) {
		if q != of {
			of, python = q, pythonCPU(q)
		}
		own := slotUse{
			busy: st.RunningSeconds + st.FetchWaitSeconds + st.GCSeconds + python[st.StageID],
			held: st.RunningSeconds + st.WaitingSeconds,
		}
		each = append(each, own)
		all.busy, all.held = all.busy+own.busy, all.held+own.held
	})
	return each, all
}

// without is the share of their time for which the tasks of all stages but one were busy. It is 1
// if these held slots too briefly to say anything.
func (u slotUse) without(one slotUse) float64 {
	held := u.held - one.held
	if held < leastSeconds {
		return 1
	}
	return (u.busy - one.busy) / held
}

// pythonCPU is the CPU of a query's Python workers by stage. An operator's workers count in equal
// parts for the stages that it runs in.
func pythonCPU(q *outcome.Query) map[tasksample.StageID]float64 {
	out := map[tasksample.StageID]float64{}
	for i := range q.Operators {
		o := &q.Operators[i]
		for _, id := range o.SparkStages {
			out[id] += o.PythonCPUSeconds / float64(len(o.SparkStages))
		}
	}
	return out
}

// driver finds queries during most of whose time no task ran.
func driver(s *outcome.Summary) (out []outcome.Finding) {
	try := "fewer files to list, write and commit; less to broadcast or to collect"
	if isCold(s) {
		try += "; the driver also loads and compiles code"
	}
	for i := range s.Queries {
		q := &s.Queries[i]
		if q.Time == nil || q.Time.DriverOnlySeconds < half*q.Time.WallSeconds {
			continue
		}
		out = append(out, outcome.Finding{
			Query: q.Query, Seconds: q.Time.DriverOnlySeconds, Try: try,
			Text: fmt.Sprintf("%s: no task ran for %.1f of its %.1f s", called(q), q.Time.DriverOnlySeconds, q.Time.WallSeconds),
		})
	}
	return out
}

// program finds runs in which the user's program ran no query for long, although it had begun to.
func program(s *outcome.Summary) []outcome.Finding {
	if s.Time == nil || s.Time.Lost > 0 || s.Time.ProgramSeconds < programShare*applications(s) {
		return nil
	}
	whose := "run's"
	if s.Time.ApplicationSeconds > s.Time.WallSeconds {
		whose = "applications'"
	}
	return []outcome.Finding{{
		Seconds: s.Time.ProgramSeconds, Text: fmt.Sprintf("no query ran for %.1f of the %s %.1f s, after its first one", s.Time.ProgramSeconds, whose, applications(s)),
		Try: "let Spark do what the program does itself, or give executors back meanwhile (spark.dynamicAllocation.enabled)",
	}}
}
