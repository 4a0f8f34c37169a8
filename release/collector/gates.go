//go:build ignore

// Copied into the generated main package of the Collector by scripts/build-collector.

package main

import "go.opentelemetry.io/collector/featuregate"

// Profiles are alpha in the Collector: without this gate it refuses every profiles pipeline. The
// flag --feature-gates=-service.profilesSupport still turns the gate off.
func init() {
	if err := featuregate.GlobalRegistry().Set("service.profilesSupport", true); err != nil {
		panic(err)
	}
}
