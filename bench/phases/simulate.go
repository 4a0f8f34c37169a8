package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/planflame/planflame/phase"
	"github.com/planflame/planflame/trial"
)

const (
	// fleetSize is the number of queries in the simulated fleet. sizeSD is the standard deviation
	// of the log of their costs, by which a tenth of the queries has about six tenths of the cost.
	// jitter is the standard deviation of the log of each kind's cost and change about the query
	// that it is made of.
	fleetSize = 2000
	sizeSD    = 1.5
	jitter    = 0.1
)

// simulated is a fleet of queries that have the mix and the change of a measured one each.
func simulated(f *fleet, seed uint64) *fleet {
	random := rand.New(rand.NewPCG(seed, 1))
	about := func() float64 { return math.Exp(jitter * random.NormFloat64()) }
	var queries []trial.Query
	var after []trial.Rerun
	for i := range fleetSize {
		like := random.IntN(len(f.queries))
		was, is := f.queries[like], f.after[like]
		size := math.Exp(sizeSD*random.NormFloat64()) / was.Cost
		q := trial.Query{ID: fmt.Sprint("q", i), CPU: phase.Mix{}}
		r := trial.Rerun{Query: i, CPU: phase.Mix{}, Other: is.Other * size * about()}
		for _, k := range was.CPU.Kinds() {
			s := size * about()
			q.CPU[k], r.CPU[k] = was.CPU[k]*s, is.CPU[k]*s*about()
		}
		q.Cost = q.CPU.Sum()
		queries, after = append(queries, q), append(after, r)
	}
	return newFleet(queries, after)
}
