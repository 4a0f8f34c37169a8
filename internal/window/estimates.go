package window

import (
	"cmp"
	"slices"
	"time"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/tasksample"
)

// StageStatistics are the statistics of one stage's units that finished since the last Take: each
// unit is in them once, on one node and in one window. All JVMs' and windows' statistics, merged,
// are the statistics of the stage.
type StageStatistics struct {
	Application string          // its id; "" unknown
	Labels      pipeline.Labels // of the stage: its operator and bucket are empty, its StageAttempt is the last
	Statistics  *tasksample.Stage[semconv.Operator]
	// RunProbability is π of the run that the stage belongs to, 1 where all runs are sampled. Of a
	// run that was left out there are no statistics.
	RunProbability float64
	// Estimate is what Statistics say, with intervals where the Profile is calibrated. It stands
	// for the units in them alone: of a window, for those that ended in it.
	Estimate tasksample.Result[semconv.Operator]
}

// recordSample gives a sample of a task to the statistics.
func (s *sums) recordSample(l *pipeline.Labelled) {
	s.recorder.Sample(attemptOf(l.Of), l.Key(), l.Weight)
}

// recordEnd gives the end of a task to the statistics; known is its CPU that samples could have
// hit.
func (s *sums) recordEnd(t *pipeline.TaskCPU, known time.Duration) {
	if p := t.Of.RunProbability; p > 0 && p < 1 {
		s.drawnWith(t.Stage, p)
	}
	s.recorder.End(attemptOf(&t.Of), tasksample.AttemptEnd{CPU: known, Tier: t.Tier, Failed: t.Failed})
}

func attemptOf(t *pipeline.Task) tasksample.Attempt {
	return tasksample.Attempt{ID: t.ID, Stage: t.Stage, Partition: t.Partition}
}

// runKey is a stage of an application, or of a JVM whose application is not known.
type runKey struct {
	application string
	jvm         sampler.JVMID
	stage       tasksample.StageID
}

func (s *sums) runKey(stage tasksample.StageID) runKey {
	if s.app.ID == "" {
		return runKey{jvm: s.info.ID, stage: stage}
	}
	return runKey{application: s.app.ID, stage: stage}
}

// takeStatistics takes what finished since the last time; all of it, where nothing comes any more.
func (s *sums) takeStatistics(all bool) []StageStatistics {
	if all {
		s.recorder.FlushAll()
	}
	var out []StageStatistics
	for id, statistics := range s.recorder.Take() {
		probability, drawn := s.drawn[id]
		if !drawn {
			probability = 1
		}
		out = append(out, StageStatistics{Application: s.app.ID, Labels: s.stageLabels(id), Statistics: statistics, RunProbability: probability})
	}
	slices.SortFunc(out, func(a, b StageStatistics) int { return cmp.Compare(a.Labels.Stage, b.Labels.Stage) })
	return out
}

// stageLabels are the labels of the last attempt at a stage that this window has.
func (s *sums) stageLabels(id tasksample.StageID) pipeline.Labels {
	best := pipeline.Labels{JVM: s.info.ID, Execution: tasksample.NoExecution, Stage: id, StageAttempt: -1, Task: -1, Partition: -1}
	for key, stage := range s.stages {
		if key.stage == id && key.attempt > best.StageAttempt {
			best = stage.labels
		}
	}
	best.Task, best.Partition = -1, -1
	if s.ledger != nil && best.StageAttempt < 0 {
		s.ledger.describe(&best) // an attempt that ended in an earlier window was given up in this one
	}
	return best
}

// merged are the statistics of the stages of all JVMs of an application, with their estimates, by
// stage.
func (a *Accumulator) merged(all map[sampler.JVMID][]StageStatistics) map[runKey]*StageStatistics {
	out := map[runKey]*StageStatistics{}
	for id, stages := range all {
		for _, st := range stages {
			key := a.jvms[id].runKey(st.Labels.Stage)
			if out[key] == nil {
				out[key] = &StageStatistics{Application: st.Application, Labels: st.Labels, RunProbability: st.RunProbability, Statistics: tasksample.NewStage[semconv.Operator]()}
			}
			out[key].Statistics.Merge(st.Statistics)
		}
	}
	for _, st := range out {
		if a.settings.Calibrate {
			st.Estimate = st.Statistics.Estimate()
		} else {
			st.Estimate = st.Statistics.EstimateWithoutIntervals()
		}
	}
	return out
}

// calibration says how much CPU an entry's weights stand for.
type calibration struct {
	stages map[runKey]*StageStatistics
	raw    map[calibrated]time.Duration // Σ weights of samples
	open   map[calibrated]time.Duration // of which of attempts that have not ended
	known  map[runKey]time.Duration     // CPU of ended attempts that samples could have hit
}

type calibrated struct {
	run runKey
	key semconv.Operator
}

func (a *Accumulator) calibration(stages map[runKey]*StageStatistics) calibration {
	c := calibration{stages: stages, raw: map[calibrated]time.Duration{}, open: map[calibrated]time.Duration{}, known: map[runKey]time.Duration{}}
	for _, s := range a.jvms {
		for i := range s.entries {
			if l := &s.numbered[s.entries[i].labels]; l.Stage != pipeline.NoStage {
				c.raw[calibrated{s.runKey(l.Stage), l.Key()}] += s.entries[i].raw
			}
		}
		s.recorder.Open(func(stage tasksample.StageID, key semconv.Operator, weight time.Duration, _ uint64) {
			c.open[calibrated{s.runKey(stage), key}] += weight
		})
		for key, stage := range s.stages {
			c.known[s.runKey(key.stage)] += stage.known
		}
	}
	return c
}

// factor is what the weights of samples with these labels are to be multiplied with.
func (c calibration) factor(run runKey, l pipeline.Labels) float64 {
	key := calibrated{run, l.Key()}
	stage := c.stages[run]
	if stage == nil || c.raw[key] <= 0 {
		return 1
	}
	return float64(stage.Estimate.Keys[key.key].CPU+c.open[key]) / float64(c.raw[key])
}

// unsampled is the part of a stage's CPU of which no sample says anything, as far as it is a JVM's
// whose tasks used known of it.
func (c calibration) unsampled(run runKey, known time.Duration) time.Duration {
	stage := c.stages[run]
	if stage == nil || c.known[run] <= 0 {
		return 0
	}
	return scale(stage.Estimate.Unsampled, float64(known)/float64(c.known[run]))
}
