package sparkcalibration

import (
	"container/list"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/planflame/planflame/internal/costmetrics"
)

// runs are those that are waited for and those that were estimated lately. Not safe for concurrent
// use.
type runs struct {
	config *Config
	by     map[costmetrics.RunID]*list.Element // of *run, in one of the lists
	open   *list.List                          // the newest part first
	done   *list.List                          // estimated last first: their parts' names tell what is late from what is there twice
	held   int                                 // over all of them
}

func newRuns(c *Config) runs {
	return runs{config: c, by: map[costmetrics.RunID]*list.Element{}, open: list.New(), done: list.New()}
}

// take puts the points of a request to their runs. Those that have to make room are given to early,
// which has to call estimated.
func (o *runs) take(md pmetric.Metrics, now time.Time, early func(*run)) costmetrics.Counts {
	touched := map[*part]*run{}
	counts := costmetrics.Read(md, func(id costmetrics.PartID, resource pcommon.Map) *costmetrics.Part {
		r := o.run(id.Run)
		p := r.part(id, resource, o.config.Labels, now)
		if p == nil {
			return nil
		}
		o.opened(r)
		touched[p] = r
		return p.Part
	})
	for p, r := range touched {
		before := r.held
		r.count(p)
		o.held += r.held - before
	}
	o.makeRoom(early)
	return counts
}

// run is a run, made if it is not known; then it is in neither list.
func (o *runs) run(id costmetrics.RunID) *run {
	if e := o.by[id]; e != nil {
		return e.Value.(*run)
	}
	return newRun(id)
}

// opened puts a run before all others.
func (o *runs) opened(r *run) {
	o.leave(r)
	o.by[r.id] = o.open.PushFront(r)
}

// leave takes a run out of the list where it is.
func (o *runs) leave(r *run) {
	if e := o.by[r.id]; e != nil {
		o.open.Remove(e) // of the two lists that one does which has it
		o.done.Remove(e)
	}
	delete(o.by, r.id)
}

// makeRoom forgets what was estimated, the oldest first, and then takes out of what is open what
// was told of least lately, until the bounds hold.
func (o *runs) makeRoom(early func(*run)) {
	for {
		full := o.held > o.config.MaxSums
		switch {
		case o.done.Len() > 0 && (full || o.done.Len() > o.config.Waiting.MaxOpenRuns):
			o.forget(o.done.Back().Value.(*run))
		case o.open.Len() > 0 && (full || o.open.Len() > o.config.Waiting.MaxOpenRuns):
			early(o.open.Back().Value.(*run))
		default:
			return
		}
	}
}

func (o *runs) forget(r *run) {
	o.leave(r)
	o.held -= r.held
}

// whole adds all parts of a run up.
func (o *runs) whole(r *run, now time.Time) {
	before := r.held
	r.fold(now, 0)
	o.held += r.held - before
}

// estimated keeps the names of a run's parts after it was estimated.
func (o *runs) estimated(r *run, now time.Time) {
	o.forget(r)
	r.begin()
	r.told++
	r.newest = now
	o.held += r.held
	o.by[r.id] = o.done.PushFront(r)
}

// settle adds up what nothing came to for a while and returns the runs that are waited for no
// longer, those first that were told of least lately. With all: every run.
func (o *runs) settle(now time.Time, all bool) (ready []*run) {
	for e := o.open.Back(); e != nil; e = e.Prev() {
		r := e.Value.(*run)
		waited := now.Sub(r.newest)
		if all || r.ended && waited >= o.config.Waiting.Settle || waited >= o.config.Waiting.SettleOpen {
			ready = append(ready, r)
			continue
		}
		before := r.held
		r.fold(now, o.config.Waiting.Settle)
		o.held += r.held - before
	}
	for e := o.done.Back(); e != nil && now.Sub(e.Value.(*run).newest) >= o.config.Waiting.SettleOpen; e = o.done.Back() {
		o.forget(e.Value.(*run))
	}
	return ready
}
