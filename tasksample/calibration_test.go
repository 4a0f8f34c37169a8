package tasksample

import (
	"testing"
	"time"
)

func TestStageCPU(t *testing.T) {
	tests := []struct {
		name      string
		stage     StageCPU
		factor    float64
		unsampled time.Duration
	}{
		{"nothing known", StageCPU{}, 1, 0},
		{"samples say twice what the threads say", StageCPU{Known: 300, Ended: 600}, 0.5, 0},
		{"samples say less", StageCPU{Known: 700, Ended: 500}, 1.4, 0},
		{"no samples", StageCPU{Known: 300}, 1, 300},
		{"only attempts that still run", StageCPU{Open: 70}, 1, 0},
		{"ended attempts without samples beside one that runs", StageCPU{Known: 30, Open: 70}, 1, 30},
		{"ended and open: (300+100)/(700+100)", StageCPU{Known: 300, Ended: 700, Open: 100}, 0.5, 0},
		{"sampled but without user CPU", StageCPU{Ended: 5}, 0, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.stage.Factor(); got != test.factor {
				t.Errorf("Factor() = %v, want %v", got, test.factor)
			}
			if got := test.stage.Unsampled(); got != test.unsampled {
				t.Errorf("Unsampled() = %v, want %v", got, test.unsampled)
			}
		})
	}
}

// The sum of scaled weights and of what is shown apart is the known CPU plus the open weights.
func TestStageCPUSums(t *testing.T) {
	for _, s := range []StageCPU{{300, 700, 100}, {300, 0, 100}, {300, 700, 0}, {13, 7, 5}} {
		got := s.Factor()*float64(s.Ended+s.Open) + float64(s.Unsampled())
		if want := float64(s.Known + s.Open); got < want-1e-6 || got > want+1e-6 {
			t.Errorf("%+v: sum %v, want %v", s, got, want)
		}
	}
}

func TestStageCPUAdd(t *testing.T) {
	s := StageCPU{Known: 3, Ended: 5, Open: 7}
	s.Add(StageCPU{Known: 10, Ended: 20, Open: 30})
	if want := (StageCPU{Known: 13, Ended: 25, Open: 37}); s != want {
		t.Errorf("got %+v, want %+v", s, want)
	}
}
