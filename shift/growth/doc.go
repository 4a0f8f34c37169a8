// Package growth finds the stack that changed most when an operator became more expensive or
// cheaper. It is the path from the operator's frame inwards. At each step one callee holds half of
// the change or more, as far as the samples bear it out.
//
//	stacks of a run ──▶ Tree ──▶ Run ──┐
//	stacks of a run ──▶ Tree ──▶ Run ──┼──Changed(was, is, from, to)──▶ the path, and what it cost a run before and since
//	…                                  ┘
//
// A Tree is a calling context tree (Ammons, Ball, Larus 1997) of one operator in one run. The
// caller says what a run cost before and since, and which runs are on which side. Who judges costs
// knows about rows, what all operators of a run had in common, and runs that are like no others.
// The trees tell how a cost was spread over stacks.
//
// Invariants:
//   - A Tree that was pruned has at most as many nodes as it was told, and the same total: what was
//     pruned counts as its caller's own.
//   - Nothing is told that is less than three standard errors from no change. The errors are from
//     sampling, or from how runs of one side differ if that is more.
//
// Nothing here is safe for concurrent use.
package growth
