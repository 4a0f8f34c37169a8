package shift

import "slices"

// A JVM warms up, and each executor is one: a run in which executors that are new to the plan did a
// part of the work is more expensive, though its application is old. Each executor's part keeps how
// many runs of the plan the executor took part in before. That only ever grows, so runs may come in
// any order, parts late, and histories from other Collectors. It is a lower bound.

// part is an executor's part of a record. CPU has the precision of a share.
type part struct {
	id, host string
	cpu      float32 // s; 0: none, or not known
	before   uint8   // runs of the plan that it is known to have taken part in before, youngRuns at most
}

func newParts(parts []Part) []part {
	out := make([]part, len(parts))
	for i, p := range parts {
		out[i] = part{id: p.ID, host: p.Host, cpu: float32(p.CPU)}
	}
	return out
}

// number brings before of all parts up to date. records are those of a query, oldest first.
func number(records []*record) {
	type place struct {
		plan        int32
		application string
	}
	crews := map[place]map[string]uint8{}
	var last place
	var crew map[string]uint8
	for _, r := range records {
		if at := (place{r.plan, r.id.Application}); crew == nil || at != last {
			if last, crew = at, crews[at]; crew == nil {
				crew = map[string]uint8{}
				crews[at] = crew
			}
		}
		least := r.tookPart()
		for i := range r.parts {
			p := &r.parts[i]
			p.before = max(p.before, crew[p.id])
			crew[p.id] = p.before
			if p.cpu >= least && p.before < youngRuns {
				crew[p.id]++
			}
		}
	}
}

// tookPart is the CPU from which an executor took part in the run: freshShare of the mean; 0 if no
// one's is known.
func (r *record) tookPart() float32 {
	sum, n := float32(0), 0
	for i := range r.parts {
		if c := r.parts[i].cpu; c > 0 {
			sum, n = sum+c, n+1
		}
	}
	return freshShare * sum / float32(max(n, 1))
}

// young reports whether executors that are not warm did freshShare of a numbered record. known is
// false if the CPU of its executors is not.
func (r *record) young() (young, known bool) {
	sum, fresh := 0., 0.
	for i := range r.parts {
		p := &r.parts[i]
		sum += float64(p.cpu)
		if p.before < youngRuns {
			fresh += float64(p.cpu)
		}
	}
	if sum <= 0 || sum < (1-freshShare)*r.cpu {
		return false, false
	}
	return fresh >= freshShare*sum, true
}

// newcomers reports whether executors that took part for the first time did freshShare of the run.
func (r *record) newcomers() bool {
	sum, fresh := 0., 0.
	for i := range r.parts {
		p := &r.parts[i]
		sum += float64(p.cpu)
		if p.before == 0 {
			fresh += float64(p.cpu)
		}
	}
	return sum > 0 && fresh >= freshShare*sum
}

// shares reports whether a young executor took part in another run, too, or no one knows.
func (r *record) shares(o *record) bool {
	known := false
	for i := range r.parts {
		p := &r.parts[i]
		known = known || p.cpu > 0
		if p.before < youngRuns && p.cpu > 0 && slices.ContainsFunc(o.parts, func(q part) bool { return q.id == p.id }) {
			return true
		}
	}
	return !known
}

// learn takes over what another record of the run knows of the same parts.
func (r *record) learn(o *record) {
	theirs := make(map[string]part, len(o.parts))
	for _, p := range o.parts {
		theirs[p.id] = p
	}
	for i := range r.parts {
		p := &r.parts[i]
		q := theirs[p.id]
		p.before = max(p.before, q.before)
		if p.cpu == 0 {
			p.cpu = q.cpu
		}
	}
}
