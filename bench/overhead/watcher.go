package main

import (
	"context"
	"errors"
	"sync"
	"time"
)

// mark is how far the Collector was at the end of a window.
type mark struct {
	at      time.Time
	cpu     time.Duration
	samples float64
}

// watcher looks at a Collector's count of samples whenever it has pushed something, and notes its
// CPU when the count has changed. To ask for its metrics costs it CPU, so it is asked no more often
// than a Prometheus would.
type watcher struct {
	c       *collector
	pushed  func() int64 // how often it has pushed so far
	stop    chan struct{}
	stopped chan error
	mu      sync.Mutex
	marks   []mark // valid after close
}

func watch(ctx context.Context, c *collector, pushed func() int64) *watcher {
	w := &watcher{c: c, pushed: pushed, stop: make(chan struct{}), stopped: make(chan error, 1)}
	go func() { w.stopped <- w.run(ctx) }()
	return w
}

func (w *watcher) run(ctx context.Context) error {
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	before, seen := -1., int64(-1)
	for {
		select {
		case <-w.stop:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		now := w.pushed()
		if now == seen {
			continue
		}
		seen = now
		sums, err1 := w.c.sums(ctx)
		cpu, err2 := processCPU(w.c.pid())
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		if samples := sums["samples"]; before >= 0 && samples != before {
			w.mu.Lock()
			w.marks = append(w.marks, mark{time.Now(), cpu, samples})
			w.mu.Unlock()
		}
		before = sums["samples"]
	}
}

// windows is the number of marks so far.
func (w *watcher) windows() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.marks)
}

func (w *watcher) close() error {
	close(w.stop)
	return <-w.stopped
}
