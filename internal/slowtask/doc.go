// Package slowtask gives package skew what drivers and executors report of tasks, and judges the
// stages of a JVM as they end.
//
//	window.Times ──▶ Book ──skew.Judge──▶ []Slow: slow tasks with their query
//
// A whole run converts its tasks with Task and judges the job at once (cmd/planflame). A Collector
// has one Book for each driver's JVM. Both ask Told which dwells blame a record.
//
// The package may import pipeline, window, skew and tasksample. It must not import the Collector.
package slowtask
