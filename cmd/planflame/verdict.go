package main

import (
	"fmt"
	"strings"

	"github.com/planflame/planflame/sampler"
)

// Names of checks that decide.
const (
	checkOwnThreads = "perf events on own threads"
	checkKernelTime = "perf events with kernel samples"
	checkPluginJar  = "plugin jar"
	checkOfJava     = "java"
)

// verdict is what a user wants to know of all checks. ok is false if nothing can be sampled.
func verdict(checks []sampler.Check, pid int) (text string, ok bool) {
	named := map[string]sampler.Check{}
	for _, c := range checks {
		named[c.Name] = c
	}
	if pid != 0 {
		return verdictOfJVM(named, fmt.Sprintf("pid %d: ", pid))
	}
	const privileged, self = "yes, mode privileged; kernel time by operator", "yes, mode self; kernel time as a sum"
	switch {
	case !named[checkOwnThreads].OK && !named[checkKernelTime].OK:
		return "You can profile: " + no(named[checkOwnThreads]), false
	case !named[checkPluginJar].OK:
		return "You can profile: " + no(named[checkPluginJar]), true
	case !named[checkOfJava].OK:
		return "You can profile: " + no(named[checkOfJava]), true
	case named[checkKernelTime].OK:
		return "You can profile: " + privileged, true
	}
	return "You can profile: " + self, true
}

// verdictOfJVM is the verdict on one JVM: its agent's memory can be read, and one of the modes
// works.
func verdictOfJVM(named map[string]sampler.Check, prefix string) (text string, ok bool) {
	memory, privileged, self := named[prefix+"planflame's memory"], named[prefix+"privileged mode"], named[prefix+"self-opened mode"]
	text = "This JVM can be profiled: "
	switch {
	case !memory.OK:
		return text + no(memory), false
	case privileged.OK:
		return text + "yes, mode privileged; kernel time by operator", true
	case self.OK:
		return text + "yes, mode self; kernel time as a sum", true
	}
	return text + no(self), false
}

// no says what is missing and what mends it.
func no(c sampler.Check) string {
	out := "no, " + c.Name + ": " + c.Detail
	if c.Mend != "" {
		out += "; mend: " + c.Mend
	}
	return strings.TrimSpace(out)
}
