package sparkprofile

import "runtime/debug"

// gcPercent is how much Go's heap may grow over what lives before it is collected. Most of a receiver's heap are tables that live as long
// as their JVMs, a third of them without pointers, and little is allocated for a sample: the usual 100 would mostly reserve memory.
const gcPercent = 50

// collectSooner has the process's garbage collected at gcPercent, unless its environment says when (GOGC, GOMEMLIMIT). restore takes that back.
func collectSooner(env func(string) string) (restore func()) {
	if env("GOGC") != "" || env("GOMEMLIMIT") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(gcPercent)
	return func() { debug.SetGCPercent(before) }
}
