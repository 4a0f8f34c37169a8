package outcome

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/skew"
	"github.com/planflame/planflame/tasksample"
)

var update = flag.Bool("update", false, "write golden files")

// operatorAt is an operator of a hand-written summary with an interval of cpu ± half.
func operatorAt(order, depth int, name string, cpu, half, share float64, rows uint64, tasks uint64, stages ...tasksample.StageID) Operator {
	o := Operator{
		Operator: "op@" + name, Stage: "place", Name: name, CPUSeconds: cpu, CI95: &[2]float64{cpu - half, cpu + half}, Valid: true, Share: share,
		Place: Place{Order: order, Depth: depth, SparkStages: stages, Tasks: tasks},
	}
	if rows > 0 {
		o.Rows = &rows
	}
	return o
}

// nightly is a run of three queries: one with a tree, one that is small, one that was drawn in
// part.
func nightly() Summary {
	aggregate := operatorAt(1, 1, "HashAggregate country, day, sum(amount_eur), count(distinct sku)", 3.07, 0.12, 0.602, 3_800_000, 4, 1, 3)
	aggregate.WeakShare, aggregate.Parts = 0.21, []Part{{"insert", 2.5}, {"output", 0.55}}
	doubtful := operatorAt(5, 4, "Scan customers", 0.31, 0.2, 0.061, 50_000, 2, 2)
	doubtful.Valid, doubtful.Line = false, "etl.py:14, etl.py:15"
	unknown := operatorAt(7, 5, "Scan parquet orders", 0.9, 0, 0.18, 0, 4, 1)
	unknown.CI95 = nil
	scan := operatorAt(0, 0, "MapInPandas top", 4.2, 0.1, 1, 0, 0)
	scan.PythonCPUSeconds, scan.PythonRange = 0.7, &[2]float64{0.65, 0.73}
	return Summary{
		SparkVersion: "4.3.0", JDKVersion: "17.0.15+6-Debian-1deb12u1", Mode: "self-opened", Hz: 200, Samples: 2095, CPUSeconds: 11.13, TaskCPUSeconds: 10.43,
		AttributedShare: 0.893, UnknownShare: 0.005, LostSamples: 3, TruncatedStacks: 4,
		Queries: []Query{
			{
				Query: "q1-11", QueryName: "aggregate orders, customers", CallSite: "etl.py:31", Plan: "p1-22", SQLExecutionIDs: []tasksample.ExecutionID{4}, CPUSeconds: 5.1,
				Operators: []Operator{
					aggregate,
					unknown,
					operatorAt(3, 3, "BroadcastHashJoin customer_id = customer_id", 0.41, 0.09, 0.08, 1_900_000, 4, 1),
					doubtful,
					operatorAt(0, 0, "Sort eur", 0.2, 0.05, 0.04, 4700, 1, 13),
					operatorAt(2, 2, "Project country, day", 0.05, 0.06, 0.01, 1_900_000, 4, 1),
					operatorAt(6, 4, "Filter amount > ?", 0.08, 0.08, 0.017, 2_000_000, 4, 1),
					operatorAt(4, 4, "BroadcastExchange customers → join, right", 0.08, 0.01, 0.0157, 950, 2, 2),
				},
			},
			{
				Query: "q1-33", QueryName: "count", Plan: "p1-33", SQLExecutionIDs: []tasksample.ExecutionID{5, 6, 7, 8}, CPUSeconds: 4.2,
				Runs:             &Runs{All: 8, Sampled: 4, CPUSeconds: 8.4, SampledCPUSeconds: 4.2},
				PythonCPUSeconds: 0.7,
				Operators:        []Operator{scan},
			},
			{Query: "q1-44", Plan: "p1-44", SQLExecutionIDs: []tasksample.ExecutionID{9, 10}, CPUSeconds: 0.02, Operators: []Operator{}},
			{Query: "q1-55", QueryName: "show", Plan: "p1-55", SQLExecutionIDs: []tasksample.ExecutionID{11}, CPUSeconds: 0.01, Operators: []Operator{}},
		},
		Buckets:           []Bucket{{"codegen", 0.34}, {"task framework", 0.05}, {"unknown", 0.04}},
		ProcessCPUSeconds: 33.75, TaskThreadSeconds: 10.43, Outside: []Bucket{{"jit", 12.04}, {"driver", 7.1}, {"gc", 2.17}, {"executor housekeeping", 1.04}},
		Python: Python{WorkerCPUSeconds: 0.7, DaemonCPUSeconds: 0.004, OtherCPUSeconds: 0.22},
	}
}

func TestTable(t *testing.T) {
	for name, o := range map[string]TableOptions{
		"80": {}, "120": {Width: 120, Color: true}, "cpu": {Width: 100, Sort: SortCPU, All: true}, "ids": {Width: 40, IDs: true},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			require.NoError(t, nightly().Table(&out, o))
			golden := filepath.Join("testdata", "table-"+name+".txt")
			if *update {
				require.NoError(t, os.WriteFile(golden, out.Bytes(), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), out.String())
		})
	}
}

// What the golden files are to show, by hand.
func TestTableByHand(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, nightly().Table(&out, TableOptions{}))
	lines := strings.Split(out.String(), "\n")
	for _, line := range lines {
		require.LessOrEqual(t, length(line), 80, line)
	}
	require.Equal(t, []string{
		"   CPU s       ±   share       rows  a row stage  operator",
		"    0.20    0.05   4.0 % ▏     4.7K  43 µs    13  Sort eur",
		"    3.07~   0.12  60.2 % ██▍   3.8M 808 ns   1+1  HashAggregate coun…stinct sku)",
		"          insert 2.50 s, output 0.55 s",
		"    0.41    0.09   8.0 % ▍     1.9M 216 ns     1  BroadcastHashJoin …customer_id",
		"    0.08    0.01   1.6 % ▏      950  84 µs     2  ├ BroadcastExchange…oin, right",
		"    0.31   0.20?   6.1 % ▎      50K 6.2 µs     2  ├ Scan customers · etl.py:14 …",
		"    0.90       ?  18.0 % ▊                     1  └ Scan parquet orders",
	}, lines[4:12])
	require.Equal(t, "    0.13    0.10   2.7 %                          2 more, below ± or 0.5 %", lines[12], "0.06² + 0.08² = 0.1²")
	require.Contains(t, out.String(), "\n2 more queries, together 0.03 s CPU; --all shows them\n")
	require.Contains(t, out.String(), "\n  4 of its 8 runs were drawn, 4.20 s of 8.40 s;")
	require.Contains(t, out.String(), "\n    0.09          0.8 %   2 more\n")
	require.Contains(t, out.String(), "\nChild processes: Python workers 0.70 s, others 0.22 s\n")
}

// The cheapest queries are folded until they would have a twentieth of the CPU or of the wall time.
func TestSmallQueries(t *testing.T) {
	query := func(cpu, wall float64) Query {
		return Query{CPUSeconds: cpu, Time: &QueryTime{WallSeconds: wall}}
	}
	s := Summary{CPUSeconds: 100, Time: &Time{WallSeconds: 100}, Queries: []Query{query(90, 5), query(2, 1), query(0, 40), query(2.5, 1), query(0.5, 2), query(3, 1)}}
	require.Equal(t, map[int]bool{1: true, 4: true, 3: true}, s.smallQueries(), "2 + 0.5 + 2.5 = 5 s of CPU and 1 + 2 + 1 = 4 s of wall time; 3 more would be too much")
	s.Time = nil
	require.Equal(t, map[int]bool{1: true, 2: true, 3: true, 4: true}, s.smallQueries(), "by CPU alone")
	require.Empty(t, Summary{}.smallQueries())
}

// Selected tasks bring all of their operators together: intervals add within a stage.
func TestFoldOfSelectedTasks(t *testing.T) {
	small := func(stage string, half float64) Operator {
		return Operator{Stage: stage, CPUSeconds: 0.01, CI95: &[2]float64{0, 0.01 + half}, Valid: true}
	}
	operators := []Operator{small("a", 1), small("a", 3), small("b", 3)}
	require.InDelta(t, 5, fold(operators, true).half, 1e-9)
	require.InDelta(t, 4.3589, fold(operators, false).half, 1e-4)
}

func TestDrawTreeWithoutItsRoot(t *testing.T) {
	rows := []row{
		{Operator: operatorAt(1, 1, "left", 1, 0, 1, 0, 0), above: []int{0}},
		{Operator: operatorAt(2, 2, "below left", 1, 0, 1, 0, 0), above: []int{1, 0}},
		{Operator: operatorAt(4, 2, "right, whose parent has no row either", 1, 0, 1, 0, 0), above: []int{3, 0}},
	}
	drawTree(rows)
	require.Equal(t, []string{"┌ ", "│ ", "└ "}, []string{rows[0].branches, rows[1].branches, rows[2].branches})
}

// A plan of 30 joins, each input of which is one, is no wider than the terminal.
func TestDeepPlanFits(t *testing.T) {
	s := nightly()
	q := &s.Queries[0]
	q.Operators = nil
	for i := range 30 {
		q.Operators = append(q.Operators, operatorAt(2*i, i, "BroadcastHashJoin a_long_key = another_long_key", 1, 0.1, 0.01, 1, 1, 999),
			operatorAt(2*i+1, i+1, "Scan t", 1, 0.1, 0.01, 1, 1, 12345))
	}
	for _, width := range []int{60, 80, 100, 160} {
		var out bytes.Buffer
		require.NoError(t, s.Table(&out, TableOptions{Width: width}))
		for line := range strings.SplitSeq(out.String(), "\n") {
			require.LessOrEqual(t, length(line), width, line)
		}
		require.Regexp(t, "  … +└ ", out.String())
	}
}

// Rows give their room to Python's column, and what finds no room beside a query's name stands
// below it.
func TestNarrowTable(t *testing.T) {
	s := nightly()
	q := &s.Queries[0]
	q.Operators = []Operator{
		operatorAt(0, 0, "BroadcastHashJoin k = k", 1, 0.1, 0.3, 1000, 2, 7),
		operatorAt(1, 1, "Scan orders", 1, 0.1, 0.3, 1000, 2, make([]tasksample.StageID, 121)...),
		operatorAt(2, 1, "Scan customers", 1, 0.1, 0.3, 1000, 2, make([]tasksample.StageID, 121)...),
	}
	q.Operators[1].SparkStages[0], q.Operators[2].SparkStages[0] = 100, 100
	q.Operators[0].PythonCPUSeconds, q.PythonCPUSeconds = 0.5, 0.5
	q.CPUSeconds, q.Time, q.SQLExecutionIDs = 12345, &QueryTime{WallSeconds: 23456}, []tasksample.ExecutionID{10000, 10001, 10002, 10003}
	var out bytes.Buffer
	require.NoError(t, s.Table(&out, TableOptions{Width: 60}))
	require.Contains(t, out.String(), "\naggregate orders, customers\n  23456 s wall · 12345 s CPU · 4 executions, 10000 … 10003\n")
	require.Regexp(t, `100\+120  ├ Scan orders\n.*100\+120  └ Scan \S*…`, out.String())
}

func TestTableOfNothing(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, Summary{Hz: 100}.Table(&out, TableOptions{}))
	require.NotContains(t, out.String(), "rows:", "no legend of what is not there")
}

func TestTableSaysThatItsWriterFailed(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	r.Close()
	w.Close()
	require.ErrorIs(t, nightly().Table(w, TableOptions{}), os.ErrClosed)
}

func TestTexts(t *testing.T) {
	require.Equal(t, "HashAggre…tity)", cut("HashAggregate l_returnflag, sum(l_quantity)", 15))
	require.Equal(t, "↓…", cut("↓↓↓", 2))
	require.Equal(t, "…", cut("abc", 1))
	require.Equal(t, "abc", cut("abc", 3))
	require.Equal(t, []string{"…bc", "…", "", ""}, []string{cutFront("abbc", 3), cutFront("abc", 1), cutFront("abc", 0), cutFront("abc", -2)})

	taken := map[string]bool{}
	for _, want := range []string{"BroadcastHashJoin…_nationkey", "BroadcastHashJoi…s_nationkey", "BroadcastHashJo… s_nationkey"} {
		got := cutApart("BroadcastHashJoin n_nationkey = s_nationkey", 28, func(s string) bool { return taken[s] })
		require.Equal(t, want, got)
		taken[got] = true
	}
	require.Equal(t, "…", cutApart("abc", 1, func(string) bool { return true }))
	require.Equal(t, "abc", cutApart("abc", 3, func(string) bool { return true }))
	for ns, want := range map[float64]string{0.44: "0.4 ns", 9.96: "10 ns", 999.4: "999 ns", 999.6: "1.0 µs", 9951: "10 µs", 1.5e6: "2 ms"} {
		require.Equal(t, want, perRow(2*ns/1e9, 2), ns)
	}
	require.Empty(t, perRow(1, 0))
	require.Equal(t, []string{"", "▏", "█▌  ", "████"}, []string{Bar(0.01, 4), Bar(0.02, 4), Bar(0.375, 4) + "  ", Bar(7, 4)})
	for n, want := range map[uint64]string{0: "0", 999: "999", 1000: "1.0K", 9_949: "9.9K", 9_951: "10K", 999_499: "999K", 999_500: "1.0M", 1_800_000_000: "1.8G"} {
		require.Equal(t, want, count(n), n)
	}
	require.Equal(t, []string{"  one two", "    three"}, wrap("  one two three", 10))
	for s, want := range map[float64]string{0: "0.00", 99.99: "99.99", 99.996: "100.0", 1234.4: "1234"} {
		require.Equal(t, want, seconds(s))
	}
}

// The table shows three findings; summary.json has all.
func TestTableShowsThreeFindings(t *testing.T) {
	s := Summarize(withTimes(), 100)
	for _, text := range []string{"one", "two", "three", "four"} {
		s.Findings = append(s.Findings, Finding{Text: "finding " + text, Try: "less"})
	}
	var out bytes.Buffer
	require.NoError(t, s.Table(&out, TableOptions{}))
	require.Contains(t, out.String(), "\nfindings\n  finding one. Try: less.\n  finding two. Try: less.\n  finding three. Try: less.\n")
	require.NotContains(t, out.String(), "four")
}

func TestTableShowsSlowTasks(t *testing.T) {
	task := SlowTask{
		StageID: 4, Partition: 17, Verdict: skew.ComputationSkew, Seconds: 23.1, PeerSeconds: 1.2, Volume: 1.04, Measure: skew.RowsIn, CPURatio: 18.6,
		OperatorCPU: 21.7, Operator: "Project regexp_replace(txt, ?, ?), a name that is much longer than the line",
	}
	rows := SlowTask{StageID: 7, Attempt: 1, Partition: 3, Verdict: skew.DataSkew, Seconds: 9, PeerSeconds: 1, Volume: 8.84, Measure: skew.RowsOut}
	s := Summarize(withTimes(), 100)
	s.SlowTasks = &SlowTasks{Judged: 412, Missing: 5, Wall: 63, WithoutWall: 41, Tasks: []SlowTask{
		task, rows, {StageID: 8, Verdict: skew.Wait, Seconds: 4, PeerSeconds: 0.5},
		{StageID: 9, Verdict: skew.GC, PausedBy: &PausedBy{StageID: 5, Attempt: 2, Partition: 6}}, {StageID: 10}, {StageID: 11}, {StageID: 12},
	}}
	var out bytes.Buffer
	require.NoError(t, s.Table(&out, TableOptions{Width: 110}))
	for _, want := range []string{
		"\nslow tasks  7 of 412; without their excess the job takes 41.00 s instead of 63.00 s (replayed)\n",
		"\n  stage 4 partition 17  computation skew  23.10 s, peers 1.20 s, rows 1.0 ×, CPU a row 19 ×\n    21.70 s more CPU: Project regexp_replace(txt, ?, ?), a name",
		"\n  stage 7.1 partition 3  data skew  9.00 s, peers 1.00 s, rows out 8.8 ×\n",
		"\n  stage 8 partition 0  wait  4.00 s, peers 0.50 s\n",
		"\n    victim: its JVM paused while stage 5.2 partition 6 ran\n",
		"\n  and 2 more in summary.json\n  of 5 task attempts no figures are known\n",
	} {
		require.Contains(t, out.String(), want)
	}
	require.NotContains(t, out.String(), "stage 11")
	for line := range strings.Lines(out.String()) {
		require.LessOrEqual(t, length(strings.TrimSuffix(line, "\n")), 110, line)
	}
	s.SlowTasks.Tasks = nil
	out.Reset()
	require.NoError(t, s.Table(&out, TableOptions{}))
	require.NotContains(t, out.String(), "slow tasks")
}
