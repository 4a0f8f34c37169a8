package main

// quota is the CPUQuota of config/systemd/planflame-collector.service.
const quota = 0.2

// figures computes what one core carries from the replay of the most executors, and memory from the
// difference to the replay of the fewest.
func figures(replays []replay) map[string]float64 {
	first, last := replays[0], replays[len(replays)-1]
	n := float64(last.Executors)
	perCore := n * last.RecordedWarm / last.CPUWarm
	out := map[string]float64{
		"executors_per_core":            perCore,
		"executors_per_core_with_start": n * last.Recorded / last.CPU,
		"executors_at_quota":            quota * perCore,
		"samples_per_second":            last.Samples / n / last.Recorded,
		"busy_task_threads":             last.Busy,
		"us_per_sample":                 last.CPU * 1e6 / last.Samples,
	}
	if more := float64(last.Executors - first.Executors); more > 0 {
		out["memory_mb_per_executor"] = (last.Peak - first.Peak) / more
		out["heap_mb_per_executor"] = (last.Heap - first.Heap) / more
	}
	return out
}
