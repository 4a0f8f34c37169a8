// Package usualcost holds the cost model that planflame ships, and describes operators to a model
// by their plan nodes.
//
//	a plan's node, rows, tasks ──Node.Describe──▶ costmodel.Operator ──Model.Predict──▶ usual CPU
//	operators that this host has run ──Book.Learn──▶ speed of the host ─┘
//
// Recordings and Collectors describe operators the same way, so a model that is fitted on
// recordings predicts for both. The package may import costmodel.
package usualcost
