package finding

import (
	"cmp"
	"slices"

	"github.com/planflame/planflame/cmd/planflame/internal/outcome"
)

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
	last bool                           // its findings are of the run as a whole: those that name a place come first
}

var rules = []rule{
	{"twice", twice, cpu, false},
	{"python", python, cpu, false},
	{"schema", schema, cpu, false},
	{"skew", skew, wall, false},
	{"spill", spill, wall, false},
	{"waits", waits, wall, false},
	{"driver", driver, wall, false},
	{"program", program, applications, false},
	{"cold", cold, process, true},
}

func cpu(s *outcome.Summary) float64     { return s.CPUSeconds }
func process(s *outcome.Summary) float64 { return s.ProcessCPUSeconds }

func wall(s *outcome.Summary) float64 {
	if s.Time == nil {
		return 0
	}
	return s.Time.WallSeconds
}

// applications is the wall time of all applications. Those that ran at once have more than the run.
func applications(s *outcome.Summary) float64 {
	if s.Time == nil {
		return 0
	}
	return max(s.Time.WallSeconds, s.Time.ApplicationSeconds)
}

// Of returns all findings of a run, the largest shares first. The table shows the first
// outcome.MostFindings.
func Of(s *outcome.Summary) []outcome.Finding {
	var placed, whole []outcome.Finding
	for _, r := range rules {
		base := r.of(s)
		for _, f := range r.find(s) {
			f.Rule, f.Share = r.name, f.Seconds/base
			switch {
			case base <= 0 || f.Seconds < leastSeconds || f.Share < leastShare:
			case r.last:
				whole = append(whole, f)
			default:
				placed = append(placed, f)
			}
		}
	}
	slices.SortStableFunc(placed, func(a, b outcome.Finding) int { return cmp.Compare(b.Share, a.Share) })
	return append(placed, whole...)
}
