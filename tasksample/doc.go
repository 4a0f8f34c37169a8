// Package tasksample holds the vocabulary of Spark's tasks and the estimators that turn samples into CPU seconds.
//
// It is the leaf of the module: it imports the standard library only, and every other room may import it.
package tasksample
