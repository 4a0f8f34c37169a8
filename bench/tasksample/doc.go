// Tasksample measures how far estimates from sampled tasks are from the truth, and whether their
// intervals are as wide as they should be.
//
//	go run ./bench/tasksample -out build/bench/tasksample.json
//
// It works in parts (-parts). "offline" records real stages with every task at 1000 Hz under
// planflame run. It keeps the sequence of operators that the samples of each task show
// (build/bench/tasksample/NAME.tasks). Then it samples these sequences again, thousands of times
// for every policy: on other threads, with other phases of the clocks and another selection. The
// recording itself is the truth of its re-samplings, so nothing but the sampling can be wrong.
// "live" runs the same statements at the rates themselves, each design in a session of its own, and
// counts what they cost. "idle" runs them on Spark alone and under the two tiers, interleaved, and
// compares how the tasks filled the slots. "tiny" takes the samples of tasks of a millisecond over
// what they are worth from the test of package sampler that holds them against 1. Everything is
// drawn from -seed: the same recordings give the same figures.
package main
