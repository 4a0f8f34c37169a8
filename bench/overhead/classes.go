package main

import (
	"strings"
	"time"
)

// Classes of threads, by what of a session's CPU planflame can change.
const (
	classTasks   = "tasks"
	classC1      = "C1"
	classC2      = "C2"
	classGC      = "GC"
	classService = "Service Thread" // HotSpot's, which delivers compiled methods to the agent
	classAgent   = "planflame-agent"
	classPoller  = "planflame-poller"
	classPlans   = "planflame-plans"
	classRest    = "rest" // the driver's threads, Python, and what ended unread
)

// class of a thread.
func (t thread) class() string {
	switch {
	case t.isTask():
		return classTasks
	case strings.HasPrefix(t.comm, "C1 "):
		return classC1
	case strings.HasPrefix(t.comm, "C2 "):
		return classC2
	case strings.HasPrefix(t.comm, "GC "), strings.HasPrefix(t.comm, "G1 "):
		return classGC
	case t.isService():
		return classService
	case t.isAgent():
		return classAgent
	case t.isPoller():
		return classPoller
	case t.isPlans():
		return classPlans
	}
	return classRest
}

// seenThread is what was read of one last: a task thread's name changes with what it does.
type seenThread struct {
	class string
	cpu   time.Duration
}

// byClass sums what was seen of threads by their ids; the rest is what total has beyond them.
func byClass(seen map[int]seenThread, total time.Duration) map[string]time.Duration {
	out := map[string]time.Duration{}
	rest := total
	for _, t := range seen {
		if t.class != classRest {
			out[t.class] += t.cpu
			rest -= t.cpu
		}
	}
	out[classRest] = rest
	return out
}

// threadPoller reads the CPU of a process's threads again and again: a thread's is gone with it, so
// what it used after the last look is lost.
type threadPoller struct {
	stop chan struct{}
	seen chan map[int]seenThread
}

// pollThreads begins; close ends it, when the process has ended too.
func pollThreads(pid int) *threadPoller {
	p := &threadPoller{stop: make(chan struct{}), seen: make(chan map[int]seenThread, 1)}
	go func() {
		tick := time.NewTicker(250 * time.Millisecond)
		defer tick.Stop()
		seen := map[int]seenThread{}
		for {
			select {
			case <-p.stop:
				p.seen <- seen
				return
			case <-tick.C:
			}
			now, err := threadCPU(pid)
			if err != nil {
				continue // it is ending
			}
			for t, cpu := range now {
				seen[t.tid] = seenThread{t.class(), cpu}
			}
		}
	}()
	return p
}

// close returns the last that was seen of each thread.
func (p *threadPoller) close() map[int]seenThread {
	close(p.stop)
	return <-p.seen
}
