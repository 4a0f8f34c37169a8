package stats

import (
	"math"
	"slices"
)

const (
	// HuberAt is where Huber's weight begins to fall, in standard deviations (Huber 1964).
	HuberAt = 2
	// BisquareAt is where Tukey's weight is 0, in standard deviations (Beaton and Tukey 1974: 95 %
	// of the efficiency of a mean).
	BisquareAt = 4.685
	// WinsorAt is up to where a residual counts for a variance, in standard deviations.
	WinsorAt = 2.5
	// winsorMean is E[min(Z², WinsorAt²)] of a normal Z.
	winsorMean = 0.97756
	// WinsorDF is what is left of a degree of freedom by that: 2·winsorMean²/Var[min(Z²,
	// WinsorAt²)].
	WinsorDF = 0.9
	// MedianSquare is the median of Z² of a normal Z.
	MedianSquare = 0.45494
)

// Huber is Huber's weight of a residual of u >= 0 standard deviations.
func Huber(u float64) float64 {
	if u <= HuberAt {
		return 1
	}
	return HuberAt / u
}

// Bisquare is Tukey's weight of a residual of u standard deviations.
func Bisquare(u float64) float64 {
	q := max(1-u*u/(BisquareAt*BisquareAt), 0)
	return q * q
}

// Median of values, which it sorts; 0 of none.
func Median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	if n := len(v); n%2 == 0 {
		return (v[n/2-1] + v[n/2]) / 2
	}
	return v[len(v)/2]
}

// Variance is the winsorized variance of errors over df degrees of freedom: a few bad ones do not
// matter. It starts at the median of the squares and keeps errors as they are.
func Variance(errors []float64, df float64) float64 {
	if len(errors) == 0 || df <= 0 {
		return 0
	}
	squares := make([]float64, len(errors))
	var all float64
	for i, e := range errors {
		squares[i] = e * e
		all += e * e
	}
	v := Median(squares) / MedianSquare * float64(len(errors)) / df
	if v == 0 {
		v = all / df
	}
	for range 10 {
		limit, sum := WinsorAt*WinsorAt*v, 0.0
		for _, s := range squares {
			sum += min(s, limit)
		}
		next := sum / (winsorMean * df)
		if math.Abs(next-v) < 1e-4*v {
			return next
		}
		v = next
	}
	return v
}

// Quartiles of values, which it sorts: the first, the median and the third.
func Quartiles(v []float64) (first, median, third float64) {
	median = Median(v)
	at := func(p float64) float64 { return v[int(math.Round(p*float64(len(v)-1)))] }
	if len(v) == 0 {
		return 0, 0, 0
	}
	return at(0.25), median, at(0.75)
}
