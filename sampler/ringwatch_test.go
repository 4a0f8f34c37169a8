package sampler

import (
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/planflame/planflame/sampler/internal/testkit"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/perfevent"
	"github.com/planflame/planflame/sampler/procfs"
)

// watching is a sampler that watches rings, of one JVM with these.
func watching(t *testing.T, r *rings) (*Sampler, *jvm) {
	t.Helper()
	s := idle(t)
	end := s.watchRings()
	t.Cleanup(func() { s.rouse(); end() })
	require.NotNil(t, s.watch)
	j := &jvm{info: JVM{Mode: ModePrivileged}, settings: s.settings, rings: rings{watch: s.watch, threads: r.threads, events: map[uint32]*thread{}}}
	s.jvms[procfs.Identity{PID: 7}] = j
	return s, j
}

// rung waits until a ring is reported and no report is on its way. A ring that filled up twice is
// reported twice, and Go's poller may be late with the second report.
func rung(t *testing.T, s *Sampler) {
	t.Helper()
	select {
	case <-s.rung():
		s.rouse()
	case <-time.After(20 * time.Second):
		require.Fail(t, "no ring is reported")
	}
	for {
		select {
		case <-s.rung():
		case <-time.After(100 * time.Millisecond):
			return
		}
	}
}

func silent(t *testing.T, s *Sampler) {
	t.Helper()
	select {
	case <-s.rung():
		require.Fail(t, "a ring is reported")
	default:
	}
}

func TestARingThatFillsWakesTheSamplerUp(t *testing.T) {
	now := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, now) })
	const pages = 64 // some 50 samples
	s, j := watching(t, ownRings(t, pages))
	require.True(t, j.rests())
	silent(t, s)
	for range 3 {
		burnFor(40 * time.Millisecond)
		rung(t, s)
		j.rings.drain()
		require.False(t, j.rests(), "it has samples")
		burnFor(40 * time.Millisecond)
		silent(t, s)
		j.rings.drain()
		j.rings.sampledAt -= restsAfter
		require.True(t, j.rests())
		_, c, err := j.rings.take(nil)
		require.NoError(t, err)
		require.Zero(t, c.lost)
	}
}

func TestAThreadThatEndsIsReportedOnce(t *testing.T) {
	cmd := exec.Command("cat")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	e, err := perfevent.Open(cmd.Process.Pid, perfevent.Spec{Period: time.Millisecond, ExcludeKernel: true, StackBytes: 4096, RingPages: 4})
	testkit.Requires(t, "perf events on own threads (kernel.perf_event_paranoid ≤ 2, no seccomp filter)", err)
	r := &rings{threads: map[threadKey]*thread{{}: {event: e, present: true}}}
	t.Cleanup(func() { assert.NoError(t, r.close()) })
	s, j := watching(t, r)
	require.True(t, j.rests())
	require.NoError(t, in.Close())
	require.NoError(t, cmd.Wait())
	rung(t, s)
	for range 3 {
		require.True(t, j.rests())
		require.False(t, j.rings.threads[threadKey{}].watched)
	}
	silent(t, s)
}

func TestWhoRests(t *testing.T) {
	w, err := newRingWatch()
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, w.close()) })
	detail := Settings{DetailPeriod: 5 * time.Millisecond}.withDefaults()
	runs := rates{running: map[uint32]running{7: {}}}
	for name, c := range map[string]struct {
		jvm  *jvm
		want bool
	}{
		"no thread has a sample":                {&jvm{rings: rings{watch: w}, info: JVM{Mode: ModePrivileged}}, true},
		"one has":                               {&jvm{info: JVM{Mode: ModePrivileged}, rings: rings{watch: w, sampledAt: jvmlog.Now()}}, false},
		"the agent opens events":                {&jvm{rings: rings{watch: w}, info: JVM{Mode: ModeSelfOpened}}, false},
		"nothing can be watched":                {&jvm{info: JVM{Mode: ModePrivileged}}, false},
		"a task waits":                          {&jvm{rings: rings{watch: w}, info: JVM{Mode: ModePrivileged}, rates: runs}, true},
		"a task waits for its detail clock":     {&jvm{rings: rings{watch: w}, info: JVM{Mode: ModePrivileged}, rates: runs, settings: detail}, false},
		"detail clocks are switched for no one": {&jvm{rings: rings{watch: w}, info: JVM{Mode: ModePrivileged}, settings: detail}, true},
	} {
		assert.Equal(t, c.want, c.jvm.rests(), name)
	}
}
