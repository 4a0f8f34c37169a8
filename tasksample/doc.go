// Package tasksample holds the vocabulary of Spark's tasks, says which of them are sampled how
// closely, and turns samples into CPU seconds with an honest error.
//
//	Policy ──▶ Rates ──▶ Selection (which partitions get the detail rate)
//	SelectRun (which runs are sampled at all), QueryBudget ──▶ Thinning (which samples of a query are kept)
//	samples and ends of attempts ──▶ Recorder ──▶ Stage (additive statistics) ──Merge──▶ Stage ──▶ Estimate ──▶ Result
//	estimates of a recurring query's runs ──▶ Runs ──▶ Result
//
// A unit is a partition of a stage with all its attempts. Every unit's CPU is known from its
// threads' own clocks; samples only tell how it divides among keys (operators, stacks). A sample
// weighs 1 / (the rate in force when it was taken).
//
// Invariants:
//   - Statistics add: over units, windows, executors, nodes and days. Each unit enters them once,
//     when it is finished; what still runs is provisional and has no interval. Variances come out
//     of the sums at the end, so they add over units, never over windows.
//   - Whatever decides about rates looks at the CPU of all tasks, never at what samples show.
//   - Estimates of a stage, with what no sample speaks for, sum to its known CPU.
//
// # Domain of validity
//
// With a base rate every unit speaks for itself. The intervals then always hold, unless more than
// 5 % of the CPU is in tasks whose clock could not be started. Pure task sampling (base_hz 0) needs
// at least 5 sampled units in each class of units of like CPU that holds 5 % of the stage's CPU or
// more. Otherwise the CPU of the unseen units widens the intervals, and Result.Valid is false.
// Units of like CPU that do other work and are rare among their like are beyond what any such rule
// can see.
//
// docs/how-it-works/estimation.md has the formulas, docs/measurements/sampling.md what was
// measured. The package is the leaf of the module: it imports the standard library and gonum only,
// and every other room may import it.
package tasksample
