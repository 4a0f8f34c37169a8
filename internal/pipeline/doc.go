// Package pipeline joins what a sampler reads from Spark JVMs into samples that carry a query, a
// stage and an operator.
//
// The way of the data:
//
//	sampler.Sampler | recording.Reader ──Sink──▶ Pipeline ──Consumer──▶ window.Accumulator
//
// A Pipeline keeps, for every JVM: the code map (address → frames), the tasks that ran on each
// thread, the plans of SQL executions, the accumulators of stages and an attributor. Samples are
// held back until the JVM's watermark has passed them by Settings.Hold. Code, sources, plans and
// stages are written a little after they are first used. Then each sample is named, given to its
// task and its operator, and delivered.
//
// A sample's execution, stage and task are those that ran. Its query, its plan and the place of its
// stage come from the plan in which its operator stands. A stage may run code of other executions'
// plans (places.go), which its accumulators tell. A bucket goes with the execution that ran.
//
// Invariants:
//   - Every sample that enters leaves exactly once, as a Labelled; what is not known stands in a
//     named bucket, never dropped.
//   - Every drop of knowledge (plans that did not parse, samples labelled early because memory was
//     short) is counted in Counts.
//   - The CPU of a task attempt is its thread's own, from the end of the previous task on that
//     thread to its own end. The sum over tasks is the threads' CPU. What ran before the thread's
//     perf event was opened is known, but was not sampled.
//
// What a Consumer receives is its own, but for Labelled.Frames, which hold until Sample returns. A
// Pipeline and its Consumer run on one goroutine at a time.
//
// # What runs beside the tasks
//
// An Accountant reads from /proc what the JVM's other threads and its child processes use: exact,
// without samples, apart from the tasks.
//
//	/proc ──procfs──▶ Accountant ──Account──▶ Pipeline ──Outside──▶ OutsideConsumer
//
// It stands in groups of its own (Labels.Group). GroupThreads: the JVM's process less its task
// threads, by classes of names. What the process's clock has and no reading saw on a thread is a
// bucket too, so the sum is exact. GroupChildren: Python workers under the plan node that they work
// for, as far as it can be told (python.go), the others in buckets. Neither counts toward
// Totals.TaskCPU or calibration: task threads report their own CPU, and Spark's task CPU excludes
// Python workers. Workers' CPU, and the CPU of the threads that feed them in Spark 3.5, does count
// for the cost of its query, operator and execution, beside the tasks'.
//
// # When an SQL execution is over
//
// An execution is over for a JVM when the driver said so, when the JVM ended, or (agents before
// 1.2) when no task came for Settings.ExecutionIdle. ExecutionConsumer.ExecutionOver comes after
// all that was held back of it. What comes later is marked (TaskCPU.Late).
//
// # The operator frame
//
// A flame graph of fused code shows one method for many operators. So a stack gets one synthetic
// frame, named after the operator (or the bucket, in brackets), on the caller's side of the code
// that decided the verdict. If a generated frame decided, it stands outside of all generated frames
// that surround that frame without a foreign frame between. If another frame decided, it stands
// outside of that frame itself. If no frame decided, it stands at the root. The width of such a
// frame in an icicle graph is the operator's cost in that place.
//
// The package may import sampler, attribution, tasksample and semconv. It must not import window,
// which sums what it delivers, or the Collector.
package pipeline
