// Command capacity measures how many executors of eight task threads one core of the Collector
// carries at the default rates, and what memory each takes.
//
// It records TPC-H's queries on real Spark with one task thread, at 500 Hz. BenchmarkCapacity of
// package sparkprofile then replays copies of that JVM at once, on one processor. Each of its task
// threads becomes eight, which draw their samples out of the recorded ones: 20 a second of CPU, and
// 220 in one task of twenty. Figures are of the most executors, and of the second half of the
// recording if they do not say otherwise:
//
//	executors_per_core             1 over the CPU seconds that an executor costs in a second
//	executors_per_core_with_start  of the whole recording: the JVMs' start is a large part of it
//	executors_at_quota             of 20 % of a core, the CPUQuota of the unit
//	memory_mb_per_executor         what the process's peak grows by for an executor
//	heap_mb_per_executor           what lives of it at the end
//	busy_task_threads              how many of an executor's eight run on average, whole recording
//	samples_per_second             of an executor, whole recording
//	us_per_sample                  CPU of the whole recording over its samples
//
// In the costs is what happens to an unwound sample, a record and a task's event: decoding records,
// naming, attribution, windows, OTLP's bytes, pprof's bytes and the metrics.
//
// Each executor has an application of its own, or -applications says how many there are. Executors
// of one application have the same plans and generated classes, which the Collector keeps once.
//
// What only a live JVM has is not in them: its rings, unwinding, symbol tables, the readings of
// /proc and HTTP; nor is the sampler's memory of it. So a real Collector carries fewer. Its whole
// cost for a sample is collector_us_per_sample of make bench-overhead.
//
// A local master's JVM also has the records of the driver, which executors lack. The least of three
// closely sampled partitions for each stage is left out: an executor of a large cluster runs few
// partitions of a stage.
package main
