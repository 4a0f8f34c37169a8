// Package keep keeps recordings of the JVMs that a Collector samples: what `planflame report`,
// `diff` and `view` read.
//
//	sampler ──Sink──▶ Keeper ──▶ .spool/… ──recording.Trim──▶ SERVICE/APPLICATION-EXECUTOR-START/recording
//
// A JVM's recording has parts, each a recording by itself. While a part grows, all that the sampler
// reads goes into its spool. When it ends, the finisher writes of it what the samples of wanted
// queries need, and what the next part may need of it: code, methods, plans. A part ends with its
// application, with its JVM or with the Collector, and in between when it is old or large enough
// and no SQL execution runs.
//
// Invariants:
//   - The sampler's goroutine encodes and compresses, and never waits for a disk. Two goroutines
//     do: one writes spools, one finishes parts. At most maxPending bytes wait for the first.
//   - Spools and parts together have at most Settings.MaxBytes. The parts that ended first go
//     first.
//   - What cannot be kept costs samples of recordings, which are counted, and nothing else.
//   - Folders and files are their user's alone.
//   - A Collector that was killed leaves spools. The next one finishes them.
//
// The package must not import the Collector.
package keep
