package main

import (
	"os"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// Thresholds above which a count is worth a line after a run.
const (
	adviseLost      = 0.01 // of the samples
	adviseTruncated = 0.05
)

// advise says what made the results worse than they could be, a line each, with what mends it.
func (a *analysis) advise() {
	s := a.summary
	switch {
	case s.Samples == 0 && a.sampler.AgentControlRejections > 0:
		say("no samples were taken of %d tasks: the agent in the JVM refused our settings %d times; is it another version?", a.totals.Tasks, a.sampler.AgentControlRejections)
	case s.Samples == 0 && a.totals.Tasks > 0:
		say("no samples were taken of %d tasks, so nothing is known of operators: planflame doctor says why", a.totals.Tasks)
	case s.Samples == 0:
		say("no task ran")
	}
	if n := float64(s.Samples); n > 0 {
		if float64(s.LostSamples) > adviseLost*n {
			say("%d of %d samples were lost, because a ring was full or too many waited: lower --hz, or raise ulimit -l", s.LostSamples, s.Samples)
		}
		if float64(s.TruncatedStacks) > adviseTruncated*n {
			hint := ""
			if a.flags&jvmlog.FlagPreserveFramePointer == 0 {
				hint = "; -XX:+PreserveFramePointer may help"
			}
			say("%d of %d stacks are not whole%s", s.TruncatedStacks, s.Samples, hint)
		}
	}
	if n := a.sampler.AgentDroppedRecords; n > 0 {
		say("%d records of code and plans (%d KiB) found no room in the JVM's memory, so their frames have no names: raise spark.planflame.log.mib",
			n, a.sampler.AgentDroppedBytes>>10)
	}
	if n := a.sampler.AgentDroppedSources; n > 0 {
		say("the source of %d generated classes was gone before it was read, so their operators are not known: "+
			"raise spark.sql.codegen.cache.maxEntries", n)
	}
	if n := a.sampler.AgentDroppedThreads; n > 0 {
		say("%d threads found no slot in the JVM's memory and were not sampled", n)
	}
	if a.flags&jvmlog.FlagDebugNonSafepoints == 0 && a.totals.Tasks > 0 {
		say("a JVM ran without -XX:+DebugNonSafepoints, so lines are coarse: its own options switch that off")
	}
	if a.skipped > 0 {
		say("%d entries of the recording were left out: a newer planflame wrote it", a.skipped)
	}
	if a.counts.LostSpill > 0 {
		say("%d samples beyond memory could not be kept in %s", a.counts.LostSpill, os.TempDir())
	}
	if a.counts.Pending > 0 {
		say("%d samples had no plan", a.counts.Pending)
	}
}
