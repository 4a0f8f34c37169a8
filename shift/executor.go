package shift

import "math"

// What warms up is a JVM, and each executor is one: a run in which executors that are new to the plan did a part of the work is dearer, though its
// application is old. So a run is as old as its executors: it counts as the n-th where those that took part in the plan for the n-th time, or
// had done so fewer times, did freshShare of its CPU.
//
// Each executor's part keeps how many runs of the plan the executor took part in before, and that only ever grows: it is told again from the records
// whenever one comes or goes, so runs may come in any order, parts late, and histories from other Collectors. It is a lower bound: what nobody
// here ever knew is missing, and a run never looks older than it is. An executor that is in none of the records is forgotten.
const (
	// freshShare is the share of a run's CPU that makes it as young as those who did it. Chosen by simulation (-join).
	freshShare = 0.1
	// tookPart is what an executor must do of a run, over the mean of its executors, for the run to have made it warmer.
	tookPart = 0.1
	// mostBefore runs are counted: an executor that had them is warm.
	mostBefore = 5
)

// part is an executor's part of a record. CPU has the precision of a share.
type part struct {
	id, host string
	cpu      float32 // s; 0: none, or not known
	before   uint8   // runs of the plan that the executor is known to have taken part in before, mostBefore at most
	joined   uint16  // the executor's first run among the records of plan and application, counted from 1; as last numbered, not stored
}

func newParts(parts []Part) []part {
	out := make([]part, len(parts))
	for i, p := range parts {
		out[i] = part{id: p.ID, host: p.Host, cpu: float32(p.CPU)}
	}
	return out
}

// number brings before and joined of all parts up to date. records are those of a query, oldest first.
func number(records []*record) {
	type place struct {
		plan        int32
		application string
	}
	type executor struct {
		before uint8
		joined uint16
	}
	type crew struct {
		runs      uint16
		executors map[string]executor
	}
	crews := map[place]*crew{}
	var last place
	var c *crew
	for _, r := range records {
		if at := (place{r.plan, r.id.Application}); c == nil || at != last {
			if c, last = crews[at], at; c == nil {
				c = &crew{executors: map[string]executor{}}
				crews[at] = c
			}
		}
		if c.runs < math.MaxUint16 {
			c.runs++
		}
		least := r.tookPart()
		for i := range r.parts {
			p := &r.parts[i]
			e := c.executors[p.id]
			if e.joined == 0 {
				e.joined = c.runs
			}
			e.before = max(e.before, p.before)
			p.before, p.joined = e.before, e.joined
			if p.cpu >= least && e.before < mostBefore {
				e.before++
			}
			c.executors[p.id] = e
		}
	}
}

// tookPart is the CPU from which an executor took part in the run; 0 where nobody's is known.
func (r *record) tookPart() float32 {
	sum, n := float32(0), 0
	for i := range r.parts {
		if c := r.parts[i].cpu; c > 0 {
			sum, n = sum+c, n+1
		}
	}
	return tookPart * sum / float32(max(n, 1))
}

// freshness is how new a run's executors are to its plan.
type freshness struct {
	// n is which run of the plan it is to them: the smallest n such that executors for which it is the n-th or an earlier one did freshShare of its
	// CPU; mostBefore+1 is any later one, 0: too little is known of its executors.
	n int
	// joined is when the newest of those did, among the records of plan and application, counted from 1. 0: n is not within mostBefore.
	joined uint16
	// lasting: executors that joined an application that had run the plan before, and were new in an earlier run too, did freshShare. What they wait for
	// may have made that one dearer as well.
	lasting bool
}

// freshness is that of a numbered record.
func (r *record) freshness() (f freshness) {
	var by [mostBefore + 1]float64
	sum, lasting := 0., 0.
	for i := range r.parts {
		p := &r.parts[i]
		by[p.before] += float64(p.cpu)
		sum += float64(p.cpu)
		if p.before > 0 && p.before < mostBefore && p.joined > 1 {
			lasting += float64(p.cpu)
		}
	}
	if sum <= 0 || sum < (1-freshShare)*r.cpu {
		return f
	}
	f.lasting = lasting >= freshShare*sum
	fresh := 0.
	for f.n = 1; f.n <= mostBefore; f.n++ {
		if fresh += by[f.n-1]; fresh >= freshShare*sum {
			break
		}
	}
	for i := range r.parts {
		if p := &r.parts[i]; f.n <= mostBefore && p.cpu > 0 && int(p.before) < f.n {
			f.joined = max(f.joined, p.joined)
		}
	}
	return f
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
