//go:build ignore

// Copied into the generated main package of the Collector by scripts/build-collector.

package main

import "go.opentelemetry.io/collector/featuregate"

// Profiles are alpha in the Collector: without the first gate it refuses every profiles pipeline.
// Without the second, health_check says that all is well whatever components report. The flag
// --feature-gates=-NAME still turns a gate off.
func init() {
	for _, gate := range []string{"service.profilesSupport", "extension.healthcheck.useComponentStatus"} {
		if err := featuregate.GlobalRegistry().Set(gate, true); err != nil {
			panic(err)
		}
	}
}
