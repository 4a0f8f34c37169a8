package tasksample

import "time"

// StageCPU is what is known of the CPU of one stage (or of any other group of tasks whose CPU is known together).
//
// Samples estimate how CPU divides among operators: the sum of the weights of an operator's samples is its Horvitz-Thompson estimate,
// unbiased but as noisy as the sampling clock. The sum over all operators is known far better, from the threads' own clocks. The ratio
// estimator makes both agree:
//
//	estimate(operator) = Known · Σ weights(operator) / Σ weights(all)
//
// Its error no longer holds the noise of the total. Attempts that have not ended have no known CPU; their samples' weight stands for it,
// so that with Open they enter both sums. Reference: Särndal, Swensson, Wretman, Model Assisted Survey Sampling (1992), 7.3.
type StageCPU struct {
	Known time.Duration // CPU of ended attempts that samples could have hit
	Ended time.Duration // Σ weights of the samples of ended attempts
	Open  time.Duration // Σ weights of the samples of attempts that have not ended
}

// Factor is what the weight of each of the stage's samples is to be multiplied with. Without a sample of an ended attempt it is 1, and
// Known is to be shown apart (Unsampled).
func (s StageCPU) Factor() float64 {
	if s.Ended <= 0 {
		return 1
	}
	return float64(s.Known+s.Open) / float64(s.Ended+s.Open)
}

// Unsampled is the known CPU that no sample stands for: all of it where no sample of an ended attempt was taken, else 0.
func (s StageCPU) Unsampled() time.Duration {
	if s.Ended > 0 {
		return 0
	}
	return s.Known
}

// Add merges what another node or window knows of the same stage.
func (s *StageCPU) Add(o StageCPU) {
	s.Known += o.Known
	s.Ended += o.Ended
	s.Open += o.Open
}
