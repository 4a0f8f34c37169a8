package shift

import "time"

// The constants of the model. Where no paper or measurement is named, shift/internal/simulate chose
// the value: its flag -without shows what each rule is worth (docs/measurements/shift.md).
const (
	// slopeMean and slopeSD are the prior of an operator's slope over log rows: cost grows nearly
	// as rows do (bench/shift, TPC-H queries at several scales).
	slopeMean = 0.95
	slopeSD   = 0.1
	// loadSD is how unlike operators are in what a slower run does to them: the standard deviation
	// of the loading about 1 (bench/shift: 0.13 over eleven operators).
	loadSD = 0.13
	// modeDF is the tail of the common mode's prior, a t: large common modes are believed.
	modeDF = 4
	// strayAt is how far above, in standard deviations, a run is a stray: nearer, the tail of a t
	// of runDF explains it.
	strayAt = 6
	// agreeAt is how near runs are to each other if they agree, in standard errors of their
	// difference, and agreeShare the level's part for windows whose runs do.
	agreeAt    = 3
	agreeShare = 0.8
	// runDF is the tail of one run's error: a t. A mean of k runs has k times the degrees of
	// freedom.
	runDF = 8
	// youngRuns is the number of runs after which an executor is warm: the JVM's compiler is done
	// (bench/shift and bench/accuracy: from the sixth run on as ever).
	youngRuns = 5
	// freshShare is the share of a run's CPU by executors that are not, from which the run is
	// young.
	freshShare = 0.1
	// warmShare is the share of the newest mostTested runs that must be warm for young ones to be
	// left out.
	warmShare = 0.35
	// coldSD is the standard deviation of the log of young runs about warm ones, before any are
	// known (bench/shift: 0.25 to 0.7). It weighs four runs.
	coldSD = 0.4
	// strayAgain is the probability that a run is a stray if one was within strayLasts before
	// (bench/shift: 6 of 33).
	strayAgain = 0.2
	strayLasts = 5 * time.Minute
	// pooledRuns is the length of windows from which on their own spread counts, too.
	pooledRuns = 10
	// threeSE is the level at which a shifted cost is refuted, and at which one run is slower as a
	// whole: three standard errors of a normal.
	threeSE = 0.00135
	// movedSE is by how many standard errors an operator changed if it gave cost to another one.
	movedSE = 5
	// besideShare is the part of an operator's change that attribution may book on others of its
	// stage (bench/accuracy: 3.9 % at most).
	besideShare = 0.04
	// commonFar is how often a run strays as a whole: cold caches, a busy neighbor.
	commonFar = 0.02
	// hostLevel is the level of a host's test: an event of its own, that pages no one.
	hostLevel = 1e-4
)

// windows are the tests of an operator: how many of the newest observations are held against the
// line before the newest hold of them, and the part of the level. They halve, so that early windows
// have most.
var windows = [...]struct {
	runs, hold int
	share      float64
}{
	{2, 5, 1. / 2}, {3, 5, 1. / 4}, {5, 5, 1. / 8}, {10, 20, 1. / 16}, {20, 20, 1. / 32},
	{5, frozen, 1. / 64}, {10, frozen, 1. / 64},
}

const (
	mostSudden = 5  // observations held out for the short windows
	mostTested = 20 // … and for the long ones
	frozen     = -1 // stands for the frozen line
)
