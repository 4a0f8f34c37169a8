// Package slowtask gives package skew what drivers and executors report of tasks.
//
// The package may import pipeline, window, skew and tasksample. It must not import the Collector.
package slowtask
