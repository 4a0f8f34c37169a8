package pipeline

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/jvmtest"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// A stub hid the scan from the frame-pointer chain; the copy of the stack has it.
func TestWithoutStackRepair(t *testing.T) {
	for _, c := range []struct {
		without Without
		want    string
		frames  int
	}{
		{Without{}, "scan@22", 4},
		{Without{StackRepair: true}, "exchange@11", 2},
	} {
		s := newScenario(Settings{Without: c.without})
		s.JVM(7, sampler.ModeSelfOpened)
		s.Code(7)
		s.Plan(7, jvmtest.At(1), 4)
		s.Stage(7, jvmtest.At(1), 6, 4)
		s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(10), 41, 900, 6, 4, jvmtest.Clocks{CPU: 20, System: 5})
		addrs := []uint64{0x9000, jvmtest.ScanCode + 9, jvmtest.RunCode + 17, jvmtest.ShuffleCode + 5}
		s.p.Sample(7, sampler.Sample{Time: jvmtest.At(10.5), TID: 41, Period: time.Millisecond, Addrs: addrs, Repaired: []int{1, 2}})
		s.p.Finish()
		require.Len(t, s.got.samples, 1)
		require.Equal(t, c.want, s.got.samples[0].Operator)
		require.Len(t, s.got.samples[0].Frames, c.frames)
		require.Len(t, addrs, 4)
	}
}

func TestWithoutLines(t *testing.T) {
	b := frameBuffer{}
	frames := []codemap.Frame{
		{Kind: codemap.Java, Class: generatedPackage + "$GeneratedIteratorForCodegenStage1", Method: "processNext", Line: 77, Loader: 5},
		{Kind: codemap.Java, Class: "org.apache.spark.sql.execution.BufferedRowIterator", Method: "hasNext", Line: 55, Loader: 3},
	}
	all := b.forAttribution(frames, true)
	require.Equal(t, []int{77, 55}, []int{all[0].Line, all[1].Line})
	require.Equal(t, uint64(5), all[0].Loader)
	names := b.forAttribution(frames, false)
	require.Equal(t, []int{0, 55}, []int{names[0].Line, names[1].Line}, "of generated code alone")
	require.Zero(t, names[0].Loader, "so that its source is not found")
	require.Equal(t, "processNext", names[0].Method)
}
