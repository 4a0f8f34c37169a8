// Package shift keeps what each operator of each query cost, run by run, and finds the runs from
// which on an operator costs more. It is pure: no files, no clock, no goroutines.
//
// The judge is one mixed model. For operator j in run i of a query's plan:
//
//  1. y = a + b·x + l·c + e, with y the log of CPU, x the log of rows, c the run's common mode
//     (linear mixed model; Laird and Ware 1982).
//  2. b ~ N(0.95, 0.1²) and l ~ N(1, 0.13²): a, b and l are one ridge regression per operator, with
//     Huber's weights. Posterior variances of b and l enter every standard error. Beyond two
//     standard deviations of the baseline's common modes the variance of l is the prior's.
//  3. c is where the run's other operators agree: Tukey's bisquare about the weighted median,
//     shrunk to 0 by a t prior with 4 degrees of freedom.
//  4. Var e = τ² + v, with v known from sampling. τ² is moderated over the fleet (Smyth 2004). Only
//     the part τ0² of the prior's variance is uncertain, so an operator's prior degrees of freedom
//     are d0·((τ0² + v)/τ0²)², at most 25 (Satterthwaite 1946).
//  5. Errors of neighboring runs correlate by ρ in the part τ², by the fleet's moments corrected
//     for the baseline's length (Kendall 1954). ρ enters by a factor, not by generalized least
//     squares.
//  6. Runs in which executors are warm are the observations. If too few are, up to five young runs
//     in a row of the same executors are one observation.
//  7. The statistic is the mean standardized error of the newest 2, 3, 5, 10 or 20 observations
//     (Stouffer 1949) against the runs before. For drift, 5 or 10 are held against a frozen line.
//     From 10 on the variance is that within both samples.
//  8. p = Σ C(k,m)·ε^m·P(t > mean of the k-m least extreme): any m of k runs may be strays, which
//     happen with probability ε (gross-error mixture; Tukey 1960). The sum is a union bound, an
//     upper bound, since the order statistics are treated as fixed sets.
//  9. The level of one operator's test in one run is alarms a week over tests a week, split over
//     the windows (Bonferroni). That bounds the expected number of false alarms for any dependence.
//  10. A shift is over when the newest 1, 2, 3, 5 or 10 runs are nearer to the old line and refute
//     the shifted one. The level is three standard errors, and falls as the shift stands.
//
// A judgement reads a view of the history, fits the model to its runs, and returns what it found
// and what the history is to remember of it. Fleet writes that down in one place.
package shift
