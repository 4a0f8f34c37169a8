package finding

import (
	"cmp"
	"slices"

	"github.com/planflame/planflame/cmd/planflame/internal/outcome"
)

// most findings are shown: no one reads more.
const most = 3

// A finding is worth its line from a second on that is 5 % of the run's CPU or wall time.
const (
	leastSeconds = 1
	leastShare   = 0.05
)

// rule looks for one thing. What it returns may be any number of findings, of any size.
type rule struct {
	name string
	find func(*outcome.Summary) []outcome.Finding
	of   func(*outcome.Summary) float64 // what its findings' seconds are a part of
}

var rules = []rule{
	{"twice", twice, cpu},
	{"python", python, cpu},
	{"schema", schema, cpu},
	{"cold", cold, process},
	{"skew", skew, wall},
	{"spill", spill, wall},
	{"waits", waits, wall},
	{"driver", driver, wall},
}

func cpu(s *outcome.Summary) float64     { return s.CPUSeconds }
func process(s *outcome.Summary) float64 { return s.ProcessCPUSeconds }

func wall(s *outcome.Summary) float64 {
	if s.Time == nil {
		return 0
	}
	return s.Time.WallSeconds
}

// Of are the findings of a run, those of the largest shares first.
func Of(s *outcome.Summary) (out []outcome.Finding) {
	for _, r := range rules {
		whole := r.of(s)
		for _, f := range r.find(s) {
			if f.Rule, f.Share = r.name, f.Seconds/whole; whole > 0 && f.Seconds >= leastSeconds && f.Share >= leastShare {
				out = append(out, f)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b outcome.Finding) int { return cmp.Compare(b.Share, a.Share) })
	return out[:min(len(out), most)]
}
