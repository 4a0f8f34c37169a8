//go:build ignore

// Copied into the generated main package of the Collector by scripts/build-collector.

package main

import (
	"os"
	"runtime/debug"
)

// The Collector's heap may grow by half before it is collected, and not by all of it: less memory
// for some CPU. GOGC in the environment says otherwise.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50)
	}
}
