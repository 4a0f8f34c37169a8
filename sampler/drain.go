package sampler

import (
	"errors"
	"time"
)

// mostLogFill is how full the JVM's log may become before it is read: the agent drops records that
// find no room, and task events are overwritten.
const mostLogFill = 0.25

// drain does between two rounds what cannot wait: it empties the rings, gives new threads theirs,
// and follows the tasks where rates depend on them. It sees to it that the round comes at once if
// samples cannot wait either: stacks deeper than their copy, which go on in the thread's own
// memory, or many. So it does if the JVM's log fills up.
func (j *jvm) drain(now time.Time) {
	if !now.Before(j.due) {
		return // the round does all that
	}
	j.rings.drain()
	if j.slots.Changed(j.log) {
		j.attachThreads(now)
	}
	if j.settings.Rates != nil || j.switches() {
		if err := errors.Join(j.readEvents(), j.adjust(now)); err != nil {
			j.due = now // which meets it again, and says so
		}
	}
	if j.rings.urgent() || j.log.Fill(j.nextRecord, j.nextEvent) > mostLogFill {
		j.due = now
	}
}

// drainInterval is the time to the next drain that this JVM can do with, up to the longest. It is
// what its rings hold without becoming more than half full, whatever its threads do. It is the set
// one while stacks go on beyond their copy, and the longest while its threads rest. Where detail
// clocks are switched here, tasks wait for it. Tasks of a running job wait less long than the first
// ones after a pause.
func (j *jvm) drainInterval(longest time.Duration) time.Duration {
	least := j.settings.DrainInterval
	if j.rings.hurried() {
		return least
	}
	if j.rests() {
		return longest
	}
	next := j.rings.holdFor() / 2
	if j.info.Mode == ModeSelfOpened { // the agent gives rings to threads that are not known here yet, whose periods are a little longer or shorter
		base, detail := j.rates.periods()
		next = min(next, holdsFor(j.settings.RingPages, j.settings.StackBytes, base, detail)/2)
	}
	if j.switches() {
		late := 5 * least
		if len(j.rates.running) > 0 {
			late = 2 * least
		}
		next = min(next, late)
	}
	return min(max(next, least), longest)
}

// switches reports whether detail events are switched by this sampler, as tasks begin and end.
func (j *jvm) switches() bool {
	return j.info.Mode == ModePrivileged && j.settings.BasePeriod != NoBase && j.settings.DetailPeriod != 0
}

// The slots are looked at between drains, too, until the first task thread comes, but for
// quickAtFirst at most, which is when Spark starts. They are for quickAfter after every new task
// thread, too: pools grow all at once. Later that would only wake this process, a hundred times a
// second.
const (
	quickAtFirst = time.Minute
	quickAfter   = 5 * time.Second
)

// hasQuick reports whether quick has to be called between rounds.
func (j *jvm) hasQuick(now time.Time) bool {
	return j.info.Mode == ModePrivileged && now.Before(j.quickUntil)
}

// quick does between rounds what cannot wait, and reports whether a round is due. In privileged
// mode a thread's first task is not sampled before its event is open.
func (j *jvm) quick(now time.Time) (due bool) {
	if j.hasQuick(now) && j.slots.Changed(j.log) {
		j.attachThreads(now)
	}
	return j.reading.isComparing(now) && !now.Before(j.due)
}
