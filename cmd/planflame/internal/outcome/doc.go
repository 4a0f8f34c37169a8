// Package outcome turns the profile of a whole run into what people and programs read:
// summary.json, profile.pb.gz and the table.
//
//	window.Profile ──▶ Summarize ──▶ Summary ──▶ summary.json, table
//	              └──▶ Pprof ──▶ profile.pb.gz
//	columns.Report ──▶ Selected ──▶ Summary ──▶ table
//
// Invariant: the CPU of all operators and of all buckets of a Summary adds up to its
// task_cpu_seconds.
package outcome
