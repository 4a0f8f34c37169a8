// Package trial tells what a change will cost all recurring queries from a few re-runs.
//
//	queries with their old cost ──▶ Plan ──▶ which to re-run, how sure that will be
//	re-runs under the change ──▶ AtOldRows ──▶ Judge ──▶ the fleet's change with its interval
//
// # The draw
//
// A query is drawn with a probability π in proportion to its old cost x, certainly if that reaches
// 1. A phase has its part of the draw on average. A larger draw contains the smaller, as long as
// the queries and their costs stay the same: the name of the trial decides all random numbers.
//
// # The estimate
//
// y is a query's cost under the change, w = 1/π. Every kind k of operators has its ratio R(k) = Σ
// w·y(k) / Σ w·x(k). Ratios are drawn towards the common one as far as what is seen of them is
// uncertain (DerSimonian and Laird 1986). A kind takes the common ratio if fewer than three re-runs
// of it are expected: whether its own counts must not depend on the draw. The fleet's cost is what
// these ratios predict from the known old costs, plus the weighted mean of what they miss in the
// re-runs. So a ratio that is drawn too far costs precision and causes no bias.
//
// The interval is Student's t of the linearized variance (Hájek's for one draw of fixed size).
// Each re-run is held against ratios that it had no part in, or few re-runs would look too alike.
// If the change is in few queries, a draw may have none of them, and its interval is too narrow.
//
// Invariants: pure functions of their arguments, standard library and gonum only. Nothing is known
// of Spark, of files or of clocks.
package trial
