package shift

import "slices"

// A JVM warms up, and each executor is one. A run is more expensive if executors that are new to
// the plan did a part of the work, though its application is old. Each executor's part keeps how
// many runs of the plan the executor took part in before. That only ever grows, so runs may come in
// any order, parts late, and histories from other Collectors. It is a lower bound.

// part is an executor's part of a record. CPU has the precision of a share. Its host is not kept:
// only the judgement of the run asks for it.
type part struct {
	ID     string
	CPU    float32 `json:",omitempty"` // s; 0: none, or not known
	Before uint8   `json:",omitempty"` // runs of the plan that it is known to have taken part in before, youngRuns at most
}

func newParts(parts []Part) []part {
	out := make([]part, len(parts))
	for i, p := range parts {
		out[i] = part{ID: p.ID, CPU: float32(p.CPU)}
	}
	return out
}

// number brings before of all parts up to date. records are a query's, oldest first.
func number(records []*record) {
	type place struct {
		plan        int32
		application string
	}
	crews := map[place]map[string]uint8{}
	var last place
	var crew map[string]uint8
	for _, r := range records {
		if at := (place{r.Plan, r.Application}); crew == nil || at != last {
			if last, crew = at, crews[at]; crew == nil {
				crew = map[string]uint8{}
				crews[at] = crew
			}
		}
		least := r.tookPart()
		for i := range r.Parts {
			p := &r.Parts[i]
			p.Before = max(p.Before, crew[p.ID])
			crew[p.ID] = p.Before
			if p.CPU >= least && p.Before < youngRuns {
				crew[p.ID]++
			}
		}
	}
}

// tookPart is the CPU from which an executor took part in the run: freshShare of the mean; 0 if no
// one's is known.
func (r *record) tookPart() float32 {
	sum, n := float32(0), 0
	for i := range r.Parts {
		if c := r.Parts[i].CPU; c > 0 {
			sum, n = sum+c, n+1
		}
	}
	return freshShare * sum / float32(max(n, 1))
}

// young reports whether executors that are not warm did freshShare of a numbered record. known is
// false if the CPU of its executors is not.
func (r *record) young() (young, known bool) {
	sum, fresh := 0., 0.
	for i := range r.Parts {
		p := &r.Parts[i]
		sum += float64(p.CPU)
		if p.Before < youngRuns {
			fresh += float64(p.CPU)
		}
	}
	if sum <= 0 || sum < (1-freshShare)*r.CPU {
		return false, false
	}
	return fresh >= freshShare*sum, true
}

// newcomers reports whether executors that took part for the first time did freshShare of the run.
func (r *record) newcomers() bool {
	sum, fresh := 0., 0.
	for i := range r.Parts {
		p := &r.Parts[i]
		sum += float64(p.CPU)
		if p.Before == 0 {
			fresh += float64(p.CPU)
		}
	}
	return sum > 0 && fresh >= freshShare*sum
}

// shares reports whether a young executor took part in another run, too, or no one knows.
func (r *record) shares(o *record) bool {
	known := false
	for i := range r.Parts {
		p := &r.Parts[i]
		known = known || p.CPU > 0
		if p.Before < youngRuns && p.CPU > 0 && slices.ContainsFunc(o.Parts, func(q part) bool { return q.ID == p.ID }) {
			return true
		}
	}
	return !known
}

// learn takes over what another record of the run knows of the same parts.
func (r *record) learn(o *record) {
	theirs := make(map[string]part, len(o.Parts))
	for _, p := range o.Parts {
		theirs[p.ID] = p
	}
	for i := range r.Parts {
		p := &r.Parts[i]
		q := theirs[p.ID]
		p.Before = max(p.Before, q.Before)
		if p.CPU == 0 {
			p.CPU = q.CPU
		}
	}
}
