package main

import (
	"bytes"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/planflame/planflame/internal/columns"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/procfs"
	"github.com/planflame/planflame/sampler/recording"
)

// A recording holds what was read of a process from its birth to its end, and a report has it
// again.
func TestRecorderKeepsAccounts(t *testing.T) {
	defer goleak.VerifyNone(t)
	var file bytes.Buffer
	w, err := recording.NewWriter(&file, recording.Meta{Hz: 100})
	require.NoError(t, err)
	rec := newRecorder(w, func(sampler.JVM) symbolizer { return kernelOnly{} })
	rec.accounts = startAccounts()
	defer rec.accounts.stop()

	cmd := exec.Command("sh", "-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo done; read wait")
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	stat, err := procfs.FS{}.Stat(cmd.Process.Pid)
	require.NoError(t, err)
	header := jvmlog.Header{Major: 1, TotalBytes: 1 << 20, ThreadsOffset: 4096, ThreadSlots: 8, EventsOffset: 8192, EventSlots: 16, RecordsOffset: 16384, RecordsBytes: 1<<20 - 16384}
	rec.JVMFound(sampler.JVM{ID: 1, PID: cmd.Process.Pid, StartTicks: stat.StartTicks, FoundAt: 1, Header: header})
	_, err = stdout.Read(make([]byte, 8)) // its work is done
	require.NoError(t, err)
	rec.Watermark(1, jvmlog.Now())
	used, err := procfs.FS{}.CPUClock(cmd.Process.Pid)
	require.NoError(t, err)
	rec.JVMGone(1)
	require.NoError(t, rec.Close())
	require.NoError(t, stdin.Close())
	_ = cmd.Wait() // read met the end of its input
	require.Zero(t, rec.spoilt)

	r, err := recording.NewReader(&file)
	require.NoError(t, err)
	defer r.Close()
	acc := columns.NewBuilder(r.Meta())
	require.NoError(t, r.Replay(newReplay(acc, pipeline.Without{})))
	p := acc.Take().JVMs[0]
	require.InDelta(t, float64(used), float64(p.Totals.Process), float64(5*time.Millisecond))
	sum := time.Duration(0)
	for _, e := range p.Entries {
		require.Equal(t, pipeline.GroupThreads, e.Labels.Group)
		sum += e.CPU
	}
	require.Equal(t, p.Totals.Process, sum, "every nanosecond has a bucket")
}
