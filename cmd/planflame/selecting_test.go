package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/cmd/planflame/internal/outcome"
	"github.com/planflame/planflame/internal/columns"
	"github.com/planflame/planflame/internal/usualcost"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/recording"
)

// recorded is the folder of a run of one query. It has six samples of 10 ms of a scan, 75 ms of CPU
// that they could hit, and 5 ms in the kernel.
func recorded(t *testing.T) results {
	t.Helper()
	out := results(t.TempDir())
	var file bytes.Buffer
	recordRun(t, &file, true)
	require.NoError(t, os.WriteFile(out.recording(), file.Bytes(), 0o644))
	return out
}

// said is what a command prints.
func said(t *testing.T, args ...string) string {
	t.Helper()
	var err error
	stdout, _ := captured(t, func() { err = execute(args...) })
	require.NoError(t, err)
	return stdout
}

// By hand: half of the samples, and of the kernel's time of the task's second 3 hundredths.
func TestReportOfASelection(t *testing.T) {
	out := string(recorded(t))
	var r columns.Report
	require.NoError(t, json.Unmarshal([]byte(said(t, "report", "--format", "json", "--from", "1s", "--to", "1.03s", out)), &r))
	require.EqualValues(t, 3, r.Samples)
	require.InDelta(t, 0.0375, r.Queries[0].CPUSeconds, 1e-6)
	require.InDelta(t, 0.0375+0.005*0.03, r.CPUSeconds, 1e-6)
	require.Nil(t, r.Queries[0].Operators[0].Rows)
	require.EqualValues(t, 2, r.Stages[0].Stage)

	require.NoError(t, json.Unmarshal([]byte(said(t, "report", "--format", "json", "--operator", "scan@1", out)), &r))
	require.EqualValues(t, 6, r.Samples)
	require.InDelta(t, 0.075, r.CPUSeconds, 1e-6)

	text := said(t, "report", "--stage", "2", out)
	require.Contains(t, text, "planflame: 0.08 CPU seconds of tasks\nof stage 2\n")
	require.Contains(t, text, "    0.08    0.03 100.0 % ████     2  Scan t\n")
	require.Contains(t, text, "    0.01          6.2 %   kernel (not sampled)\n")
	require.Equal(t, text, said(t, "report", "--format", "text", "--stage", "2", out))
	require.Equal(t, said(t, "report", out), said(t, "report", "--format", "text", out))
	require.ErrorContains(t, execute("report", "--stage", "2", "--json", out), "json stage")
	require.Contains(t, said(t, "report", "--format", "markdown", out), "| Scan t · stage 2 | 75 ms | ±29 ms | 100.0 % | ██████████ |  |  |  |\n")
	require.Equal(t, "stage 2 result;Scan t;org.apache.spark.sql.execution.datasources.FileScanRDD$$anon$1.hasNext;inflate 75000\n",
		said(t, "report", "--format", "collapsed", "--operator", "Scan t", out))
	require.Equal(t, "stage 2 result;Scan t 75000\nstage 2 result;[kernel (not sampled)] 5000\n", said(t, "report", "--format", "collapsed", "--operators-only", "--stage", "2", out))
	require.ErrorContains(t, execute("report", "--format", "svg", out), `--format "svg"`)
	require.ErrorContains(t, execute("report", "--from", "2s", "--to", "1s", out), "no time in between")
}

// countsRows is a Writer that adds the rows of recordRun's task.
type countsRows struct{ *recording.Writer }

func (w countsRows) JVMGone(id sampler.JVMID) {
	w.Record(id, 3_500_000_000, &jvmlog.Rows{StageID: 2, ExecutionID: 5, Tasks: 1, Accumulated: []jvmlog.Accumulated{{ID: 9, Sum: 1000}}})
	w.Writer.JVMGone(id)
}

// recordedRows is recorded whose scan gave 1000 rows.
func recordedRows(t *testing.T) results {
	t.Helper()
	var without, with bytes.Buffer
	recordRun(t, &without, true)
	r, err := recording.NewReader(&without)
	require.NoError(t, err)
	defer r.Close()
	w, err := recording.NewWriter(&with, r.Meta())
	require.NoError(t, err)
	require.NoError(t, r.Replay(countsRows{w}))
	require.NoError(t, w.Close())
	out := results(t.TempDir())
	require.NoError(t, os.WriteFile(out.recording(), with.Bytes(), 0o644))
	return out
}

// A model of which all costs are doubled holds in every form of the results.
func TestReportByAModelOfAFile(t *testing.T) {
	out, into := string(recordedRows(t)), results(t.TempDir())
	doubled := *usualcost.Shipped()
	doubled.Terms = maps.Clone(doubled.Terms)
	for name := range doubled.Terms {
		doubled.Terms[name] *= 2
	}
	text, err := json.Marshal(doubled)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "model.json")
	require.NoError(t, os.WriteFile(file, text, 0o600))
	usually := func(text string) float64 {
		var s outcome.Summary
		require.NoError(t, json.Unmarshal([]byte(text), &s))
		require.NotNil(t, s.Queries[0].Operators[0].Usual)
		return s.Queries[0].Operators[0].Usual.NsPerRow
	}
	shipped := usually(said(t, "report", "--json", out))
	require.InEpsilon(t, 2*shipped, usually(said(t, "report", "--json", "--model", file, "--into", string(into), out)), 1e-9)
	written, err := os.ReadFile(into.summary())
	require.NoError(t, err)
	require.InEpsilon(t, 2*shipped, usually(string(written)), 1e-9)
	page := said(t, "report", "--format", "html", "--model", file, out)
	require.False(t, page == said(t, "report", "--format", "html", out), "the page has the model's figures, too")
	drawn, err := os.ReadFile(into.page())
	require.NoError(t, err)
	require.True(t, page == string(drawn))
	require.ErrorContains(t, execute("report", "--against", out, "--model", file, out), "against model")
}

func TestDiffOfRuns(t *testing.T) {
	a, b := string(recorded(t)), string(recorded(t))
	text := said(t, "diff", "--fail-above", "10%", a, b)
	require.Contains(t, text, "  A  "+a+" · nightly · Spark 4.3.0 · 100 Hz\n")
	require.Contains(t, text, "  B  "+b+" · nightly · Spark 4.3.0 · 100 Hz\n")
	require.Contains(t, text, "Scan t · no change to be told\n")
	var d columns.Diff
	require.NoError(t, json.Unmarshal([]byte(said(t, "diff", "--format", "json", a, b)), &d))
	require.InDelta(t, 0.075, d.Queries[0].Operators[0].B, 1e-6)
	require.ErrorContains(t, execute("diff", "--fail-above", "much", a, b), `--fail-above "much"`)
	require.ErrorContains(t, execute("diff", a, "/no/such/folder"), "no such file")
}

func TestReportOfNothing(t *testing.T) {
	out := string(recorded(t))
	for _, format := range []string{"text", "speedscope"} {
		require.EqualError(t, execute("report", out, "--format", format, "--query", "no such", "--stage", "2"), `--query "no such" --stage "2": no CPU in the recording`)
	}

	empty := results(t.TempDir())
	var file bytes.Buffer
	w, err := recording.NewWriter(&file, recording.Meta{Hz: 100})
	require.NoError(t, err)
	w.JVMFound(foundJVM())
	w.JVMGone(1)
	require.NoError(t, w.Close())
	require.NoError(t, os.WriteFile(empty.recording(), file.Bytes(), 0o644))
	stdout, stderr := captured(t, func() { err = execute("report", "--format", "speedscope", string(empty)) })
	require.NoError(t, err)
	require.Contains(t, stdout, `"frames":[]},"profiles":[]}`)
	require.Contains(t, stderr, "planflame: no task ran\n")
}
