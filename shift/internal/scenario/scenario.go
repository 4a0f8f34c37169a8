// Package scenario invents histories of queries with known truth: what operators cost, how they
// vary, what happens to them. The tests of shift and its simulation use it. It is deterministic by
// its seed.
package scenario

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/planflame/planflame/shift"
)

// Noise is how runs of a query vary. Standard deviations and effects are of logs.
type Noise struct {
	Common      float64 // of a run as a whole
	Lean        float64 // of an operator's loading about 1: how closely it follows the run as a whole
	CommonFar   float64 // probability that a run is slower as a whole by 10 to 80 %
	Operator    float64 // of the typical operator, from run to run
	Uneven      float64 // of the log of that, between operators
	Tail        float64 // degrees of freedom of the t of operators' noise; 0: normal
	Correlation float64 // of neighbouring runs' operator noise
	Far         float64 // probability that an operator is more expensive by 10 to 200 % in one run
	FarAgain    float64 // … and in the next one, too, if it was in one
	Slower      float64 // from the middle of its runs on a query is slower as a whole by so many times
	Moves       float64 // … and this share of an operator's cost is its neighbor's
	Rows        float64 // of rows, all operators of a run together
	Growth      float64 // of rows, a run
	Jump        float64 // probability a run that rows change for good by up to a half, up or down
	Missing     float64 // share of operators that count no rows
	Restart     int     // runs of an application, then another one begins; 0: one has all
	Cold        float64 // by up to so many times, an operator in two is more expensive in the first one to five runs of an application; 0: none is
	Join        float64 // probability that executors leave before a run and as many join; what is Cold is then an executor, its part of a run is more expensive
	Executors   int     // of an application at a time, where they come and go
	JoinMost    float64 // share of an application's executors that may join at once
	Every       time.Duration
	Blind       bool // no one tells what each executor's CPU was
}

// Realistic has everything that spoils a test.
func Realistic() Noise {
	return Noise{Common: 0.03, CommonFar: 0.01, Operator: 0.02, Uneven: 0.4, Tail: 5, Correlation: 0.3, Far: 0.0005,
		Rows: 0.05, Growth: 0.003, Jump: 0.005, Missing: 0.3}
}

// Query is one invented query.
type Query struct {
	Name      string
	Noise     Noise
	Operators []Operator
	Samples   float64       // of a run at the rows of the first
	Hz        float64       // samples of a CPU second
	Every     time.Duration // between runs
	Hosts     []string
	Middle    int // run from which on Noise.Slower and Noise.Moves hold; 0: none
	rng       *rand.Rand
	rows      float64 // log, over the first run's
	runs      int
	start     time.Time
	crew      *crew // nil: one executor a host, as old as the application
}

// Operator is one of its operators.
type Operator struct {
	ID       string
	Share    float64 // of the samples
	Slope    float64 // of log cost over log rows
	SD       float64 // of its own noise
	Lean     float64 // loading on the run as a whole
	Factor   float64 // what the test made of it: 1.2 is 20 % more expensive
	Rows     bool
	state    float64 // of the correlated noise
	far      bool    // strayed in the run before
	cold     int     // runs of this application until it is compiled
	costlier float64 // log of its cost in them
}

var roles = []string{"scan", "filter", "project", "join", "aggregate", "exchange", "sort", "window"}

// New invents a query of so many operators. Their shares fall off as in real queries: the
// largest has a third or so.
func New(seed uint64, operators int, noise Noise) *Query {
	rng := rand.New(rand.NewPCG(seed, 0x5eed))
	q := &Query{Name: fmt.Sprintf("q1-%016x", seed*0x9e3779b97f4a7c15), Noise: noise, Samples: 20_000, Hz: 100, Every: time.Hour, rng: rng,
		start: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(rng.Int64N(int64(time.Hour)))), Hosts: []string{"h1"}}
	var total float64
	for i := range operators {
		o := Operator{ID: fmt.Sprintf("%s@%08x", roles[(i+int(seed))%len(roles)], rng.Uint32()), Share: math.Exp(-0.35*float64(i) + 0.3*rng.NormFloat64()),
			Slope: 0.95 + 0.1*rng.NormFloat64(), SD: noise.Operator * math.Exp(noise.Uneven*rng.NormFloat64()), Factor: 1, Lean: 1, Rows: rng.Float64() >= noise.Missing}
		total += o.Share
		q.Operators = append(q.Operators, o)
	}
	for i := range q.Operators {
		q.Operators[i].Share /= total
	}
	if noise.Lean > 0 { // drawn from another source, so that all else is as without it
		lean := rand.New(rand.NewPCG(seed, 0x1ea4))
		for i := range q.Operators {
			q.Operators[i].Lean += noise.Lean * lean.NormFloat64()
		}
	}
	if noise.Join > 0 {
		q.crew = &crew{rng: rand.New(rand.NewPCG(seed, 0xc4e3))}
	}
	return q
}

// Weigh sets the share of one operator; the others share the rest as before.
func (q *Query) Weigh(operator int, share float64) {
	rest := 1 - q.Operators[operator].Share
	for i := range q.Operators {
		if i == operator {
			q.Operators[i].Share = share
		} else {
			q.Operators[i].Share *= (1 - share) / rest
		}
	}
}

// Rows multiplies the rows of all runs to come.
func (q *Query) Rows(factor float64) { q.rows += math.Log(factor) }

// Run invents the next run.
func (q *Query) Run() *shift.Run {
	n := q.Noise
	q.rows += n.Growth
	if q.rng.Float64() < n.Jump {
		q.rows += math.Log(1.5) * (2*q.rng.Float64() - 1)
	}
	begins := n.Restart > 0 && q.runs%n.Restart == 0
	switch {
	case q.crew != nil:
		q.crew.begin(&n, len(q.Operators), begins || q.runs == 0)
	case begins:
		q.restart()
	}
	cpu := make([]float64, len(q.Operators))
	rows := q.rows + n.Rows*q.rng.NormFloat64()
	common := n.Common * q.rng.NormFloat64()
	if q.rng.Float64() < n.CommonFar {
		common += math.Log(1.1 + 0.7*q.rng.Float64())
	}
	if q.Middle > 0 && q.runs >= q.Middle {
		common += math.Log(max(n.Slower, 1))
		if q.runs == q.Middle && n.Moves > 0 && len(q.Operators) > 1 {
			a, b := &q.Operators[0], &q.Operators[1]
			b.Share, a.Share = b.Share+n.Moves*a.Share, a.Share*(1-n.Moves)
		}
	}
	r := &shift.Run{ID: shift.RunID{Application: "app-" + q.Name, Execution: int64(q.runs)}, Query: q.Name, Name: "simulated", Plan: "p1",
		End: q.start.Add(time.Duration(q.runs) * q.Every), Version: "4.3.0"}
	for i, h := range q.Hosts {
		r.Parts = append(r.Parts, shift.Part{ID: fmt.Sprint(i + 1), Host: h})
	}
	if n.Restart > 0 {
		r.ID.Application += fmt.Sprintf("-%d", q.runs/n.Restart)
	}
	q.runs++
	for i := range q.Operators {
		o := &q.Operators[i]
		fresh := q.rng.NormFloat64()
		if n.Tail > 2 {
			fresh *= math.Sqrt((n.Tail - 2) / (2 * gamma(q.rng, n.Tail/2)))
		}
		o.state = n.Correlation*o.state + math.Sqrt(1-n.Correlation*n.Correlation)*fresh
		log := o.Lean*common + o.SD*o.state + o.Slope*rows + math.Log(o.Factor)
		if o.cold > 0 {
			o.cold--
			log += o.costlier
		}
		if q.crew != nil {
			log += math.Log(q.crew.costlier(i))
		}
		far := n.Far
		if o.far {
			far = max(far, n.FarAgain)
		}
		if o.far = q.rng.Float64() < far; o.far {
			log += math.Log(1.1 + 1.9*q.rng.Float64())
		}
		samples := poisson(q.rng, q.Samples*o.Share*math.Exp(log))
		if samples == 0 {
			continue
		}
		c := shift.Cost{Key: shift.Key{Stage: "result", Operator: o.ID}, Name: o.ID, CPU: samples / q.Hz, Variance: samples / (q.Hz * q.Hz), Samples: samples}
		if o.Rows {
			c.Rows = math.Round(1e6 * math.Exp(rows))
		}
		r.Operators = append(r.Operators, c)
		r.CPU += c.CPU
		cpu[i] = c.CPU
	}
	if q.crew != nil {
		r.Parts = q.crew.end(cpu, &n)
	} else if len(r.Parts) == 1 && !n.Blind {
		r.Parts[0].CPU = r.CPU
	}
	return r
}

// restart begins another application, in which some operators wait for the compiler.
func (q *Query) restart() {
	if q.Noise.Cold == 0 {
		return
	}
	for i := range q.Operators {
		o := &q.Operators[i]
		o.cold, o.costlier = 0, q.rng.Float64()*math.Log(q.Noise.Cold)
		for o.cold < 5 && q.rng.Float64() < 0.5 {
			o.cold++
		}
	}
}

// gamma is a gamma variate of shape k >= 1 (Marsaglia and Tsang 2000).
func gamma(rng *rand.Rand, k float64) float64 {
	d := k - 1./3
	for {
		x := rng.NormFloat64()
		v := 1 + x/(3*math.Sqrt(d))
		if v <= 0 {
			continue
		}
		v = v * v * v
		if math.Log(1-rng.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}

// poisson is a Poisson variate; above 50 the square root is nearly normal.
func poisson(rng *rand.Rand, mean float64) float64 {
	if mean > 50 {
		r := math.Sqrt(mean-0.25) + rng.NormFloat64()/2
		return math.Max(0, math.Round(r*r))
	}
	n, p, limit := -1, 1., math.Exp(-mean)
	for ; p > limit; n++ {
		p *= rng.Float64()
	}
	return float64(n)
}
