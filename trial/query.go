package trial

import (
	"fmt"

	"github.com/planflame/planflame/phase"
)

// Query is a recurring query and what it cost before the change.
type Query struct {
	ID   string    // unique
	CPU  phase.Mix // CPU seconds by kind in the period that the trial is about
	Cost float64   // the sum of CPU, > 0
}

// costs are the costs of queries, which must be positive and of different ids.
func costs(queries []Query) ([]float64, error) {
	seen, x := map[string]bool{}, make([]float64, len(queries))
	for i, q := range queries {
		if seen[q.ID] {
			return nil, fmt.Errorf("query %s: twice", q.ID)
		}
		if !(q.Cost > 0) {
			return nil, fmt.Errorf("query %s: cost %g, not above 0", q.ID, q.Cost)
		}
		seen[q.ID], x[i] = true, q.Cost
	}
	return x, nil
}

func sum(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}
