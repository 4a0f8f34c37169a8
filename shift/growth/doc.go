// Package growth finds, where an operator has become dearer or cheaper, the stack that changed most: the path from the operator's frame inwards that holds the
// larger part of the change at each step, as far as the samples bear it out.
//
//	stacks of a run ──▶ Tree ──┐
//	stacks of a run ──▶ Tree ──┼─▶ History of one operator ──Change(since, from, to)──▶ the path, and what it cost before and after
//	…                          ┘
//
// A Tree is a calling context tree (Ammons, Ball, Larus 1997) of one operator, a History the trees of its runs: the newest one by one, older ones together
// in ever larger groups, as in an exponential histogram (Datar, Gionis, Indyk, Motwani 2002). So the runs on both sides of a shift are known apart
// for a recent shift exactly and for an older one nearly, in bounded memory.
//
// What a run cost as a whole is the caller's to say (it knows rows, and what all operators of a run had in common); the trees tell how it was spread over stacks.
//
// Invariants:
//   - A Tree that was pruned has at most as many nodes as it was told, and the same total: what was pruned counts as its caller's own.
//   - Nothing is told that is less than three standard errors from no change, by sampling alone: what runs differ in beside that is not known here.
//
// Nothing here is safe for concurrent use.
package growth
