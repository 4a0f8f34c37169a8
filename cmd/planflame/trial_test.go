package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/cmd/planflame/internal/outcome"
	"github.com/planflame/planflame/phase"
	"github.com/planflame/planflame/tasksample"
	"github.com/planflame/planflame/trial"
)

func TestKindOf(t *testing.T) {
	for _, k := range []struct {
		id, name string
		want     phase.Kind
	}{
		{"scan@1", "Scan lineitem", "scan"}, {"columnar-to-row@2", "ColumnarToRow of Scan lineitem", "columnar-to-row"}, {"join@3", "SortMergeJoin k", "join SortMergeJoin"},
		{"aggregate@4", "HashAggregate a, b", "aggregate HashAggregate"}, {"aggregate@4", "", "aggregate"}, {"[codegen]", "[codegen]", "[codegen]"}, {"[python worker]", "[python worker]", "[python worker]"},
	} {
		assert.Equal(t, k.want, kindOf(k.id, k.name), k.id)
	}
}

// writeRun writes the summary.json of a run of queries a … f, in which each scan costs so much.
func writeRun(t *testing.T, queries string, scan float64, failed int) string {
	t.Helper()
	dir := t.TempDir()
	var s outcome.Summary
	for _, name := range strings.Split(queries, "") {
		size, rows := float64(name[0]-'a'+1), uint64(5000)
		s.Queries = append(s.Queries, outcome.Query{
			Query: "q1-" + name, QueryName: "SELECT " + name, Plan: "p1-" + name, Applications: []string{"app-1"}, SQLExecutionIDs: []tasksample.ExecutionID{3, 4, 5},
			Operators: []outcome.Operator{
				{Stage: "s", Operator: "scan@1", Name: "Scan secret_" + name, CPUSeconds: scan * size, Place: outcome.Place{Rows: &rows}},
				{Stage: "r", Operator: "aggregate@2", Name: "HashAggregate secret_k", CPUSeconds: 3 * size},
			},
			Buckets: []outcome.Bucket{{Name: "codegen", CPUSeconds: 0.5}},
			Time:    &outcome.QueryTime{Executions: 3, FailedExecutions: failed},
		})
	}
	text, err := json.Marshal(s)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "summary.json"), text, 0o644))
	return dir
}

func writePlan(t *testing.T, f *trialFile) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, writeJSON(&out, f))
	path := filepath.Join(t.TempDir(), "trial.json")
	require.NoError(t, os.WriteFile(path, out.Bytes(), 0o644))
	return path
}

func TestTrialOfFolders(t *testing.T) {
	p := planning{name: "reader", runs: 4}
	f, err := p.plan(context.Background(), []string{writeRun(t, "abcdef", 6, 0)}, time.Now())
	require.NoError(t, err)
	require.Len(t, f.Queries, 6)
	assert.Equal(t, phase.Mix{"scan": 18, "aggregate HashAggregate": 9, "[codegen]": 0.5}, f.Queries[2].CPU)
	path := writePlan(t, f)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.NotContains(t, string(text), "secret", "operators' names have words of the query")
	var said bytes.Buffer
	require.NoError(t, planText(&said, f))
	assert.Contains(t, said.String(), "6 queries, 192 CPU s, ")
	assert.Contains(t, said.String(), "--conf spark.planflame.label.trial=reader")

	var from source
	rerun := writeRun(t, "abcdef", 9, 0)
	j, err := from.judge(context.Background(), path, []string{rerun}, time.Now())
	require.NoError(t, err)
	assert.Equal(t, []int{4, 4, 2}, []int{j.Drawn, j.Seen, j.Others})
	assert.InDelta(t, 63./192, j.Fleet.Change, 0.01, "scans cost 126 s, and half as much again")
	said.Reset()
	require.NoError(t, judgedText(&said, j))
	assert.Contains(t, said.String(), "4 of 4 re-runs seen, 2 other queries passed over\n")
	assert.Contains(t, said.String(), "+50 %")
	assert.Contains(t, said.String(), "steady  aggregate HashAggregate")
	assert.Contains(t, said.String(), "sensitive  scan")
	assert.Contains(t, said.String(), `operator="scan@1",trial="reader"}`)

	// All three executions of the drawn queries failed.
	_, err = from.judge(context.Background(), path, []string{writeRun(t, "abcdef", 9, 3)}, time.Now())
	assert.EqualError(t, err, "trial reader: 0 of 4 re-runs were seen: an interval needs 3; 4 failed")

	// What a trial found of queries' spread sizes the next.
	like := filepath.Join(t.TempDir(), "judged.json")
	var out bytes.Buffer
	require.NoError(t, writeJSON(&out, j))
	require.NoError(t, os.WriteFile(like, out.Bytes(), 0o644))
	next := planning{name: "next", within: "5%", like: like}
	g, err := next.plan(context.Background(), []string{rerun}, time.Now())
	require.NoError(t, err)
	assert.Equal(t, "reader", g.Like)
	assert.InDelta(t, j.Spread, g.Spread, 1e-12)
	assert.LessOrEqual(t, g.Half, 0.05)
}

func TestColdRerunsAreMarked(t *testing.T) {
	p := planning{name: "cold", runs: 3}
	f, err := p.plan(context.Background(), []string{writeRun(t, "abc", 6, 0)}, time.Now())
	require.NoError(t, err)
	dir := writeRun(t, "abc", 6, 0)
	path := filepath.Join(dir, "summary.json")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	// Codegen of 2 s: 18, 10 and 7 % of the queries' 9, 18 and 27 s; before 5, 3 and 2 %.
	require.NoError(t, os.WriteFile(path, bytes.ReplaceAll(text, []byte(`"cpu_seconds":0.5`), []byte(`"cpu_seconds":2`)), 0o644))
	reruns, err := readFolders([]string{dir})
	require.NoError(t, err)
	j, err := judgeTrial(f, reruns)
	require.NoError(t, err)
	cold := map[string]bool{}
	for _, r := range j.Reruns {
		cold[r.ID] = r.Cold
	}
	assert.Equal(t, map[string]bool{"q1-a": true, "q1-b": false, "q1-c": false}, cold)
	var said bytes.Buffer
	require.NoError(t, judgedText(&said, j))
	assert.Contains(t, said.String(), "cold  SELECT a: 18 % of its CPU outside operators, before 5.3 %")
}

func TestJudgedTextAdvises(t *testing.T) {
	j := &judged{Name: "jdk25", Drawn: 20, Seen: 18, Next: 12, Within: 0.05, Judgement: &trial.Judgement{Cost: 1000, Kinds: []trial.KindChange{
		{Kind: "scan", Cost: 900, Seen: 18, Change: &trial.Change{Low: -0.2, High: 0.2}, Verdict: trial.Open}, {Kind: "window", Cost: 97, Verdict: trial.Open},
		{Kind: "expand", Cost: 3, Verdict: trial.Open},
	}}}
	var said bytes.Buffer
	require.NoError(t, judgedText(&said, j))
	assert.Contains(t, said.String(), "unseen  10 % of the cost is in kinds of operators that no re-run has;")
	assert.Contains(t, said.String(), "next  12 more re-runs give ± 5.0 %: trial plan --name jdk25 --runs 30 of the same folders has the same and more\n")
	j.over, j.Kinds[1].Seen = " in 7d", 1
	said.Reset()
	require.NoError(t, judgedText(&said, j))
	assert.NotContains(t, said.String(), "unseen")
	assert.Contains(t, said.String(), "next  30 re-runs give ± 5.0 %: trial plan --name jdk25-30 --runs 30 draws again from newer costs\n")
}

func TestTrialRefuses(t *testing.T) {
	good := writeRun(t, "abcdef", 6, 0)
	broken := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(broken, "summary.json"), []byte("{"), 0o644))
	for _, refused := range [][2]string{
		{"plan --name a --runs 5", "want DIR …, folders of planflame run, or --prometheus URL"},
		{"plan --runs 5 " + good, "--name is missing"},
		{"plan --name a " + good, "want --runs, such as 20, or --within, such as 5%"},
		{"plan --name a --runs -3 " + good, "--runs -3: not above 0"},
		{"plan --name a --within wide " + good, `--within "wide": not a width such as 5%`},
		{"plan --name a --runs 5 --over week --prometheus http://127.0.0.1:1", `--over "week": not a duration such as 7d`},
		{"plan --name a --runs 5 --like /nowhere " + good, "--like: open /nowhere"},
		{"plan --name a --runs 5 --like " + filepath.Join(good, "summary.json") + " " + good, "no spread of queries; trial judge --json writes it"},
		{"plan --name a --runs 2 " + good, "plan trial a: 2 re-runs: an interval needs 3"},
		{"plan --name a --runs 5 /nowhere", "read the results of a run: open /nowhere/summary.json"},
		{"plan --name a --runs 5 " + broken, "decode " + filepath.Join(broken, "summary.json")},
		{"judge /nowhere " + good, "read trial: open /nowhere"},
		{"judge " + filepath.Join(good, "summary.json") + " " + good, "is of version 0, and this planflame reads version 1"},
		{"judge " + filepath.Join(broken, "summary.json") + " " + good, "decode trial " + filepath.Join(broken, "summary.json")},
		{"judge " + filepath.Join(good, "summary.json"), `want DIR …, folders of planflame run, or --prometheus URL`},
	} {
		root := newRoot()
		root.SetArgs(append([]string{"trial"}, strings.Fields(refused[0])...))
		assert.ErrorContains(t, root.Execute(), refused[1], refused[0])
	}
	nonsense := writePlan(t, &trialFile{Version: trialVersion, Queries: []fileQuery{{ID: "q1-a", Probability: 1.5}}, Phases: []filePhase{{}}})
	file, err := os.Open(nonsense)
	require.NoError(t, err)
	defer file.Close()
	_, err = readTrialFile(nonsense, file)
	assert.EqualError(t, err, fmt.Sprintf("trial %s: query q1-a makes no sense", nonsense))
}
