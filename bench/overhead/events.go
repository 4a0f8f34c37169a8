package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/planflame/planflame/sampler/perfevent"
)

// events are perf events on some threads, drained by a goroutine of their own, as a Collector
// would, but without looking at what they say.
type events struct {
	open    []*perfevent.Event
	handler perfevent.Handler
	stop    chan struct{}
	stopped chan struct{}
	counts  perfevent.Counts // valid when stopped is closed
}

// drainInterval keeps the largest ring from filling at 8 kHz.
const drainInterval = 3 * time.Millisecond

// openEvents opens one event for each thread.
func openEvents(tids []int, spec perfevent.Spec, handler perfevent.Handler) (*events, error) {
	e := &events{handler: handler, stop: make(chan struct{}), stopped: make(chan struct{})}
	for _, tid := range tids {
		event, err := perfevent.Open(tid, spec)
		if err != nil {
			return nil, errors.Join(err, e.closeAll())
		}
		e.open = append(e.open, event)
	}
	go e.drain()
	return e, nil
}

func (e *events) drain() {
	defer close(e.stopped)
	tick := time.NewTicker(drainInterval)
	defer tick.Stop()
	var r perfevent.Reader
	for {
		select {
		case <-e.stop:
			e.round(&r)
			return
		case <-tick.C:
			e.round(&r)
		}
	}
}

func (e *events) round(r *perfevent.Reader) {
	for _, event := range e.open {
		c := r.Read(event, e.handler)
		e.counts.Samples += c.Samples
		e.counts.Lost += c.Lost
		e.counts.Throttle += c.Throttle
	}
}

// close ends them and returns the samples that the kernel took.
func (e *events) close() (samples int, err error) {
	close(e.stop)
	<-e.stopped
	if e.counts.Throttle > 0 {
		err = fmt.Errorf("the kernel throttled %d times: the rate is too high for this machine", e.counts.Throttle)
	}
	return e.counts.Samples + int(e.counts.Lost), errors.Join(err, e.closeAll())
}

func (e *events) closeAll() error {
	var err error
	for _, event := range e.open {
		err = errors.Join(err, event.Close())
	}
	return err
}

// eventSpec is the event that the sampler opens at a rate, with a ring that a slow drain does not
// overrun.
func eventSpec(hz, stackBytes int) perfevent.Spec {
	return perfevent.Spec{Period: time.Second / time.Duration(hz), StackBytes: stackBytes, RingPages: perfevent.MaxRingPages}
}
