// Package workload has the statements that several benches run: the queries of TPC-H, and the
// planner's less common operators over the same tables.
package workload
