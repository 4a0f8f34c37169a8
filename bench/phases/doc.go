// Phases measures how far planflame trial is from the truth, beside other ways to choose what to
// re-run.
//
//	go run ./bench/phases -out build/bench/phases.json
//
// It runs 64 statements, TPC-H's 22 and the 42 of package workload, under planflame run before and
// under each change (-conditions). All of them: so the truth is known, as far as one recording of
// each is. planflame trial plan reads the recordings as it reads users' recordings.
//
// Then it draws again and again (-draws), and each design estimates from its draw what the change
// costs all statements:
//
//   - random mean: a random draw, mean new cost × 64 (simple random sampling, as in SimProf)
//   - strata mean: phases as strata, Neyman's allocation by the spread of cost, mean new costs
//     (SimProf)
//   - top: the most expensive, their ratio
//   - random ratio: a random draw, ratio to the old cost
//   - cost ratio: in proportion to cost, ratio
//   - trial: the same with a ratio for each kind of operator, as planflame trial does it
//
// Condition rdd runs six jobs without SQL (harness) and asks which part of their task CPU has a
// stage or an operator for its place.
//
// A fleet of 2,000 queries is simulated from the mixes and changes that were measured, with sizes
// far apart. The same recordings and -seed give the same figures; -reuse takes recordings that are
// there.
package main
