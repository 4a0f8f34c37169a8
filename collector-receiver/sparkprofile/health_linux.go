package sparkprofile

import (
	"context"
	"fmt"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componentstatus"
	"go.uber.org/zap"

	"github.com/planflame/planflame/sampler"
)

// Bounds of a stall, in looks at the sampler in which no round had ended since the look before.
// Looks are counted and not seconds: while the whole process stands still (a frozen cgroup,
// SIGSTOP, a paused machine), no one looks.
const (
	stalledLooks = 3 // the component is degraded
	stuckLooks   = 6 // it will not mend itself: a restart has to
)

// leastCheck is the least time between two looks. Rounds come every second, but with the unit's
// CPUQuota of 20 % a round that takes in a large plan lasts some seconds.
const leastCheck = 5 * time.Second

// checkInterval is the time between two looks: long enough that a round ends in between, JVMs or
// not.
func checkInterval(s sampler.Settings) time.Duration {
	return max(leastCheck, s.RoundInterval, s.ScanInterval)
}

// health judges one look at the sampler after the other.
type health struct {
	rounds uint64 // at the last look
	still  int    // looks since a round ended
	stuck  bool   // told, for good
}

// look returns the status that totals show. Text of an error says what is wrong and what to do.
//
// A stall is a recoverable error first. One that lasts is a permanent error, which by the
// Collector's rules nothing but a restart ends: liveness hangs on it. JVMs that cannot be read are
// a recoverable error however long they are there, for a restart brings no rights.
func (h *health) look(now sampler.Totals, every time.Duration) *componentstatus.Event {
	if now.Rounds == h.rounds {
		h.still++
	} else {
		h.still = 0
	}
	h.rounds = now.Rounds
	switch {
	case h.stuck || h.still >= stuckLooks:
		h.stuck = true
		return componentstatus.NewPermanentErrorEvent(errStall(stuckLooks * every))
	case h.still >= stalledLooks:
		return componentstatus.NewRecoverableErrorEvent(errStall(stalledLooks * every))
	case now.Unreadable > 0 && now.Live+now.Waiting+now.Left == 0:
		return componentstatus.NewRecoverableErrorEvent(errUnreadable(now.Unreadable))
	}
	return componentstatus.NewEvent(componentstatus.StatusOK)
}

func errStall(since time.Duration) error {
	return fmt.Errorf("no sampling round ended for %s: nothing is profiled; restart the Collector", since)
}

func errUnreadable(n int) error {
	return fmt.Errorf("none of %d JVMs can be read: give CAP_SYS_PTRACE and CAP_PERFMON or run as their user; planflame doctor --pid PID says what is missing", n)
}

// watch reports the receiver's status whenever it changes, until ctx ends.
func (r *sparkProfile) watch(ctx context.Context, hosts []component.Host) {
	tick := time.NewTicker(r.checks)
	defer tick.Stop()
	var h health
	told := componentstatus.NewEvent(componentstatus.StatusOK) // what the Collector reports when Start returns
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := h.look(r.sampler.Peek(), r.checks)
		if now.Status() == told.Status() && text(now) == text(told) {
			continue
		}
		told = now
		for _, host := range hosts {
			componentstatus.ReportStatus(host, now)
		}
		go r.say(now) // a log that blocks is one of the stalls that are looked for
	}
}

func (r *sparkProfile) say(now *componentstatus.Event) {
	if err := now.Err(); err != nil {
		r.log.Warn("the receiver is degraded", zap.Error(err))
		return
	}
	r.log.Info("the receiver is well again")
}

func text(e *componentstatus.Event) string {
	if e.Err() == nil {
		return ""
	}
	return e.Err().Error()
}
