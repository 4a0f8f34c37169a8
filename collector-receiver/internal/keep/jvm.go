package keep

import (
	"io"
	"reflect"
	"slices"
	"time"

	"go.uber.org/zap"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/recording"
	"github.com/planflame/planflame/tasksample"
)

// jvm is one JVM: the part that grows, and what the next one begins with.
type jvm struct {
	k       *Keeper
	info    sampler.JVM
	folder  string // of its spools
	symbols pipeline.Symbolizer

	number  int
	suffix  string
	spool   *spool
	w       *recording.Writer
	started time.Time
	samples uint64              // of this part
	seen    map[uint64]struct{} // addresses that were looked at
	lost    bool                // it is kept no more

	app     *jvmlog.Application
	appID   string
	heaps   []jvmlog.CodeHeap
	threads map[int]jvmlog.Thread
	running map[uint32][]jvmlog.TaskEvent       // :: tid → the start of the task that runs, and news of its clock
	open    map[tasksample.ExecutionID]struct{} // SQL executions with tasks in this part that are not over

	// Of the JVM so far, and at the end of the part before.
	stats, statsBefore     sampler.Stats
	account, accountBefore pipeline.Account
}

// maxSeen bounds the addresses of a part that are looked at, as the code map's (maxNamedAddresses).
const maxSeen = 1 << 16

func newJVM(k *Keeper, v sampler.JVM, folder string) *jvm {
	j := &jvm{k: k, info: v, folder: folder, threads: map[int]jvmlog.Thread{}, running: map[uint32][]jvmlog.TaskEvent{}}
	if k.settings.Symbols != nil {
		j.symbols = k.settings.Symbols(v.ID)
	}
	return j
}

// begin begins a part with what is known.
func (j *jvm) begin(suffix string, from jvmlog.MonoTime) {
	j.number, j.suffix, j.started, j.samples, j.seen = j.number+1, suffix, j.k.settings.Now(), 0, map[uint64]struct{}{}
	j.spool = newSpool(j.k.disk, j.k.shelf, numbered(j.folder, j.number, suffix))
	meta := j.k.settings.Meta
	meta.Started, meta.ClockOffset = j.started, j.started.UnixNano()-int64(jvmlog.Now())
	var err error
	if j.w, err = recording.NewSpool(j.spool, meta); err != nil { // the file could not be made: check says so
		j.spool.fail(err)
		j.w, _ = recording.NewSpool(io.Discard, meta)
	}
	v := j.info
	v.FoundAt = from
	j.w.JVMFound(v)
	if j.app != nil {
		j.w.Record(v.ID, from, j.app)
	}
	for _, t := range j.threads {
		j.w.Thread(v.ID, t)
	}
	j.open = map[tasksample.ExecutionID]struct{}{}
	for _, events := range j.running {
		j.opens(events[0])
		for _, e := range events {
			j.w.TaskEvent(v.ID, e)
		}
	}
	j.statsBefore, j.accountBefore = j.stats, j.account
}

// end ends the part. next is the suffix of the one that follows; "": none does.
func (j *jvm) end(next string) {
	if j.lost {
		return
	}
	_ = j.w.Close() // its error is the spool's
	done := job{folder: j.folder, number: j.number, suffix: j.suffix, next: next, sent: j.samples}
	f, spool := j.k.finisher, j.spool
	spool.end(func() { f.do(func() { f.finish(done) }) })
}

// turn begins the next part.
func (j *jvm) turn(suffix string) {
	if j.lost {
		return
	}
	j.end(suffix)
	j.begin(suffix, jvmlog.Now())
}

// check ends the JVM's recording if its spool cannot be written any more: what came before is kept.
func (j *jvm) check() {
	err := j.spool.Err()
	if err == nil || j.lost {
		return
	}
	j.k.settings.Log.Warn("no more recordings of this JVM", zap.Int("pid", j.info.PID), zap.String("file", j.spool.path), zap.Error(err))
	j.end("")
	j.lost = true
}

func (j *jvm) thread(t jvmlog.Thread) {
	j.threads[t.Slot] = t
	j.w.Thread(j.info.ID, t)
}

func (j *jvm) record(t jvmlog.MonoTime, r jvmlog.Record) {
	switch r := r.(type) {
	case *jvmlog.Application:
		if id := r.ApplicationID(); id != "" {
			if j.appID != "" && j.appID != id {
				j.turn(firstSuffix)
			}
			j.appID = id
		}
		j.app = r
	case *jvmlog.CodeHeap:
		j.heaps = append(slices.DeleteFunc(j.heaps, func(h jvmlog.CodeHeap) bool { return h.Low == r.Low }), *r)
	case *jvmlog.ExecutionEnd:
		delete(j.open, r.ExecutionID)
	case *jvmlog.Replay:
		return
	}
	j.w.Record(j.info.ID, t, r)
}

// maxClocks bounds the news of a running task's clock.
const maxClocks = 64

func (j *jvm) task(e jvmlog.TaskEvent) {
	switch e.Kind {
	case jvmlog.TaskStart:
		j.opens(e)
		j.running[e.TID] = []jvmlog.TaskEvent{e}
	case jvmlog.TaskEnd:
		delete(j.running, e.TID)
	case jvmlog.TaskClocks:
		if of := j.running[e.TID]; len(of) > 0 && of[0].Task == e.Task && len(of) < maxClocks {
			j.running[e.TID] = append(of, e)
		}
	}
	j.w.TaskEvent(j.info.ID, e)
}

// opens takes note of a task's execution.
func (j *jvm) opens(e jvmlog.TaskEvent) {
	if e.Execution != tasksample.NoExecution {
		j.open[e.Execution] = struct{}{}
	}
}

// sample names native code ahead of the sample, while the JVM is alive.
func (j *jvm) sample(s sampler.Sample) {
	if j.lost {
		j.k.lost.Add(1)
		return
	}
	for _, addr := range s.Addrs {
		if _, known := j.seen[addr]; known || j.symbols == nil || j.compiled(addr) || len(j.seen) >= maxSeen {
			continue
		}
		j.seen[addr] = struct{}{}
		if f, ok := j.symbols.Symbol(addr); ok {
			f.Addr = addr
			j.w.Symbol(j.info.ID, f)
		}
	}
	j.samples++
	j.w.Sample(j.info.ID, s)
}

// compiled reports whether an address is in the JVM's code cache.
func (j *jvm) compiled(addr uint64) bool {
	return slices.ContainsFunc(j.heaps, func(h jvmlog.CodeHeap) bool { return h.Low <= addr && addr < h.High })
}

func (j *jvm) watermark(t jvmlog.MonoTime) {
	j.takeAccounts()
	j.w.Watermark(j.info.ID, t)
	j.check()
	age, bytes := j.k.settings.Now().Sub(j.started), j.spool.bytes
	if len(j.running)+len(j.open) > 0 {
		age, bytes = age/patience, bytes/patience
	}
	if age >= partAge || bytes >= j.k.settings.MaxBytes/partShare {
		j.turn(nextSuffix)
	}
}

// takeAccounts writes what was read of the JVM's CPU, as of this part.
func (j *jvm) takeAccounts() {
	for _, a := range j.k.take(j.info.ID) {
		threads := a.account.Threads
		if threads != nil {
			j.account.Threads = threads
		}
		before := j.account.Threads
		j.account = a.account
		if threads == nil {
			j.account.Threads = before
		}
		if r, err := a.account.Since(j.accountBefore).Record(); err == nil {
			j.w.Record(j.info.ID, a.time, r)
		}
	}
}

// since is what was counted since an earlier reading.
func since(now, before sampler.Stats) sampler.Stats {
	to, from := reflect.ValueOf(&now).Elem(), reflect.ValueOf(before)
	for i := range to.NumField() {
		to.Field(i).SetUint(to.Field(i).Uint() - from.Field(i).Uint())
	}
	return now
}
