package outcome

import (
	"time"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
)

// beside are the sums of what runs beside the tasks.
type beside struct {
	process, taskThreads   time.Duration
	workers, unplaced      time.Duration // of Python workers
	feed, nowhere, leftOut time.Duration // of threads that feed them; of both, outside of queries and in runs that were not drawn
	outside, children      map[attribution.Bucket]time.Duration
}

// pythonSums are what Python workers used for an operator.
type pythonSums struct{ cpu, below, above time.Duration }

// bounds are the least and the most that it can be, in seconds; nil where it is exact.
func (p pythonSums) bounds() *[2]float64 {
	if p.below == 0 && p.above == 0 {
		return nil
	}
	return &[2]float64{(p.cpu - p.below).Seconds(), (p.cpu + p.above).Seconds()}
}

// namedCPU is CPU of an operator of that name.
type namedCPU struct {
	name string
	cpu  time.Duration
}

// besides adds what runs beside the tasks of a JVM; of a driver without tasks, too.
func (s *sums) besides(j *window.JVMProfile, leftOut map[runOf]time.Duration) {
	s.process += j.Totals.Process
	s.taskThreads += j.Totals.TaskThreads
	s.workers += j.Totals.Workers
	s.unplaced += j.Totals.Unplaced
	for i := range j.Entries {
		switch e := &j.Entries[i]; {
		case e.Labels.Group == pipeline.GroupThreads:
			s.outside[e.Labels.Bucket] += e.CPU
			if e.Labels.Bucket == pipeline.BucketPythonFeed {
				s.feed += e.CPU
				s.python(j.Application.ID, e, leftOut)
			}
		case e.Labels.Group != pipeline.GroupChildren:
		case e.Labels.Bucket == attribution.BucketNone || e.Labels.Bucket == pipeline.BucketPython:
			s.python(j.Application.ID, e, leftOut)
		default:
			s.children[e.Labels.Bucket] += e.CPU
		}
	}
}

// python adds what Python workers used, or the threads that feed them.
func (s *sums) python(application string, e *window.Entry, leftOut map[runOf]time.Duration) {
	l := e.Labels
	l.Execution = s.outermost(application, l.Execution)
	if l.Query == "" {
		s.nowhere += e.CPU
		return
	}
	if l.Bucket != attribution.BucketNone {
		l.Operator, l.OperatorName = l.Name(), l.Name()
	}
	q := s.query(l)
	if len(leftOut) > 0 && e.Labels.Group == pipeline.GroupChildren {
		key := operatorKey{l.StagePlace, l.Operator}
		q.pythonOfRuns[key] = namedCPU{l.OperatorName, q.pythonOfRuns[key].cpu + e.CPU}
	}
	if _, left := leftOut[runOf{queryKey{l.Query, l.Plan}, application, e.Labels.Execution}]; left {
		s.leftOut += e.CPU
		return
	}
	if e.Labels.Group == pipeline.GroupThreads {
		q.cpu += e.CPU
		op := s.operator(l)
		op.cpu, op.exact = op.cpu+e.CPU, true
		return
	}
	q.python += e.CPU
	p := &s.operator(l).python
	p.cpu, p.below, p.above = p.cpu+e.CPU, p.below+e.Below, p.above+e.Above
}

func (b *beside) fill(out *Summary) {
	out.ProcessCPUSeconds, out.TaskThreadSeconds = b.process.Seconds(), b.taskThreads.Seconds()
	out.Outside = sorted(out.Outside, b.outside)
	out.Python = Python{
		WorkerCPUSeconds: b.workers.Seconds(), FeedCPUSeconds: b.feed.Seconds(), UnplacedSeconds: b.unplaced.Seconds(), OutsideSeconds: b.nowhere.Seconds(), LeftOutSeconds: b.leftOut.Seconds(),
		DaemonCPUSeconds: b.children[pipeline.BucketPythonDaemon].Seconds(), OtherCPUSeconds: b.children[pipeline.BucketChildren].Seconds(),
	}
}
