package scenario

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// LevelResult is how a procedure that chooses levels fared on a stream of p values.
type LevelResult struct {
	Procedure string  `json:"procedure"`
	Shifts    int     `json:"shifts_a_week"` // real ones
	Found     float64 `json:"found"`         // share of them
	False     float64 `json:"false_a_week"`
	FDR       float64 `json:"false_share"`
}

// String is one line of a table.
func (l LevelResult) String() string {
	return fmt.Sprintf("%-28s %3d shifts a week: found %.3f, false %.2f a week, false share %.3f", l.Procedure, l.Shifts, l.Found, l.False, l.FDR)
}

// procedure gives the level of the next test, then hears its p value and whether that was below.
type procedure interface {
	level() float64
	tell(p float64, hit bool)
}

// Levels compares ways to choose levels over a stream of independent tests of three weeks, 200,000
// a day, in which real shifts are rare: a fixed budget of one false alarm a week, LORD++ (Ramdas
// 2017) and SAFFRON (Ramdas 2018) with a false discovery rate of 5 %. A shift's statistic is normal
// with mean 7: a shift of 20 % at 2.8 % standard error.
func Levels(seed uint64) (out []LevelResult) {
	const weeks, repeats = 3, 2
	for _, shifts := range []int{0, 1, 5, 20} {
		for _, name := range []string{"one false alarm a week", "LORD++, 5 %", "SAFFRON, 5 %"} {
			l := LevelResult{Procedure: name, Shifts: shifts}
			var found, real, wrong, discoveries float64
			for r := range repeats {
				rng := rand.New(rand.NewPCG(seed, uint64(r)))
				var p procedure
				switch name {
				case "LORD++, 5 %":
					p = newLord(0.05)
				case "SAFFRON, 5 %":
					p = newSaffron(0.05)
				default:
					p = fixed(1. / goalTests)
				}
				for range weeks {
					at := make([]int, shifts)
					for i := range at {
						at[i] = rng.IntN(goalTests)
					}
					slices.Sort(at)
					for t := range goalTests {
						z, truth := rng.NormFloat64(), false
						if len(at) > 0 && at[0] == t {
							at, z, truth = at[1:], z+7, true
							real++
						}
						v := math.Erfc(z/math.Sqrt2) / 2
						hit := v <= p.level()
						p.tell(v, hit)
						if hit {
							discoveries++
							if truth {
								found++
							} else {
								wrong++
							}
						}
					}
				}
			}
			l.Found, l.False, l.FDR = found/max(real, 1), wrong/(weeks*repeats), wrong/max(discoveries, 1)
			out = append(out, l)
		}
	}
	return out
}

type fixed float64

func (f fixed) level() float64     { return float64(f) }
func (f fixed) tell(float64, bool) {}

// lord is LORD++ with its authors' weights γ(t) ∝ log(max(t,2)) / (t·exp(√log t)) and half of the
// wealth at the start.
type lord struct {
	alpha, start float64
	t            int
	found        []int
}

func newLord(alpha float64) *lord { return &lord{alpha: alpha, start: alpha / 2} }

func gammaOf(t int) float64 {
	x := float64(t)
	return 0.0722 * math.Log(math.Max(x, 2)) / (x * math.Exp(math.Sqrt(math.Log(x))))
}

func (l *lord) level() float64 {
	t := l.t + 1
	a := gammaOf(t) * l.start
	for i, f := range l.found {
		w := l.alpha
		if i == 0 {
			w = l.alpha - l.start
		}
		a += w * gammaOf(t-f)
	}
	return a
}

func (l *lord) tell(_ float64, hit bool) {
	l.t++
	if hit {
		l.found = append(l.found, l.t)
	}
}

// saffron is SAFFRON with λ = 0.5 and weights γ(t) ∝ t^-1.6.
type saffron struct {
	alpha, start, lambda float64
	candidates           int   // since the start
	t                    int   // tests
	found                []int // tests before each discovery
	foundCandidates      []int // candidates before each discovery
}

func newSaffron(alpha float64) *saffron { return &saffron{alpha: alpha, start: alpha / 2, lambda: 0.5} }

func gammaSaffron(t int) float64 { return 0.4374901658 * math.Pow(float64(t), -1.6) }

func (s *saffron) level() float64 {
	t := s.t + 1
	a := s.start * gammaSaffron(t-s.candidates)
	for i, f := range s.found {
		w := s.alpha
		if i == 0 {
			w = s.alpha - s.start
		}
		a += w * gammaSaffron(max(1, t-f-(s.candidates-s.foundCandidates[i])))
	}
	return math.Min(s.lambda, (1-s.lambda)*a)
}

func (s *saffron) tell(p float64, hit bool) {
	s.t++
	if p <= s.lambda {
		s.candidates++
	}
	if hit {
		s.found = append(s.found, s.t)
		s.foundCandidates = append(s.foundCandidates, s.candidates)
	}
}

func middle(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}
