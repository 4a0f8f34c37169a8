package main

import (
	"maps"
	"math"
	"slices"

	"github.com/planflame/planflame/trial"
)

// figures adds a condition's figures, and computes the ones over all conditions so far again. big
// is the simulated fleet.
func (r *results) figures(condition string, big *fleet) {
	for prefix, o := range map[string]*outcome{"error_20_": r.Measured[condition], "fleet_error_20_": r.Simulated[condition]} {
		for _, d := range slices.Sorted(maps.Keys(o.Designs)) {
			if at, there := o.Designs[d][reported]; there {
				r.Figures[prefix+d+"_"+condition] = at.Error
			}
		}
	}
	if condition == "jdk" {
		spread := r.Simulated[condition].Spread
		r.Figures["trial_runs_5pct"] = float64(trial.RunsFor(big.x, spread, 0.05, trial.LevelSure))
		r.Figures["trial_runs_2pct"] = float64(trial.RunsFor(big.x, spread, 0.02, trial.LevelSure))
	}
	r.errors()
	r.intervals()
}

// errors are the trial's errors, and those over the errors of other designs in the worst condition.
func (r *results) errors() {
	upgrade, random, top := 0., 0., 0.
	for name, o := range r.Measured {
		at, there := o.Designs["trial"][reported]
		if !there {
			continue // there were no more statements
		}
		switch name {
		case "reader":
			r.Figures["trial_error_20_reader"] = at.Error
		case "jdk", "spark":
			upgrade = max(upgrade, at.Error)
			r.Figures["trial_error_20"] = upgrade
		}
		random, top = max(random, at.Error/o.Designs["random_mean"][reported].Error), max(top, at.Error/o.Designs["top_ratio"][reported].Error)
		r.Figures["trial_vs_random"], r.Figures["trial_vs_top"] = random, top
	}
}

// intervals are what intervals and verdicts are worth.
func (r *results) intervals() {
	least, most, steady, wrong, saved, nested := 1., 0., 0, 0, 0., 1.
	for name, o := range r.Measured {
		for _, d := range o.Designs["trial"] {
			least, most = min(least, d.Coverage), max(most, d.Coverage)
		}
		steady, wrong = steady+o.Steady, wrong+o.Wrong
		saved += r.Simulated[name].Saved / float64(len(r.Measured))
		nested = min(nested, is(o.Nested && r.Simulated[name].Nested))
	}
	maps.Copy(r.Figures, map[string]float64{
		"trial_coverage_least": least, "trial_coverage_most": most, "steady_called": float64(steady), "steady_wrong_share": float64(wrong) / math.Max(1, float64(steady)),
		"steady_saved_share": saved, "draw_nested": nested,
	})
}
