package scenario

import (
	"fmt"
	"math"
	"slices"

	"github.com/planflame/planflame/shift"
)

// MendCase is an operator of few samples that becomes more expensive, and is mended.
type MendCase struct {
	Name     string
	First    int     // runs at the beginning that are more expensive, by 1.3 to 3 times
	Usual    int     // runs before the shift, those included
	Costlier int     // runs with it
	Factor   float64 // of its cost in them
	Left     float64 // what it costs after them, of what it did before: 1 is mended
	Samples  float64 // of the operator in a usual run
	Within   int     // runs after the mend that are looked at
}

// MendCases are the cases of an end-to-end test on a busy machine, and what is beside them.
func MendCases() []MendCase {
	base := MendCase{First: 5, Usual: 25, Costlier: 6, Factor: 2.5, Left: 1, Samples: 150, Within: 30}
	with := func(name string, change func(*MendCase)) MendCase {
		c := base
		c.Name = name
		change(&c)
		return c
	}
	return []MendCase{
		with("mended", func(*MendCase) {}),
		with("no first runs", func(c *MendCase) { c.First = 0 }),
		with("back to 1.08", func(c *MendCase) { c.Left = 1.08 }),
		with("back to 1.3", func(c *MendCase) { c.Left = 1.3 }),
		with("not mended", func(c *MendCase) { c.Left = 2.5 }),
		with("1.6 times, mended", func(c *MendCase) { c.Factor, c.Costlier, c.Samples = 1.6, 15, 2000 }),
		with("1.6 times, not mended", func(c *MendCase) { c.Factor, c.Left, c.Costlier, c.Samples = 1.6, 1.6, 15, 2000 }),
	}
}

// MendResult says how a case went.
type MendResult struct {
	Name  string `json:"name"`
	Draws int    `json:"draws"`
	// Early are draws with an alarm before the shift, Found those in which the operator's alarm
	// came while it was more expensive; the figures below are of these.
	Early int `json:"early"`
	Found int `json:"found"`
	// Resolved is after how many runs of the mend nothing stood any more, by the number of draws;
	// Never is how many stood to the end.
	Resolved []int   `json:"resolved_after"`
	Never    int     `json:"stood"`
	Ratio    float64 `json:"standing_ratio"` // median of what was given as the standing shift's size at the end, where one stood
}

// Mend plays a case so many times. An operator beside three others varies by 5 to 15 % from run to
// run, sampling apart, and a run as a whole by 10 %.
func Mend(seed uint64, draws int, c MendCase) (MendResult, error) {
	out := MendResult{Name: c.Name, Draws: draws, Resolved: make([]int, c.Within)}
	var standing []float64
	for d := range draws {
		n := Noise{Common: 0.1, Operator: 0.1, Correlation: 0.2, Tail: 5, Missing: 1}
		q := New(seed*7_777_777+uint64(d), 4, n)
		for i := range q.Operators {
			q.Operators[i].SD = 0.05 + 0.1*q.rng.Float64()
		}
		q.Weigh(0, 0.3)
		q.Samples = c.Samples / 0.3
		set := shift.DefaultSettings()
		set.MinimumCoreHours = 0
		f, err := shift.NewFleet(set)
		if err != nil {
			return out, err
		}
		target, alarmed, early, done := &q.Operators[0], false, false, -1
		var last shift.Judgement
		for k := range c.Usual + c.Costlier + c.Within {
			after := k - c.Usual - c.Costlier
			target.Factor = 1
			switch {
			case k < c.First:
				target.Factor = 1.3 * math.Pow(3/1.3, q.rng.Float64())
			case after >= 0:
				target.Factor = c.Left
			case k >= c.Usual:
				target.Factor = c.Factor
			}
			r := q.Run()
			if last, err = f.Add(r, r.End); err != nil {
				return out, err
			}
			if a := alarm(last); a != nil {
				if k < c.Usual {
					early = true
				} else if a.Operator == target.ID && after < 0 {
					alarmed = true
				}
			}
			if after >= 0 && done < 0 && stands(last, target.ID) == 0 {
				done = after
			}
		}
		if early {
			out.Early++
		}
		if !alarmed {
			continue
		}
		out.Found++
		if done >= 0 {
			out.Resolved[done]++
			continue
		}
		out.Never++
		standing = append(standing, stands(last, target.ID))
	}
	if len(standing) > 0 {
		out.Ratio = middle(standing)
	}
	return out, nil
}

// stands is the ratio of the operator's standing shift to a higher cost, 0 if there is none.
func stands(j shift.Judgement, operator string) float64 {
	i := slices.IndexFunc(j.Operators, func(v shift.Verdict) bool { return v.Operator == operator })
	if i < 0 {
		return 0
	}
	return j.Operators[i].Active.Ratio
}

// Share is the share of the draws found that were resolved within so many runs.
func (r MendResult) Share(runs int) float64 {
	n := 0
	for _, k := range r.Resolved[:min(runs, len(r.Resolved))] {
		n += k
	}
	return float64(n) / float64(max(r.Found, 1))
}

// String is one line of a table.
func (r MendResult) String() string {
	return fmt.Sprintf("%-24s %d draws, early %d, found %d; resolved within 1, 2, 3, 5, 10, 25, all runs: %.1f, %.1f, %.1f, %.1f, %.1f, %.1f, %.1f %%; standing at the end %d as %.2f times",
		r.Name, r.Draws, r.Early, r.Found, 100*r.Share(1), 100*r.Share(2), 100*r.Share(3), 100*r.Share(5), 100*r.Share(10), 100*r.Share(25), 100*r.Share(1000), r.Never, r.Ratio)
}

func middle(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}
