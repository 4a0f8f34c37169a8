package sampler

import (
	"sync"
	"time"
)

// lateDrain empties rings while the sampler's goroutine is busy.
type lateDrain struct {
	interval time.Duration

	mu    sync.Mutex
	timer *time.Timer
	rings []*rings // empty: the goroutine is idle
}

// start says that the goroutine is going to be busy with these JVMs.
func (d *lateDrain) start(jvms []*rings) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.rings = jvms
	if len(jvms) == 0 {
		return
	}
	if d.timer == nil {
		d.timer = time.AfterFunc(d.interval, d.tick)
		return
	}
	d.timer.Reset(d.interval)
}

// end says that it is idle again; nothing is drained after end has returned.
func (d *lateDrain) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.rings = nil
	if d.timer != nil {
		d.timer.Stop()
	}
}

func (d *lateDrain) tick() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.rings) == 0 {
		return
	}
	for _, r := range d.rings {
		r.drain()
	}
	d.timer.Reset(d.interval)
}
