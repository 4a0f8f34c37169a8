// Package phase groups queries whose CPU goes to the same kinds of operators.
//
//	mixes: CPU by kind of each query ──▶ shares ──▶ k-means, k = 1 … 20 ──▶ phases with names
//
// A phase is what Huang et al. (SimProf, IISWC 2017) call a cluster of units of work. They cluster
// units by methods and choose the smallest k that reaches 90 % of the best silhouette. Here a unit
// is a query, and its vector has the shares of operator kinds and of buckets.
//
// The same mixes and the same seed give the same phases on every machine. Products are rounded
// before they are added, so that no compiler fuses them, and nothing runs concurrently.
//
// Invariants: standard library only; nothing is known of Spark, of files or of clocks.
package phase
