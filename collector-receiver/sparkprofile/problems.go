package sparkprofile

// problems and events are the values of those attributes in metadata.yaml.
var problems = []string{
	"account_failed", "agent_dropped_plan", "agent_dropped_record", "agent_dropped_rows", "agent_dropped_source", "agent_dropped_thread",
	"agent_refused_control", "bad_plan", "bad_record", "bad_sample", "bad_source", "cut_execution", "disputed", "dropped_label", "early",
	"early_execution", "folded", "failed_execution", "forgotten_plan", "idle_execution", "incomplete_rows", "lost", "lost_end", "lost_start", "lost_times",
	"missed_task_event", "name_deferred", "name_failed", "nameless_execution", "no_stage", "outside_tasks", "overflow_series", "overflow_thread", "overflow_unit",
	"overrun", "pending", "pushed_out_query", "pushed_out_series", "refused_execution", "refused_unit", "surplus", "throttled", "truncated", "unknown_jvm", "unnamed_frame", "unnamed_method",
	"unplaced_python", "unplaced_rows", "weak",
}

var events = []string{
	"found", "gone", "refused", "lease_refused", "perf_open_failed", "scan_failed", "ring_damaged", "unjudged",
}
