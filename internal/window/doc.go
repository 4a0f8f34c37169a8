// Package window sums what a pipeline.Pipeline delivers, over a window of a Collector or over a
// whole run, and estimates what stages, operators and SQL executions cost.
//
// The way of the data:
//
//	pipeline.Pipeline ──Consumer──▶ Accumulator ──Take──▶ Profile
//
// An Accumulator implements all of pipeline's consumers. It keeps one set of sums for every JVM:
// CPU by labels and stack, totals, the statistics of units, the work of stages, the user's lines
// and the driver's times. Take returns them as a Profile and starts again at zero. What has not
// ended goes on: the statistics of open units and the costs of open executions reach over windows.
//
// # Shapes and units
//
//	Profile                  one Take: JVMs by id, Stages, Executions
//	└ JVMProfile             one application in one JVM
//	  ├ Entry                (labels, stack) → CPU
//	  ├ Stacks               stack → frames, leaf first; an Entry's Stack is a number in it
//	  ├ Totals               sums over tasks and over what runs beside them
//	  └ Known, Work, Times   what tasks and the driver told beside samples
//
// CPU is a time.Duration. Raw is the sum of the samples' weights, for the sampled tasks alone. CPU
// is an estimate for all tasks: calibrated, where Settings.Calibrate asks for it, to the CPU of the
// threads' own clocks, else provisional.
//
// # What adds up
//
//   - The CPU of the Entries of group tasks is Totals.TaskCPU, up to rounding, in a calibrated
//     Profile.
//   - The TaskCPU of windows adds up to the TaskCPU of the whole run. A task that spans windows
//     counts in each with what its samples said, and the rest when it ends.
//   - Each unit is in one Take's statistics once. The statistics of all windows and nodes, merged,
//     are the statistics of the stage.
//
// # What an SQL execution costs
//
//	TaskCPU, statistics of units, Rows, Outside of Python workers ──▶ ledger ──ExecutionOver──▶ Profile.Executions
//
// The statistics of a stage add over windows, so a JVM's part of an execution is estimated once,
// when it is over. What comes later is in the windows and in no execution (pipeline.TaskCPU.Late).
//
// # Ownership
//
// A Profile belongs to the caller, and the Accumulator does not write to it again; UserLines alone
// goes on to grow. An Accumulator is not safe for concurrent use: Take belongs on the goroutine
// that drives the Pipeline, or behind the caller's lock. Settings.MaxStacks bounds the stacks.
// Constants beside them bound the sums that outlive a window.
//
// The package may import pipeline, sampler's types, attribution's types and tasksample. It must not
// import the Collector.
package window
