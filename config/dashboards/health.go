package dashboards

// receiver begins the names of the receiver's own metrics.
const receiver = "otelcol_receiver_spark_profile_"

func rateOf(metric, labels string) string {
	return "rate(" + metric + "{" + labels + "}[$__rate_interval])"
}

// health is the row that says whether the profiler is well. All in it is the Collectors', of all
// owners together.
func health() row {
	return row{"Is the profiler well?", []line{
		{8, []*Panel{
			curves("Samples that are not as they should be", "By what is wrong with them; those that are lost or overrun are gone, all others count.", unitPerSecond,
				over("sum by (problem) ("+rateOf(receiver+"problems", "")+")", "{{problem}}")),
			curves("Samples × period over CPU", "Uncalibrated samples against the threads' own clocks: far from 1, clocks are off or tasks are not sampled. What a hypervisor takes is in the samples alone. Without runs that were not drawn.", unitRatio,
				over("sum("+rateOf(receiver+"sampled_cpu", "")+") / (sum("+rateOf(receiver+"task_cpu", "")+") - (sum("+rateOf(receiver+"left_out_cpu", "")+") or vector(0)) > 0)", "samples × period / task CPU")),
			curves("JVMs", "Read now; waiting, as they start or another reader holds them; and processes that may not be looked into.", unitCount,
				over("sum by (state) ("+receiver+"jvms)", "{{state}}")),
		}, nil},
		{8, []*Panel{
			curves("What profiling costs", "CPU of the agents' threads in the JVMs and of the Collectors, over the tasks' CPU. What samples cost the task threads themselves is not in it.", unitShare,
				over("sum("+rateOf(receiver+"agent_cpu", "")+") / (sum("+rateOf(receiver+"task_cpu", "")+") > 0)", "agents"),
				over("sum(rate(otelcol_process_cpu_seconds[$__rate_interval])) / (sum("+rateOf(receiver+"task_cpu", "")+") > 0)", "Collectors")),
			curves("Memory of Collectors", "Resident memory of each Collector.", unitBytes, over("otelcol_process_memory_rss", "{{instance}}")),
			curves("Not delivered", "Windows that the next component refused, samples that Pyroscope did not take and that are not tried again, failures of the history of costs. And what waits.", unitCount,
				over("sum(increase("+receiver+"refused_windows[$__rate_interval]))", "refused windows"),
				over("sum(increase(otelcol_exporter_pyroscope_dropped_samples[$__rate_interval]))", "dropped samples"),
				over("sum(increase(otelcol_connector_spark_shift_failures[$__rate_interval]))", "failures of spark_shift"),
				over("sum(otelcol_exporter_queue_size)", "waiting")),
		}, nil},
		{8, []*Panel{
			curves("CPU of JVMs beside tasks", "Garbage collection, compilers, shuffle, the driver …: exact, by /proc. Only the threads that feed Python workers count for queries, too.", unitCores,
				over("sum by (part) ("+rateOf(receiver+"jvm_cpu", `part!="tasks"`)+")", "{{part}}")),
			curves("Runs of queries", "Runs that the connector spark_shift took in: judged against their history, or why not.", unitPerSecond,
				over("sum by (outcome) (rate(otelcol_connector_spark_shift_runs[$__rate_interval]))", "{{outcome}}")),
		}, nil},
	}}
}
