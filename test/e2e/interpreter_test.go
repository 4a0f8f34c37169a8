//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/recording"
)

// moment is what tells the samples of a recording apart.
type moment struct {
	tid  uint32
	time jvmlog.MonoTime
}

// nameable replays a recording, with or without the names of the interpreter's frames.
type nameable struct {
	*pipeline.Pipeline
	unnamed bool // METHOD records lose their Method*
}

func (n *nameable) Record(id sampler.JVMID, t jvmlog.MonoTime, r jvmlog.Record) {
	if m, ok := r.(*jvmlog.Method); ok && n.unnamed {
		nameless := *m
		nameless.Ptr = 0
		r = &nameless
	}
	n.Pipeline.Record(id, t, r)
}

func (n *nameable) JVMGone(id sampler.JVMID) {
	n.FinishJVM(id)
	n.Pipeline.JVMGone(id)
}

func (n *nameable) Symbol(sampler.JVMID, codemap.Frame) {}

// owners keeps whose CPU each sample of a recording is.
type owners map[moment]pipeline.Labels

func (o owners) JVM(sampler.JVM, pipeline.Application)     {}
func (o owners) Task(pipeline.TaskCPU)                     {}
func (o owners) SamplerStats(sampler.JVMID, sampler.Stats) {}
func (o owners) JVMGone(sampler.JVMID)                     {}
func (o owners) Sample(s *pipeline.Labelled)               { o[moment{s.TID, s.Time}] = s.Labels }

func recordedOwners(t *testing.T, out string, unnamed bool) (owners, pipeline.Counts) {
	t.Helper()
	f, err := os.Open(filepath.Join(out, "recording"))
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	r, err := recording.NewReader(f)
	require.NoError(t, err)
	defer r.Close()
	all := owners{}
	p := &nameable{Pipeline: pipeline.New(pipeline.Settings{Hold: pipeline.UntilEnd, MaxHeld: 1 << 20}, all), unnamed: unnamed}
	require.NoError(t, r.Replay(p))
	p.Finish()
	return all, p.Counts()
}

// checkUnnamed takes the names of all interpreted methods out of a recording of cold queries. A
// sample may lose its operator with them, and none may get another one.
func checkUnnamed(t *testing.T, out string) {
	t.Helper()
	named, counts := recordedOwners(t, out, false)
	nameless, without := recordedOwners(t, out, true)
	require.Len(t, nameless, len(named))
	unknown, lost, moved := 0, 0, 0
	for at, with := range named {
		switch w := nameless[at]; {
		case with.Bucket == attribution.BucketUnknown:
			unknown++
		case with.Operator == "" || w.Operator == with.Operator:
		case w.Operator != "":
			moved++
		default:
			lost++
		}
	}
	t.Logf("%d samples, %.2f %% unknown, %d for an unnamed method; without names %d lose their operator, %d of them for an unnamed method, and %d have another one", len(named),
		100*float64(unknown)/float64(len(named)), counts.UnnamedMethod, lost, without.UnnamedMethod-counts.UnnamedMethod, moved)
	assert.Zero(t, moved, "samples that an unnamed frame hands to another operator")
	assert.Greater(t, without.UnnamedMethod, counts.UnnamedMethod, "a frame that decides stands behind unnamed ones")
}
