//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/recording"
	"github.com/planflame/planflame/tasksample"
)

// runsOfAQuery is how often TestRunFraction's query runs.
const runsOfAQuery = 20

// draws is how often half of the runs are left out of a recording of all.
const draws = 8

// TestRunFraction runs a query twenty times under `planflame run`, of which about half are drawn:
// the others have no sample at all, and their CPU. In a second session all are sampled; runs that
// are left out of its recording show how far estimates for all runs are from what is known of all.
// A JVM's first run loads classes and compiles, and where it is not drawn no other run tells of it
// (docs/how-it-works/estimation.md): these are draws that have it.
func TestRunFraction(t *testing.T) {
	t.Parallel()
	drawn, out := repeatedQuery(t, "sf0.01", "0.5")
	s := drawn.query(t, "tpch q6")
	require.NotNil(t, s.Runs)
	left := leftOutRuns(t, filepath.Join(out, "recording"))
	t.Logf("%d of %d runs drawn, %.2f s of %.2f; %d tasks of %d runs left out had %.2f s", s.Runs.Sampled, s.Runs.All, s.Runs.SampledCPUSeconds, s.Runs.CPUSeconds,
		left.tasks, len(left.runs), left.cpu.Seconds())
	assert.EqualValues(t, runsOfAQuery, s.Runs.All)
	assert.Len(t, left.runs, int(s.Runs.All-s.Runs.Sampled))
	assert.Positive(t, s.Runs.Sampled, "of twenty at a half")
	assert.NotEmpty(t, left.runs)
	assert.Zero(t, left.samples, "samples within tasks of runs that were left out")
	assert.Positive(t, left.tasks)
	notSampled, without := drawn.bucket("run not sampled"), s.Runs.CPUSeconds-s.Runs.SampledCPUSeconds
	assert.InDelta(t, without, notSampled, 0.001, "the CPU of runs that were left out")
	assert.InDelta(t, left.cpu.Seconds(), notSampled, 0.5*left.cpu.Seconds(), "their threads' own clocks have the kernel's time too")
	sum := 0.
	for _, q := range drawn.Queries {
		sum += q.CPUSeconds
	}
	for _, b := range drawn.Buckets {
		sum += b.CPUSeconds
	}
	assert.InDelta(t, drawn.TaskCPUSeconds, sum, 0.001, "operators and buckets are all of it")

	whole, out := repeatedQuery(t, "sf0.3", "1")
	assert.Nil(t, whole.query(t, "tpch q6").Runs)
	assert.Zero(t, whole.bucket("run not sampled"))
	truth := map[string]float64{}
	for _, o := range whole.query(t, "tpch q6").Operators {
		truth[o.Stage+o.Operator] = o.CPUSeconds
	}
	all := leftOutRuns(t, filepath.Join(out, "recording"))
	require.Empty(t, all.runs)
	require.NotEmpty(t, all.application)
	within, judged, worst, off := 0, 0, 0., map[string]float64{} // off: in the mean over the draws, of the CPU
	for seed, drawn := 0, 0; drawn < draws; seed++ {
		if !tasksample.SelectRun(uint64(seed), all.application, all.first, 0.5) {
			continue
		}
		drawn++
		r := reportedRuns(t, out, seed)
		for _, o := range r.Operators {
			was := truth[o.Stage+o.Operator]
			if was < 0.05*r.CPUSeconds {
				continue
			}
			judged++
			off[o.Name] += (o.CPUSeconds - was) / r.CPUSeconds / draws
			worst = max(worst, math.Abs(o.CPUSeconds-was)/r.CPUSeconds)
			if o.CI95[0] <= was && was <= o.CI95[1] {
				within++
			}
			assert.True(t, o.Valid, "%s: %s", o.Name, o.Why)
		}
	}
	t.Logf("%d of %d estimates hold the truth within their intervals, the farthest is %.3f of the CPU off", within, judged, worst)
	require.Positive(t, judged)
	assert.GreaterOrEqual(t, float64(within), 0.75*float64(judged), "estimates that hold the truth; one recording's draws err together")
	for name, mean := range off {
		assert.InDelta(t, 0, mean, 0.1, "%s: mean over the draws", name)
	}
}

// repeatedQuery is the summary of TPC-H's Q6, run again and again over tables of a scale, and the
// folder of the results.
func repeatedQuery(t *testing.T, data, fraction string) (summary, string) {
	t.Helper()
	s, u := sparkNewest(t), users[0]
	if os.Geteuid() != 0 {
		u = user{name: "ordinary", uid: -1}
	}
	dir := u.tempDir(t)
	out := filepath.Join(dir, "out")
	ctx, cancel := context.WithTimeout(t.Context(), jobTime)
	defer cancel()
	cmd := u.command(ctx, dir, built(t, "planflame"), "run", "--out", out, "--hz", "500", "--run-fraction", fraction, "--", filepath.Join(s.venv, "bin", "spark-submit"),
		"--master", "local[2]", filepath.Join(root(t), "test", "jobs", "tpch.py"), "--data", built(t, "tpch", data), "--queries", "6", "--repeat", fmt.Sprint(runsOfAQuery),
		"--sql-dir", filepath.Join(root(t), "test", "jobs", "tpch"))
	cmd.Env = append(append(cmd.Env, s.env(t, u, s.home(t))...), quickJava)
	log, err := output(t, cmd)
	require.NoError(t, err, "%s", log)
	var got summary
	readJSON(t, filepath.Join(out, "summary.json"), &got)
	return got, out
}

// reportedRuns are the estimates for all runs as if half of them had been drawn.
func reportedRuns(t *testing.T, out string, seed int) *summaryRuns {
	t.Helper()
	into := t.TempDir()
	cmd := users[0].command(t.Context(), into, built(t, "planflame"), "report", "--run-fraction", "0.5", "--seed", fmt.Sprint(seed), "--json", out)
	text, err := cmd.Output()
	require.NoError(t, err)
	path := filepath.Join(into, "summary.json")
	require.NoError(t, os.WriteFile(path, text, 0o600))
	var got summary
	readJSON(t, path, &got)
	r := got.query(t, "tpch q6").Runs
	require.NotNil(t, r, "seed %d draws all or none", seed)
	return r
}

// leftOut is what a recording has of runs that were not drawn.
type leftOut struct {
	runs    map[tasksample.ExecutionID]bool
	tasks   int
	samples int // on a task's thread between its start and its end
	cpu     time.Duration

	application string                 // its id
	first       tasksample.ExecutionID // the first of all runs
}

// leftOutRuns reads a recording.
func leftOutRuns(t *testing.T, path string) *leftOut {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	r, err := recording.NewReader(f)
	require.NoError(t, err)
	defer r.Close()
	in := &leftOutSink{leftOut: leftOut{runs: map[tasksample.ExecutionID]bool{}, first: math.MaxInt64}, started: map[uint32]jvmlog.TaskEvent{}}
	require.NoError(t, r.Replay(in))
	for _, s := range in.times {
		for _, task := range in.spans {
			if s.tid == task.tid && task.from <= s.at && s.at <= task.to {
				in.samples++
			}
		}
	}
	return &in.leftOut
}

type span struct {
	tid      uint32
	from, to jvmlog.MonoTime
}

type sampleTime struct {
	tid uint32
	at  jvmlog.MonoTime
}

// leftOutSink takes a recording of one JVM with tasks.
type leftOutSink struct {
	leftOut
	started map[uint32]jvmlog.TaskEvent
	spans   []span
	times   []sampleTime
}

func (l *leftOutSink) TaskEvent(_ sampler.JVMID, e jvmlog.TaskEvent) {
	start := l.started[e.TID]
	switch {
	case e.Kind == jvmlog.TaskStart:
		l.started[e.TID] = e
		if e.Execution != tasksample.NoExecution {
			l.first = min(l.first, e.Execution)
		}
	case e.Kind == jvmlog.TaskEnd && e.LeftOut && start.Task == e.Task:
		l.runs[e.Execution] = true
		l.tasks++
		l.cpu += time.Duration(e.ThreadCPUNanos - start.ThreadCPUNanos)
		l.spans = append(l.spans, span{e.TID, start.Time, e.Time})
	}
}

func (l *leftOutSink) Sample(_ sampler.JVMID, s sampler.Sample) {
	l.times = append(l.times, sampleTime{s.TID, s.Time})
}

func (l *leftOutSink) Record(_ sampler.JVMID, _ jvmlog.MonoTime, r jvmlog.Record) {
	if app, ok := r.(*jvmlog.Application); ok {
		l.application = app.ApplicationID()
	}
}

func (l *leftOutSink) JVMFound(sampler.JVM)                     {}
func (l *leftOutSink) Thread(sampler.JVMID, jvmlog.Thread)      {}
func (l *leftOutSink) Stats(sampler.JVMID, sampler.Stats)       {}
func (l *leftOutSink) Watermark(sampler.JVMID, jvmlog.MonoTime) {}
func (l *leftOutSink) JVMGone(sampler.JVMID)                    {}
func (l *leftOutSink) Symbol(sampler.JVMID, codemap.Frame)      {}
