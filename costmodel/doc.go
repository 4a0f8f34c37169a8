// Package costmodel answers three questions about the cost of a Spark query: what an operator
// usually costs, why one run cost more than another, and what more cores would buy.
//
//	Cost:     kind and features of an operator ──Model.Usual──▶ CPU a row, as a distribution
//	Bridge:   the operators of two runs        ──Split──▶ rows, plan, whole run, code
//	Enough:   a schedule                       ──replays──▶ slots beyond which more are of no use
//
// The package knows values alone: no Spark, no files, no recordings. Adapters are
// cmd/planflame's. Nothing in it is safe for concurrent change; all functions may be called
// concurrently, for they change no argument.
package costmodel
