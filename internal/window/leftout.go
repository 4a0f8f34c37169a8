package window

import (
	"time"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/tasksample"
)

// BucketLeftOut is CPU of runs that were not drawn, in calibrated profiles.
const BucketLeftOut attribution.Bucket = "run not sampled"

// leftOut takes a task of a run that was not drawn; known is its CPU that samples could have hit. A
// window's samples of the runs that were drawn stand for it, each for 1 / π; a calibrated profile
// shows what each run used, and this CPU apart.
func (a *Accumulator) leftOut(s *sums, t *pipeline.TaskCPU, known time.Duration) {
	s.totals.LeftOut += known
	if a.settings.Calibrate {
		a.apart(s, t.Labels, BucketLeftOut, known)
	}
	if s.ledger != nil {
		s.ledger.task(t)
	}
}

// inItsRun is the CPU of its own run that a sample stands for, the CPU of tasks which were not
// selected included.
func inItsRun(l *pipeline.Labelled) time.Duration {
	if p := l.Of.RunProbability; p > 0 && p < 1 {
		return scale(expanded(l), p)
	}
	return expanded(l)
}

// mostDrawn bounds drawn: attempts of a stage can end, or be given up, long after all others.
const mostDrawn = 1 << 14

// drawnWith remembers π of the run that a stage belongs to. Where too many are remembered the
// oldest by number is forgotten: what is given up of it later counts once.
func (s *sums) drawnWith(stage tasksample.StageID, probability float64) {
	s.drawn[stage] = probability
	forgetOldest(s.drawn, mostDrawn)
}
