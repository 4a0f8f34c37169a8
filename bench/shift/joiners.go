package main

import "fmt"

// joiners is what was told while executors left and joined and nothing else was done.
type joiners struct {
	*null
	Executors int     `json:"executors"`                // that took part
	WithNew   float64 `json:"runs_with_newcomers"`      // share of the runs in which executors that never took part before did a tenth of the CPU or more
	NewCPU    float64 `json:"newcomers_cpu"`            // seconds, of such executors in all runs
	Dearer    float64 `json:"runs_with_newcomers_cost"` // CPU of these runs over the query's others, by Spark's account and without the first pass: median over queries
}

// newcomersShare is how much of a run newcomers do that the judge takes for one of first runs.
const newcomersShare = 0.1

// judgeJoiners replays the session in which executors come and go by itself, its first pass
// included: applications begin like that. nil without one.
func judgeJoiners(rs *records) (*joiners, error) {
	runs := rs.these(func(r *sparkRun) bool { return r.Kind == joining })
	if len(runs) == 0 {
		return nil, nil
	}
	n, err := judgeNull(runs)
	if err != nil {
		return nil, err
	}
	out := &joiners{null: n}
	seen := map[string]bool{}
	with, without := map[string][]float64{}, map[string][]float64{}
	fresh := 0
	for _, r := range runs {
		newcomers := 0.
		for _, p := range r.Run.Parts {
			if id := r.Session + "/" + p.ID; !seen[id] {
				seen[id] = true
				newcomers += p.CPU
			}
		}
		out.NewCPU += newcomers
		of := without
		if newcomers >= newcomersShare*r.Run.CPU {
			fresh++
			of = with
		}
		if r.Pass >= 0 {
			of[r.Query] = append(of[r.Query], r.TaskCPU)
		}
	}
	var ratios []float64
	for q, cpu := range with {
		if usual := middle(without[q]); usual > 0 {
			ratios = append(ratios, middle(cpu)/usual)
		}
	}
	out.Executors, out.WithNew, out.Dearer = len(seen), float64(fresh)/float64(len(runs)), middle(ratios)
	return out, nil
}

func (j *joiners) String() string {
	return fmt.Sprintf("executors that come and go: %d took part, %.0f %% of %d runs had newcomers, which used %.1f s there; such a run takes %.2f times the CPU of the others (median of queries)",
		j.Executors, 100*j.WithNew, j.Runs, j.NewCPU, j.Dearer)
}
