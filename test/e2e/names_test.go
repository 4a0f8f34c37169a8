//go:build e2e

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/recording"
)

// namesSink takes the names of operators and stages from a recording.
type namesSink struct {
	rowSink
	operators map[int64]map[string]string // execution → operator → its words: the name without the physical class
	lines     map[string]string           // name of an operator → the user's line
	sites     map[string]bool             // the user's lines of executions
	calls     map[int64]string            // execution → the user's line that ran it
	users     map[int64]map[string]string // execution → name of an operator with an expression of the user's → its line
	stages    map[string]string           // name of a stage without SQL → the user's line
	query     map[string]string           // the same → name of its query
	counts    map[string]map[string]int   // name of an operator and mode → what a row of it costs
}

func (s *namesSink) Record(_ sampler.JVMID, _ jvmlog.MonoTime, r jvmlog.Record) {
	switch r := r.(type) {
	case *jvmlog.Dictionary:
		u, err := attribution.ParsePlanUpdate(r.JSON)
		if err != nil {
			panic(err)
		}
		if s.operators[u.ExecutionID] == nil {
			s.operators[u.ExecutionID] = map[string]string{}
			s.users[u.ExecutionID] = map[string]string{}
		}
		s.sites[u.CallSite] = true
		if u.QueryName != "scan raw" { // inference of a schema by 4.3 makes a plan, but runs its job outside of the execution
			s.calls[u.ExecutionID] = u.CallSite
		}
		for _, n := range u.Tree.Nodes {
			if n.Operator != "" {
				_, words, _ := strings.Cut(n.OperatorName, " ")
				s.operators[u.ExecutionID][n.Operator] = n.Role + " " + words
				s.lines[n.OperatorName] = n.Line
				counts := map[string]int{}
				for _, c := range n.Counts {
					counts[c.Name] = c.N
				}
				s.counts[strings.TrimSpace(n.OperatorName+" "+n.Mode)] = counts
				if usersExpression(n.Role, words) {
					s.users[u.ExecutionID][n.OperatorName] = n.Line
				}
			}
		}
	case *jvmlog.StageInfo:
		var info struct {
			QueryName    string `json:"query_name"`
			OperatorName string `json:"operator_name"`
			Line         string `json:"line"`
		}
		if err := json.Unmarshal(r.JSON, &info); err != nil {
			panic(err)
		}
		s.stages[info.OperatorName], s.query[info.OperatorName] = info.Line, info.QueryName
	}
}

// TestNames holds the names of operators and of stages without SQL, and the user's own lines,
// against those that a reader of test/jobs/names.py gives.
func TestNames(t *testing.T) {
	for _, s := range []spark{sparkNewest(t), sparkOld(t)} {
		t.Run("spark-"+s.version, func(t *testing.T) {
			u := ordinaryUser.here()
			dir := u.tempDir(t)
			files := filepath.Join(dir, "files")
			require.NoError(t, os.Mkdir(files, 0o755))
			u.own(t, files)
			run := runJob(t, s, u, dir, 200, nil, "names.py", files)
			f, err := os.Open(filepath.Join(dir, "out", "recording"))
			require.NoError(t, err)
			defer func() { require.NoError(t, f.Close()) }()
			r, err := recording.NewReader(f)
			require.NoError(t, err)
			defer r.Close()
			got := namesSink{operators: map[int64]map[string]string{}, lines: map[string]string{}, sites: map[string]bool{}, stages: map[string]string{}, query: map[string]string{}, calls: map[int64]string{}, users: map[int64]map[string]string{}, counts: map[string]map[string]int{}}
			require.NoError(t, r.Replay(&got))

			rows := 0
			for id, operators := range got.operators {
				alike := map[string]string{}
				for operator, name := range operators {
					rows++
					assert.False(t, strings.HasSuffix(name, " "), "%s of execution %d has no words", operator, id)
					if of, ok := alike[name]; ok && !strings.HasPrefix(name, "write ") { // the two nodes of a write differ by their classes
						t.Errorf("execution %d: %s and %s are both called %s", id, operator, of, name)
					}
					alike[name] = operator
				}
			}
			require.GreaterOrEqual(t, rows, 50, "operators")
			for _, name := range []string{
				"Write parquet ? by day", "WriteFiles csv raw", "Filter id > ?", "Project id * ?", "Exchange items → join, right", "Sort items → join, right",
				"Exchange items a → join, left", "Exchange items b → join, right", "HashAggregate note, sum(amount)", "Project note, key",
			} {
				assert.Contains(t, got.lines, name)
			}

			site := map[string]string{"infer schema of csv": "", "read footers of parquet": "", "reduceByKey at names.py": "names.py:34", "collect at names.py": "names.py:34"}
			assert.Equal(t, site, got.stages)
			assert.Equal(t, "collect at names.py", got.query["reduceByKey at names.py"])
			for _, line := range []string{"names.py:25", "names.py:28", "names.py:31"} {
				assert.Contains(t, got.sites, line, "PySpark's collect tells its line")
			}
			checkUserLines(t, got.lines, s == sparkNewest(t))
			checkCounts(t, got.counts)
			checkCells(t, filepath.Join(dir, "out"))
			checkCalls(t, got.calls)
			checkParts(t, run.profile)
			if s == sparkNewest(t) {
				checkUsersExpressions(t, got.users)
				checkSelections(t, filepath.Join(dir, "out")) // a recording's reader and the page know no versions
				checkPage(t, filepath.Join(dir, "out"))
				checkPageDiff(t, filepath.Join(dir, "out"))
			}
			for _, q := range run.summary.Queries {
				for _, o := range q.Operators {
					assert.NotContains(t, o.Stage+o.Operator, "names.py", "a line is no label")
				}
			}
		})
	}
}

// checkCounts holds what a row of some operators costs against the job's expressions, columns and
// keys. A count of 0 is not there.
func checkCounts(t *testing.T, counts map[string]map[string]int) {
	for name, want := range map[string]map[string]int{
		"HashAggregate note, sum(amount) partial": {"keys": 1, "text_keys": 1, "sums": 1, "width": 2, "text_width": 1, "decimal_sums": 0},
		"Project id * ?":           {"arithmetic": 1, "width": 3, "text_width": 0, "keys": 0},
		"Filter id > ?":            {"comparisons": 1, "width": 3, "like": 0},
		"Sort items → join, right": {"keys": 1, "text_keys": 0, "width": 2, "text_width": 1},
		"Write parquet ? by day":   {"width": 0},
	} {
		for count, n := range want {
			assert.Contains(t, counts, name)
			assert.Equal(t, n, counts[name][count], "%s of %s", count, name)
		}
	}
}

// usersExpression reports whether an operator works on expressions that a user wrote: not on bare
// columns, and not for Spark's own ends.
func usersExpression(role, words string) bool {
	switch role {
	case "filter":
		return !strings.Contains(words, "is not null")
	case "project":
		return strings.ContainsAny(words, "(?+-*%")
	case "aggregate", "join", "window", "sort", "topk", "generate", "python":
		return !strings.Contains(words, "→")
	}
	return false
}

// checkUsersExpressions counts the operators of an ETL that name the user's line, and holds the
// ones of which Spark itself keeps none.
func checkUsersExpressions(t *testing.T, users map[int64]map[string]string) {
	t.Helper()
	all := 0
	var none []string
	lines := map[string]string{}
	for _, operators := range users {
		for name, line := range operators {
			all++
			lines[name] = line
			if line == "" {
				none = append(none, name)
			}
		}
	}
	require.GreaterOrEqual(t, all, 30, "operators with an expression of the user's")
	assert.LessOrEqual(t, len(none), all/10, "of %d operators have no line: %q", all, none)
	for name, line := range map[string]string{
		"Filter key > ?":                               "names.py:37",
		"Project amount * ?":                           "names.py:38",
		"HashAggregate note, count(*)":                 "names.py:39",
		"SortMergeJoin sku = sku":                      "names.py:39",
		"Project amount + ?":                           "names.py:40",
		"HashAggregate part, count(*), max(key)":       "names.py:41",
		"Project casewhen(amount > ?, ?, ?)":           "names.py:42",
		"HashAggregate sum(twice)":                     "names.py:44",
		"TakeOrderedAndProject amount, day":            "names.py:45",
		"HashAggregate sku, day":                       "names.py:46",
		"Project amount % ? of sku, amount, day l":     "names.py:47",
		"Project amount % ? of sku, amount, day r":     "names.py:47",
		"SortMergeJoin sku = sku, rest < rest":         "names.py:48",
		"HashAggregate day, count(*), sum(amount * ?)": "names.py:50",
	} {
		assert.Equal(t, line, lines[name], "%s", name)
	}
}

// checkCalls asserts that every execution has the user's line that ran it: of writes, counts and
// inference of a schema too.
func checkCalls(t *testing.T, calls map[int64]string) {
	t.Helper()
	ran := map[string]bool{}
	for id, line := range calls {
		assert.Regexp(t, `^names\.py:\d+$`, line, "execution %d", id)
		ran[line] = true
	}
	for _, line := range []string{"names.py:15", "names.py:38", "names.py:39", "names.py:46", "names.py:53"} { // write, show, count, toPandas
		assert.Contains(t, ran, line)
	}
}

// checkUserLines holds the lines of operators; Spark 3.5 keeps SQL statements' alone.
func checkUserLines(t *testing.T, got map[string]string, kept bool) {
	t.Helper()
	for name, line := range map[string]string{
		"Project id % ?, id % ?": "names.py:14", "Project id % ?": "names.py:16", "Filter id > ?": "names.py:19", "Project id * ?": "names.py:19",
		"SortMergeJoin sku = key": "names.py:24", "HashAggregate note, sum(amount)": "names.py:25", "SortMergeJoin key = key": "names.py:28",
		"Filter place < ?": "names.py:31", "Filter place > ?": "names.py:31", "WindowGroupLimit day, amount, rownumber()": "names.py:30",
		"Exchange items → join, right": "", "Scan items": "",
	} {
		if !kept {
			line = ""
		}
		at, there := got[name]
		assert.True(t, there, "operator %s", name)
		assert.Equal(t, line, at, "%s", name)
	}
}
