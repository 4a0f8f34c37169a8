package exporter

import "github.com/planflame/planflame/exporter/convert"

// profileNames are the names under which Grafana's own agents push these sample types, so that
// process_cpu:cpu:nanoseconds:cpu:nanoseconds and the like are what one expects.
var profileNames = map[string]string{
	"cpu": "process_cpu", "samples": "process_cpu", "wall": "wall",
	"alloc_objects": "memory", "alloc_space": "memory", "inuse_objects": "memory", "inuse_space": "memory",
	"contentions": "mutex", "delay": "mutex",
	"goroutines": "goroutines", "goroutine": "goroutines",
}

// profileName is the first word of Pyroscope's profile type: "cpu" → "process_cpu".
func profileName(sampleType string) string {
	if n := profileNames[sampleType]; n != "" {
		return n
	}
	return convert.LabelName(sampleType)
}
