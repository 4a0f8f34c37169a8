package pipeline

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/jvmtest"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// Within a selected task both clocks run: a sample of either stands for 1 / (20 + 200 Hz). What the
// detail clock takes outside of it counts for nothing.
func TestWeightsAreTheRatesInForce(t *testing.T) {
	s := newScenario(Settings{Hold: UntilEnd})
	s.JVM(7, sampler.ModeSelfOpened)
	s.Code(7)
	s.Thread41(jvmtest.Base)
	selected := jvmlog.TaskSelected | jvmlog.TaskDetail
	s.TierEvent(jvmlog.TaskStart, 100, 1, 0, 0.25, 0)
	s.ClocksSample(110, jvmtest.Base, jvmtest.Base, jvmtest.ScanCode)
	s.ClocksSample(120, jvmtest.Base, jvmtest.Detail, jvmtest.ScanCode) // left on by a task before
	s.TierEvent(jvmlog.TaskEnd, 200, 1, 0, 0.25, 100)
	s.TierEvent(jvmlog.TaskStart, 300, 2, selected, 0.25, 100)
	s.ClocksSample(250, jvmtest.Base, jvmtest.Base, jvmtest.ScanCode) // between the tasks
	s.ClocksSample(310, jvmtest.Base, jvmtest.Base, jvmtest.ScanCode)
	s.ClocksSample(320, jvmtest.Base, jvmtest.Detail, jvmtest.ScanCode)
	s.TierEvent(jvmlog.TaskEnd, 400, 2, selected, 0.25, 200)
	s.TierEvent(jvmlog.TaskStart, 500, 3, 0, 0.25, 200)
	s.ClocksSample(510, jvmtest.Base, jvmtest.Base, jvmtest.ScanCode)
	s.TierEvent(jvmlog.TaskClocks, 520, 3, jvmlog.TaskDetail|jvmlog.TaskByReader, 1, 0) // promoted
	s.ClocksSample(530, jvmtest.Base, jvmtest.Detail, jvmtest.ScanCode)
	s.TierEvent(jvmlog.TaskClocks, 540, 3, jvmlog.TaskByReader, 1, 0) // its events were opened again
	s.ClocksSample(550, jvmtest.Base, jvmtest.Detail, jvmtest.ScanCode)
	s.ClocksSample(560, jvmtest.Base, jvmtest.Base, jvmtest.ScanCode)
	s.TierEvent(jvmlog.TaskEnd, 600, 3, 0, 0.25, 300)
	s.p.Finish()
	both := time.Duration(4545454) // ns: 1 s / 220
	got := map[jvmlog.MonoTime]time.Duration{}
	for _, l := range s.got.samples {
		got[l.Time] = l.Weight
		require.EqualValues(t, 1, l.Expansion)
	}
	require.Equal(t, map[jvmlog.MonoTime]time.Duration{110: jvmtest.Base, 250: jvmtest.Base, 310: both, 320: both, 510: jvmtest.Base, 530: both, 560: jvmtest.Base}, got)
	require.EqualValues(t, 2, s.p.Counts().Surplus)
	tiers := []tasksample.Tier{}
	for _, task := range s.got.tasks {
		tiers = append(tiers, task.Tier)
	}
	require.Equal(t, []tasksample.Tier{tasksample.TierBase, tasksample.TierSelected, tasksample.TierPromoted}, tiers)
}
