// Package session runs a bench's statements on real Spark under planflame and joins, execution by
// execution, what planflame says with what Spark's own task metrics say.
//
//	Spec ──▶ test/jobs/passes.py under `planflame run` ──▶ profile.pb.gz  (operators' CPU)  ──┐
//	                                            └──▶ event log       (tasks' CPU)       ──┴──▶ []Execution
//
// The truth comes from Spark alone: executorCpuTime and executorDeserializeCpuTime of the tasks in
// the event log.
package session
