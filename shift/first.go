package shift

import "math"

// A JVM compiles what runs often, so the first runs of a query's plan in an application may be dearer than its later ones by any factor, one operator
// more than another. Where an application runs a plan again and again these runs are left out: of baselines, of tests, and of what is
// told of hosts and whole queries. Where hardly an application runs it more often, all are first runs, and all are counted: that is what the query costs.
//
// How old a run is, is told by its executors (executor.go); where it is not known what they did, by the runs of its application and plan that are known from
// before. Of runs that were forgotten, or that another Collector had, nobody knows here: a run may be older than it looks, and then is left out
// without need; it never is younger.
//
// Where applications run a plan but a few times, or executors come and go all the time, the later runs are too few, and some that are not much older than
// the first ones count: young runs.

// ageEnds are the last runs of each age of a plan to its executors: the first, the second and third, the fourth and fifth, all later ones.
var ageEnds = [...]int{1, 3, 5, math.MaxInt}

const (
	ageLooks = 24   // newest runs by which it is told how old a query's runs use to be
	ageShare = 0.35 // … of which as many must be of an age, or older, for the younger ones to be left out
	ageLeast = 4    // runs that firstSpread2 weighs as much as
	// firstSd is what is taken for the standard deviation of the log of first runs about later ones before there are any. Measured by bench/shift's and
	// bench/accuracy's sessions: 0.25 in the first run of a JVM, 0.7 and 0.4 in the second and third of one with other work.
	firstSd = 0.4
)

// age is the index in ageEnds of the n-th run, counted from 1.
func age(n int) int {
	a := 0
	for n > ageEnds[a] {
		a++
	}
	return a
}

// markFirst finds the runs of the sheet that are left out as first ones, and the young ones among the others. Where even first runs count, those are young that
// share executors with the runs before them that joined but lately: they are dear together. records are those of the query up to the sheet's newest.
func (s *sheet) markFirst(records []*record) {
	s.first, s.young = make([]bool, len(s.runs)), make([]cohort, len(s.runs))
	number(records)
	known := make(map[string]int, 8) // application → runs of the plan
	ages := make([]int, 0, len(records))
	fresh := make([]freshness, 0, len(records))
	for _, r := range records {
		if r.plan != s.runs[0].plan {
			continue
		}
		known[r.id.Application]++
		f := r.freshness()
		if f.n == 0 {
			f.n = known[r.id.Application]
		}
		ages, fresh = append(ages, age(f.n)), append(fresh, f)
	}
	ages, fresh = ages[len(ages)-len(s.runs):], fresh[len(fresh)-len(s.runs):]
	from := len(ageEnds) - 1
	for ; from > 0; from-- {
		all, lately := 0, 0
		looked := min(len(ages), ageLooks)
		for i, a := range ages {
			if a >= from {
				all++
				if i >= len(ages)-looked {
					lately++
				}
			}
		}
		// One more than a baseline must have: the run under test.
		if all > s.set.MinimumRuns && float64(lately) >= ageShare*float64(looked) {
			break
		}
	}
	for i, a := range ages {
		s.first[i] = a < from
		if (from > 0 || fresh[i].lasting) && !s.first[i] && a < len(ageEnds)-1 {
			s.young[i] = cohort{s.runs[i].id.Application, max(fresh[i].joined, 1)}
		}
	}
}

// newestIsFirst tells that the run under judgement is left out.
func (s *sheet) newestIsFirst() bool { return s.first[len(s.first)-1] }

// firstSpread2 is the variance that a first run of operator j has beside that of later ones: the mean square by which those left out lie off,
// drawn towards firstSd. 0 where the newest run is none.
func (s *sheet) firstSpread2(j int) float64 {
	if !s.newestIsFirst() {
		return 0
	}
	c := &s.rows[j]
	n, sum := float64(ageLeast), ageLeast*firstSd*firstSd
	for _, i := range c.first {
		if o := s.cells[i][j]; o.has && i != len(s.runs)-1 {
			n, sum = n+1, sum+max(0, square(o.error())-o.v-o.cv-c.scale2)
		}
	}
	return sum / n
}
