// Package sampler samples the task threads of JVMs that carry planflame's agent and delivers what
// it reads, in order, to a Sink.
//
//	/proc → JVM → log (threads, records, task events) + perf rings → unwinding → Sink
//
// Rooms: jvmlog reads the shared memory, perfevent the rings, procfs finds JVMs, unwind makes
// stacks of samples. hotspot names the methods that the interpreter runs while they are alive.
// codemap names everything else later, for whoever consumes the stream. What a Sink gets, and in
// which order, stands in stream.go.
//
// Invariants:
//   - One goroutine, Run's, reads everything and calls the Sink; a timer empties the rings
//     while it is busy (lateDrain).
//   - A JVM is never made to wait: it is read, not asked. Nothing it can write into its memory may
//     stop or crash the sampler.
//   - Samples of runs that were not drawn, and what goes beyond a query's budget, are dropped
//     before they are unwound (runFilter). The stream says so in task events and samples, so that
//     weights follow.
//   - A JVM's samples are unwound within a round or two, while the code that they ran still stands
//     in its memory.
//   - Everything lost is counted in Stats or Totals.
//
// Threads that run no tasks are not sampled. Their place is attachThreads: it decides which thread
// slots get a ring.
//
// The package must not import attribution, the pipeline or the Collector.
package sampler
