package exporter

import (
	"maps"

	"github.com/planflame/planflame/exporter/convert"
)

// defaultProfileNames are the names under which Grafana's own agents push these sample types, so
// that process_cpu:cpu:nanoseconds:cpu:nanoseconds and the like are what one expects.
var defaultProfileNames = map[string]string{
	"cpu": "process_cpu", "samples": "process_cpu", "wall": "wall",
	"alloc_objects": "memory", "alloc_space": "memory", "inuse_objects": "memory", "inuse_space": "memory",
	"contentions": "mutex", "delay": "mutex",
	"goroutines": "goroutines", "goroutine": "goroutines",
}

// profileNames returns the defaults with the user's entries over them.
func profileNames(users map[string]string) map[string]string {
	names := maps.Clone(defaultProfileNames)
	maps.Copy(names, users)
	return names
}

// profileName is the name of a sample type: "cpu" → "process_cpu".
func profileName(names map[string]string, sampleType string) string {
	if n := names[sampleType]; n != "" {
		return n
	}
	return convert.LabelName(sampleType)
}
