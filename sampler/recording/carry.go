package recording

import (
	"cmp"
	"slices"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// Bounds of what is carried over that nothing tells the end of.
const (
	// carriedMethods bounds the methods that no compiled code mentions. Spark keeps 100 generated
	// classes by default, some of which have 29 methods.
	carriedMethods = 1 << 15
	// carriedPlans bounds executions that did not end, as a Collector's pipeline does.
	carriedPlans = 512
	// carriedEnded bounds executions that have ended: others may run their code.
	carriedEnded = 32
	// carriedStages bounds stages and their names.
	carriedStages = 1 << 10
	// carriedSymbols bounds names of native code, as the code map does.
	carriedSymbols = 1 << 16
)

// CarryOver writes what a later part of a JVM's recording may need of the parts before. That is
// compiled code that was not unloaded, methods, generated classes, plans of executions that go on,
// and names of native code. The sources are as for Trim. With fresh a new application begins in the
// JVM, and its plans and stages with it. The caller makes w, and closes it.
func CarryOver(w *Writer, fresh bool, from ...Source) error {
	c := &carrying{
		w: w, code: map[uint64]compiled{}, methods: map[jvmlog.MethodID]*method{}, ptrs: map[uint64]jvmlog.MethodID{},
		plans: map[tasksample.ExecutionID]*carriedPlan{}, stages: map[stageKey]int{}, infos: map[tasksample.StageID]int{},
		symbols: map[uint64]int{}, stubs: map[uint64]int{},
	}
	t := &trimming{from: from}
	if err := t.each(c.find); err != nil {
		return err
	}
	c.settle(fresh)
	c.at = 0
	if err := t.each(c.copy); err != nil {
		return err
	}
	return w.Err()
}

// carrying is one CarryOver. Places are numbers of entries, over all sources.
type carrying struct {
	w       *Writer
	at      int
	code    map[uint64]compiled
	methods map[jvmlog.MethodID]*method
	ptrs    map[uint64]jvmlog.MethodID // :: Method* → the last method there
	loaders map[jvmlog.LoaderID]struct{}
	plans   map[tasksample.ExecutionID]*carriedPlan
	stages  map[stageKey]int // :: the last place that told of it, as the next
	infos   map[tasksample.StageID]int
	symbols map[uint64]int
	stubs   map[uint64]int
}

// compiled is the last code that was compiled to an address.
type compiled struct {
	at      int
	method  jvmlog.MethodID
	methods []jvmlog.MethodID // that it holds
}

// method is a method.
type method struct {
	at     int // the last place that told of it
	used   int // the last place that told of it, or a sample that met it
	loader jvmlog.LoaderID
	keep   bool
}

// carriedPlan is an SQL execution.
type carriedPlan struct {
	used  int // the last place that told of it
	ended int // the place of its end; 0: it goes on
	keep  bool
}

// find takes note of an entry.
func (c *carrying) find(e rawEntry) error {
	c.at++
	switch {
	case e.kind == kindGone:
		e.reader.forget(e.id)
	case e.kind == kindSymbol:
		c.symbols[symbolAddress(e.body)] = c.at
	case e.kind == kindSample:
		s, err := e.reader.decodeSample(e.id, e.body)
		c.met(&s)
		return err
	case e.kind == kindRecord:
		_, r, err := jvmlog.DecodeRecord(e.body, 0)
		if err == nil {
			c.record(r)
		}
		return err
	}
	return nil
}

func (c *carrying) met(s *sampler.Sample) {
	for _, i := range s.Interpreted {
		if m := c.methods[c.ptrs[i.Method]]; m != nil {
			m.used = c.at
		}
	}
}

func (c *carrying) record(r jvmlog.Record) {
	switch r := r.(type) {
	case *jvmlog.CodeLoad:
		c.load(r)
	case *jvmlog.CodeUnload:
		if c.code[r.Address].method == r.Method {
			delete(c.code, r.Address)
		}
	case *jvmlog.Method:
		m := c.methods[r.ID]
		if m == nil {
			m = &method{loader: r.Loader}
			c.methods[r.ID] = m
		}
		m.at, m.used = c.at, c.at
		if r.Ptr != 0 {
			c.ptrs[r.Ptr] = r.ID
		}
	case *jvmlog.Dictionary:
		c.plan(r.Execution).used = c.at
	case *jvmlog.ExecutionEnd:
		if r.ExecutionID >= 0 { // else any stage may run its code
			c.plan(r.ExecutionID).ended = c.at
		}
	case *jvmlog.Stage:
		c.stages[stageKey{r.Stage, r.StageAttempt}] = c.at
	case *jvmlog.StageInfo:
		c.infos[r.Stage] = c.at
	case *jvmlog.Stub:
		c.stubs[r.Address] = c.at
	}
}

func (c *carrying) load(r *jvmlog.CodeLoad) {
	one := compiled{at: c.at, method: r.Method, methods: []jvmlog.MethodID{r.Method}}
	for _, f := range r.Frames {
		one.methods = append(one.methods, f.Method)
	}
	slices.Sort(one.methods)
	one.methods = slices.Clip(slices.Compact(one.methods))
	c.code[r.Address] = one
}

func (c *carrying) plan(id tasksample.ExecutionID) *carriedPlan {
	p := c.plans[id]
	if p == nil {
		p = &carriedPlan{}
		c.plans[id] = p
	}
	return p
}

// settle decides what is carried over.
func (c *carrying) settle(fresh bool) {
	for _, code := range c.code {
		for _, id := range code.methods {
			if m := c.methods[id]; m != nil {
				m.keep = true
			}
		}
	}
	var idle []*method
	for _, m := range c.methods {
		if !m.keep {
			idle = append(idle, m)
		}
	}
	for _, m := range newest(idle, carriedMethods, func(m *method) int { return m.used }) {
		m.keep = true
	}
	keepNewest(c.symbols, carriedSymbols)
	c.loaders = map[jvmlog.LoaderID]struct{}{}
	for _, m := range c.methods {
		if m.keep {
			c.loaders[m.loader] = struct{}{}
		}
	}
	if fresh {
		clear(c.plans)
		clear(c.stages)
		clear(c.infos)
		return
	}
	var open, ended []*carriedPlan
	for _, p := range c.plans {
		if p.ended == 0 {
			open = append(open, p)
		} else {
			ended = append(ended, p)
		}
	}
	open = newest(open, carriedPlans, func(p *carriedPlan) int { return p.used })
	for _, p := range append(open, newest(ended, carriedEnded, func(p *carriedPlan) int { return p.ended })...) {
		p.keep = true
	}
	keepNewest(c.stages, carriedStages)
	keepNewest(c.infos, carriedStages)
}

// newest returns the n with the highest places.
func newest[T any](all []T, n int, at func(T) int) []T {
	slices.SortFunc(all, func(a, b T) int { return cmp.Compare(at(b), at(a)) })
	return all[:min(n, len(all))]
}

// keepNewest drops all but the n keys with the highest places.
func keepNewest[K comparable](all map[K]int, n int) {
	places := make([]int, 0, len(all))
	for _, at := range all {
		places = append(places, at)
	}
	if len(places) <= n {
		return
	}
	slices.Sort(places)
	least := places[len(places)-n]
	for k, at := range all {
		if at < least {
			delete(all, k)
		}
	}
}

// copy writes an entry that is carried over.
func (c *carrying) copy(e rawEntry) error {
	c.at++
	switch e.kind {
	case kindSymbol:
		if c.symbols[symbolAddress(e.body)] == c.at {
			c.w.write(e.kind, e.id, e.body)
		}
	case kindRecord:
		_, r, err := jvmlog.DecodeRecord(e.body, 0)
		if err == nil && c.carries(r) {
			c.w.write(e.kind, e.id, e.body)
		}
		return err
	}
	return nil
}

func (c *carrying) carries(r jvmlog.Record) bool {
	switch r := r.(type) {
	case *jvmlog.CodeLoad:
		return c.code[r.Address].at == c.at
	case *jvmlog.Method:
		m := c.methods[r.ID]
		return m.keep && m.at == c.at
	case *jvmlog.Source:
		_, ok := c.loaders[r.Loader]
		return ok
	case *jvmlog.Dictionary:
		p := c.plans[r.Execution]
		return p != nil && p.keep
	case *jvmlog.ExecutionEnd: // so that the next part knows that it is over
		p := c.plans[r.ExecutionID]
		return p != nil && p.keep
	case *jvmlog.Stage:
		return c.stages[stageKey{r.Stage, r.StageAttempt}] == c.at
	case *jvmlog.StageInfo:
		return c.infos[r.Stage] == c.at
	case *jvmlog.Stub:
		return c.stubs[r.Address] == c.at
	case *jvmlog.VMLayout, *jvmlog.CodeHeap:
		return true
	}
	return false
}
