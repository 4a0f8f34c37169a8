package outcome

import (
	"time"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/pipeline"
)

// beside are the sums of what runs beside the tasks.
type beside struct {
	process, taskThreads, workers, unplaced time.Duration
	outside, children                       map[attribution.Bucket]time.Duration
}

// besides adds what runs beside the tasks of a JVM; of a driver without tasks, too.
func (s *sums) besides(j *pipeline.JVMProfile) {
	s.process += j.Totals.Process
	s.taskThreads += j.Totals.TaskThreads
	s.workers += j.Totals.Workers
	s.unplaced += j.Totals.Unplaced
	for i := range j.Entries {
		switch e := &j.Entries[i]; {
		case e.Labels.Group == pipeline.GroupThreads:
			s.outside[e.Labels.Bucket] += e.CPU
		case e.Labels.Group != pipeline.GroupChildren:
		case e.Labels.Bucket == attribution.BucketNone:
			s.operator(e.Labels).python += e.CPU
		default:
			s.children[e.Labels.Bucket] += e.CPU
		}
	}
}

func (b *beside) fill(out *Summary) {
	out.ProcessCPUSeconds, out.TaskThreadSeconds = b.process.Seconds(), b.taskThreads.Seconds()
	out.Outside = sorted(out.Outside, b.outside)
	out.Python = Python{
		WorkerCPUSeconds: b.workers.Seconds(), UnplacedSeconds: b.unplaced.Seconds(),
		DaemonCPUSeconds: b.children[pipeline.BucketPythonDaemon].Seconds(), OtherCPUSeconds: b.children[pipeline.BucketChildren].Seconds(),
	}
}
