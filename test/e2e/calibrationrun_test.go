//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/planflame/planflame/internal/costmetrics"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/recording"
)

// TestCalibrationAsInARun records two executors with pure task sampling under `planflame run`,
// which calibrates whole stages by itself. The sums of the same samples, told by each executor as
// if on a node of its own, give the same costs in a gateway.
func TestCalibrationAsInARun(t *testing.T) {
	u := users[0]
	if os.Geteuid() != 0 {
		u = user{name: "ordinary", uid: -1}
	}
	out := filepath.Join(u.tempDir(t), "out")
	job := partitionsJob(t, u, []string{built(t, "planflame"), "run", "--out", out, "--base-hz", "0", "--detail-hz", "300", "--task-fraction", "0.25", "--min-tasks-per-stage", "5", "--"},
		"--master", "local-cluster[2,1,1024]")
	job.Env = append(job.Env, quickJava)
	log, err := output(t, job)
	require.NoError(t, err, "%s", log)
	var ran summary
	readJSON(t, filepath.Join(out, "summary.json"), &ran)
	want := map[string]float64{}
	for _, q := range ran.Queries {
		for _, o := range q.Operators {
			want[o.Operator] += o.CPUSeconds
		}
	}
	require.NotEmpty(t, want)

	g := startGateway(t, u, u.tempDir(t), "http://127.0.0.1:1", append(calibrating, "--set", "connectors::spark_calibration::settle=1s")...)
	tellers := 0
	for _, n := range readNodes(t, filepath.Join(out, "recording")) {
		if md := n.tell(); md.DataPointCount() > 0 {
			tellers++
			g.send(t, md)
		}
	}
	require.Equal(t, 2, tellers, "executors with tasks")
	var got costSeries
	eventually(t, time.Minute, func() error {
		if runs := judged(t, g.collector); runs["judged"] != partitionsRuns {
			return fmt.Errorf("judged: %v, want %d", runs, partitionsRuns)
		}
		got, err = scrapeCosts(g.prometheus)
		return err
	})
	costs := map[string]float64{}
	for _, s := range got {
		if s.name == operatorSeconds && s.operator[0] != '[' {
			costs[s.operator] += s.value
		}
	}
	t.Logf("%v; the gateway says:\n%s", costs, calibrations(t, g.collector))
	for operator, cpu := range want {
		assert.InDelta(t, cpu, costs[operator], 1e-6, operator)
	}
	assert.Len(t, costs, len(want))
	g.stop(t)
}

// recordedNode is one JVM of a recording, as a node would have it that it runs alone on.
type recordedNode struct {
	*pipeline.Pipeline
	acc     *window.Accumulator
	symbols symbolsOf
}

// symbolsOf are the recorded names of native code, by address.
type symbolsOf map[uint64]codemap.Frame

// Symbol implements pipeline.Symbolizer.
func (s symbolsOf) Symbol(addr uint64) (codemap.Frame, bool) {
	f, ok := s[addr]
	return f, ok
}

// readNodes reads a recording, all of whose samples are named at its end, as `planflame run` does
// it.
func readNodes(t *testing.T, path string) recordedNodes {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	r, err := recording.NewReader(f)
	require.NoError(t, err)
	defer r.Close()
	nodes := recordedNodes{}
	require.NoError(t, r.Replay(nodes))
	for _, n := range nodes {
		n.Finish()
	}
	return nodes
}

// tell is what the node tells a gateway, in one window.
func (n *recordedNode) tell() pmetric.Metrics {
	md, p := pmetric.NewMetrics(), n.acc.Take()
	w := costmetrics.Window{Start: time.Now().Add(-time.Minute), End: time.Now()}
	for i := range p.JVMs {
		j := &p.JVMs[i]
		if len(p.Stages) == 0 {
			continue
		}
		rm := md.ResourceMetrics().AppendEmpty()
		a := rm.Resource().Attributes()
		a.PutStr("spark.application.id", j.Application.ID)
		a.PutStr("spark.executor.id", j.Application.ExecutorID)
		a.PutStr("host.name", "node-"+j.Application.ExecutorID)
		a.PutInt("process.pid", int64(j.JVM.PID))
		a.PutStr("service.name", j.Application.Name)
		for _, st := range p.Stages {
			costmetrics.TellStage(rm, costmetrics.Scope{}, w, &costmetrics.StageSums{Execution: st.Labels.Execution, Stage: st.Labels.Stage, Probability: st.RunProbability,
				Query: st.Labels.Query, Name: st.Labels.QueryName, Place: st.Labels.StagePlace, Statistics: st.Statistics})
		}
		for _, x := range p.Executions {
			costmetrics.TellEnd(rm, costmetrics.Scope{}, w, &costmetrics.End{Total: costmetrics.Total{Execution: costmetrics.Execution{ID: int64(x.Labels.Execution),
				Query: x.Labels.Query, Name: x.Labels.QueryName, Plan: x.Labels.Plan, End: x.Over.End}, Failed: x.Over.Failed, CPU: x.CPU}})
		}
	}
	return md
}

// recordedNodes is a recording's sink with a pipeline for each JVM.
type recordedNodes map[sampler.JVMID]*recordedNode

func (r recordedNodes) JVMFound(v sampler.JVM) {
	n := &recordedNode{acc: window.New(window.Settings{Executions: true}), symbols: symbolsOf{}}
	n.Pipeline = pipeline.New(pipeline.Settings{Hold: pipeline.UntilEnd, MaxHeld: 1 << 20, Symbols: func(sampler.JVM) pipeline.Symbolizer { return n.symbols }}, n.acc)
	r[v.ID] = n
	n.JVMFound(v)
}
func (r recordedNodes) Thread(id sampler.JVMID, t jvmlog.Thread) { r[id].Thread(id, t) }
func (r recordedNodes) Record(id sampler.JVMID, t jvmlog.MonoTime, rec jvmlog.Record) {
	r[id].Record(id, t, rec)
}
func (r recordedNodes) TaskEvent(id sampler.JVMID, e jvmlog.TaskEvent) { r[id].TaskEvent(id, e) }
func (r recordedNodes) Sample(id sampler.JVMID, s sampler.Sample)      { r[id].Sample(id, s) }
func (r recordedNodes) Stats(id sampler.JVMID, s sampler.Stats)        { r[id].Stats(id, s) }
func (r recordedNodes) Watermark(id sampler.JVMID, t jvmlog.MonoTime)  { r[id].Watermark(id, t) }
func (r recordedNodes) JVMGone(id sampler.JVMID)                       { r[id].JVMGone(id) }
func (r recordedNodes) Symbol(id sampler.JVMID, f codemap.Frame)       { r[id].symbols[f.Addr] = f }
