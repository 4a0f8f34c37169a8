package sampler

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/sampler/hotspot"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/unwind"
)

// Of compiled code that is read from the JVM's memory.
const (
	// agreements is how many compiled methods memory and the agent must have told alike before
	// the agent is asked to tell no more.
	agreements = 64
	// findReadsPerRound bounds the reads by which addresses are looked for in one round,
	// loadsPerRound the compiled methods that are read whole. One find takes 3 to 5 reads of about
	// a microsecond, one load some 20. A cold Spark executor's samples meet some hundred new
	// methods a second.
	findReadsPerRound = 20_000
	loadsPerRound     = 500
	// loadBytesPerRound and codeNamesPerRound bound what those loads read. The largest method takes
	// 24 MiB, and codeNamesSpare is left for it to have all its names.
	loadBytesPerRound = 32 << 20
	codeNamesPerRound = 4_000
	codeNamesSpare    = 1_000
	// generatedPatience is how long a compiled method waits for the agent to name the methods of
	// generated classes in it. The agent names them within a few tenths of a second. In a replay it
	// names them last: until that has ended the method waits for mostCodeWait.
	generatedPatience = jvmlog.MonoTime(500 * time.Millisecond)
	// mostCodeWait is how long a compiled method waits for room in a round. Then it is handed on
	// without debug info, so that a JVM cannot hold back its samples for long. It is read again
	// after twice that time.
	mostCodeWait = jvmlog.MonoTime(5 * time.Second)
	// codeCheckInterval is how long a compiled method that was seen to stand is taken to stand. In
	// four recorded sessions other code took a place within a second in 8 of 167,080 frames. The
	// rounds of a Collector are a second apart, and some come a little early.
	codeCheckInterval = jvmlog.MonoTime(time.Second - 50*time.Millisecond)
	// sweptAtOnce methods are looked at in an interval without a sample: 5,000 in 80 s.
	sweptAtOnce = 64
	trapBlob    = "UncommonTrapBlob" // of the STUB record
)

// codeReader reads the compiled methods that samples meet, instead of having the agent tell all.
// HotSpot tells no end of a method of which it told no load. So the reader looks whether a method
// still stands when a sample meets it for the first time in a codeCheckInterval.
type codeReader struct {
	cache  codeCache // nil before the JVM's layout is known, and where code is not read
	trap   uint64    // address of the uncommon trap; 0: not told yet
	agreed int       // of agreements
	on     bool      // the agent tells no more
	off    bool      // code is not read, for good

	comparesUntil time.Time // and no longer, however few methods are compiled

	checked jvmlog.MonoTime // when the interval began
	round   jvmlog.MonoTime // when this round was taken
	before  jvmlog.MonoTime // and the one before: until then all that was met is taken to have stood
	ended   []unwind.Code   // that were found gone in this round, by address
	met     []*entry        // that were found
	swept   int             // of met: the next one that a sweep looks at
	refused error           // memory may not be read any more
	waiting []waitingCode   // for the names of generated classes

	none             map[uint64]struct{} // addresses that have no compiled method in this round
	findReads, loads int                 // that are left of the round
	bytes, names     int                 // the same
}

// codeCache is what a hotspot.CodeCache does.
type codeCache interface {
	Contains(addr uint64) bool
	Find(addr uint64) (hotspot.NMethod, error)
	Stands(n *hotspot.NMethod) (bool, error)
	Reads() uint64
	Load(n hotspot.NMethod, trap uint64, number func(uint64) jvmlog.MethodID) (*jvmlog.CodeLoad, error)
}

// readCode is what is kept of a compiled method that was read.
type readCode struct {
	hotspot.NMethod
	stood  jvmlog.MonoTime // codeReader.checked when it was last seen to stand
	waits  bool            // in codeReader.waiting
	told   bool            // its CODE_LOAD was handed on
	again  jvmlog.MonoTime // when it is read again, as that record lacks what could not be read; 0: it lacks nothing
	number jvmlog.MethodID // of that record
}

// waitingCode is a compiled method that a sample has met and that is still to be handed on.
type waitingCode struct {
	entry *entry
	since jvmlog.MonoTime // of that sample
}

// mayReadCode reports whether the agent can leave code to us: it must know how, and lines must not
// hang on its events.
func mayReadCode(h *jvmlog.Header) bool {
	known := h.JDKFeature >= 17 && h.JDKFeature <= 21 || h.JDKFeature == 25
	return known && (h.Major > 1 || h.Minor >= 8) && h.Flags&jvmlog.FlagDebugNonSafepoints != 0
}

// codeLayout takes in a VM_LAYOUT record.
func (j *jvm) codeLayout(r *jvmlog.VMLayout) {
	c := &j.reading
	if !j.settings.ReadCode || c.cache != nil || c.off || !mayReadCode(&j.info.Header) {
		return
	}
	l, err := hotspot.ParseCodeLayout(r.JSON, j.info.Header.JDKFeature)
	if err == nil {
		c.cache, err = hotspot.NewCodeCache(l, j.memory)
	}
	if err != nil {
		*c = codeReader{off: true}
		j.logger.Info("the agent tells of compiled code", zap.Int("pid", j.info.PID), zap.Error(err)) // nothing is lost
	}
}

// stopReadingCode leaves compiled code to the agent for good.
func (j *jvm) stopReadingCode(what string, err error) {
	wasOn := j.reading.on
	j.reading = codeReader{off: true}
	j.code.find, j.code.stands = nil, nil
	j.once(what, err)
	if !wasOn {
		return
	}
	j.code.forgetCode()
	if err := errors.Join(j.control.ReadCode(false), j.requestReplay()); err != nil {
		j.once("compiled code is not known any more", err)
	}
}

// startComparing has rounds come soon if code is to be read.
func (j *jvm) startComparing() {
	if j.settings.ReadCode && mayReadCode(&j.info.Header) {
		j.reading.comparesUntil = time.Now().Add(quickAtFirst)
	}
}

// isComparing reports whether rounds come soon, so that memory agrees early: what the agent tells
// until then fills its log.
func (c *codeReader) isComparing(now time.Time) bool { return now.Before(c.comparesUntil) }

// compareCode holds what the agent tells of a compiled method against memory, until that was the
// same often enough.
func (j *jvm) compareCode(told *jvmlog.CodeLoad) {
	c := &j.reading
	if c.cache == nil || c.on || c.trap == 0 || j.methods.namer == nil {
		return
	}
	n, err := c.cache.Find(told.Address)
	var read *jvmlog.CodeLoad
	if err == nil {
		read, err = c.cache.Load(n, c.trap, func(ptr uint64) jvmlog.MethodID { said, _ := j.methods.saidOf(ptr); return said.id })
	}
	switch {
	case errors.Is(err, hotspot.ErrNoCode) || errors.Is(err, hotspot.ErrReplaced):
		return // it is gone
	case err != nil:
		j.stopReadingCode("the agent tells of compiled code: memory does not", err)
	case read.Address != told.Address || read.CompileID != told.CompileID:
		return // other code is there
	case !sameCode(told, read):
		j.stopReadingCode("the agent tells of compiled code: memory says otherwise", fmt.Errorf("compiled method %d at %#x", told.CompileID, told.Address))
	default:
		if c.agreed++; c.agreed == agreements {
			j.startReadingCode()
		}
	}
}

// sameCode reports whether two records say the same of a compiled method. The method that a reader
// cannot know by the agent's number is 0.
func sameCode(told, read *jvmlog.CodeLoad) bool {
	sameMethod := func(a, b jvmlog.MethodID) bool { return a == b || b == 0 }
	wrapper := told.Level == 0 // JVMTI has one name for all linkers
	return told.Size == read.Size && told.Level == read.Level && told.FrameBytes == read.FrameBytes && told.FrameComplete == read.FrameComplete &&
		(wrapper || sameMethod(told.Method, read.Method)) && slices.Equal(told.Proofs, read.Proofs) &&
		slices.EqualFunc(told.PCs, read.PCs, func(a, b jvmlog.PCRegion) bool {
			return a.End == b.End && slices.EqualFunc(told.Frames[a.First:a.First+a.Count], read.Frames[b.First:b.First+b.Count], func(x, y jvmlog.CodeFrame) bool {
				return x.BCI == y.BCI && sameMethod(x.Method, y.Method)
			})
		})
}

// startReadingCode has the agent tell no more compiled code. What it told is found again.
func (j *jvm) startReadingCode() {
	if err := j.control.ReadCode(true); err != nil {
		return // the lease is lost
	}
	j.reading.on, j.reading.none, j.reading.comparesUntil = true, map[uint64]struct{}{}, time.Time{}
	j.code.forgetMethods()
	j.code.find, j.code.stands = j.findCode, j.stands
}

// findCode finds the compiled method at an address and adds it to those that are known; nil if
// there is none.
func (j *jvm) findCode(addr uint64) *entry {
	c := &j.reading
	if !c.cache.Contains(addr) { // stubs may be told to lie anywhere
		return nil
	}
	if _, none := c.none[addr]; none || c.findReads <= 0 {
		return nil
	}
	before := c.cache.Reads()
	n, err := c.cache.Find(addr)
	c.findReads -= int(c.cache.Reads() - before)
	if err != nil {
		c.none[addr] = struct{}{}
		return nil
	}
	e := &entry{read: &readCode{NMethod: n, stood: c.checked}, Code: unwind.Code{
		Start: n.Code, End: n.Code + uint64(n.Size), Kind: unwind.Compiled, FrameBytes: n.FrameBytes, FrameComplete: n.FrameComplete, Method: n.Method,
		Wrapper: n.Level == 0,
	}}
	if !j.code.add(e) {
		j.totals.RefusedCode++
		c.none[addr] = struct{}{}
		return nil
	}
	c.met = append(c.met, e)
	return e
}

// checkCode begins a round that was taken at a time, and an interval if it is time for one.
func (j *jvm) checkCode(taken jvmlog.MonoTime) {
	c := &j.reading
	if c.refused != nil {
		j.stopReadingCode("the agent tells of compiled code again: memory does not", c.refused)
	}
	if !c.on {
		return
	}
	c.findReads, c.loads, c.bytes, c.names = findReadsPerRound, loadsPerRound, loadBytesPerRound, codeNamesPerRound
	clear(c.none)
	c.ended = c.ended[:0]
	c.before, c.round = c.round, taken
	j.code.recent.changed()  // where there was none may be some now
	j.tellWaitingCode(taken) // before their end is told
	if len(j.held) > 0 && c.checked+codeCheckInterval <= taken {
		c.checked = taken
		j.sweepCode()
	}
}

// sweepCode looks at some of the methods that were met: one that no sample meets again ends too.
func (j *jvm) sweepCode() {
	c := &j.reading
	for range min(sweptAtOnce, len(c.met)) {
		if c.swept >= len(c.met) || len(c.met) > 2*j.code.entries+sweptAtOnce { // most have ended
			c.met = slices.DeleteFunc(c.met, func(e *entry) bool { return e.dead })
			c.swept = 0
			continue
		}
		if e := c.met[c.swept]; !e.dead {
			j.stands(e)
		}
		c.swept++
	}
}

// stands reports whether a compiled method is still there, or was at some time of this interval.
// The samples that ask were taken before. If it is not there, it ends.
func (j *jvm) stands(e *entry) bool {
	c := &j.reading
	if e.read.stood == c.checked {
		return true
	}
	if c.findReads <= 0 {
		j.totals.AmbiguousCode++
		e.read.stood = c.checked // counted once
		return true
	}
	c.findReads--
	there, err := c.cache.Stands(&e.read.NMethod)
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.EFAULT) {
		c.refused = err
	}
	if there || err != nil { // of a JVM that has ended nothing can be read
		e.read.stood = c.checked
		return true
	}
	j.endCode(e)
	return false
}

// hasEnded reports whether code at an address was found gone in this round.
func (c *codeReader) hasEnded(addr uint64) bool {
	i := sort.Search(len(c.ended), func(i int) bool { return c.ended[i].End > addr })
	return i < len(c.ended) && addr >= c.ended[i].Start
}

// endCode says that a compiled method went since the round before: its memory is free, or other
// code's.
func (j *jvm) endCode(e *entry) {
	c := &j.reading
	i := sort.Search(len(c.ended), func(i int) bool { return c.ended[i].Start >= e.Start })
	c.ended = slices.Insert(c.ended, i, e.Code)
	j.code.end(e)
	if e.read.told {
		j.unwoundNow = append(j.unwoundNow, unwound{record: &jvmlog.CodeUnload{Address: e.Start, Method: e.read.number}, time: c.before})
	}
}

// meetCode hands on the compiled methods of a stack that are new, ahead of its sample, which was
// taken at t. leaf says that the first address is of an interrupted instruction.
func (j *jvm) meetCode(t jvmlog.MonoTime, addrs []uint64, leaf bool) {
	c := &j.reading
	if !c.on {
		return
	}
	for i, addr := range addrs {
		if i > 0 || !leaf {
			addr-- // a call may be the last instruction of its code
		}
		if c.hasEnded(addr) {
			j.totals.AmbiguousCode++
		}
		j.meet(t, addr)
	}
}

// meet hands on the compiled method at an address if it is new or to be read again, and counts what
// the round has no room to find. If other code took the place of what was found there, that is what
// is handed on.
func (j *jvm) meet(t jvmlog.MonoTime, addr uint64) {
	c := &j.reading
	for range 2 {
		e := j.code.known(addr)
		switch {
		case e == nil:
			if c.findReads <= 0 && c.cache.Contains(addr) {
				j.stats.NamesDeferred++
			}
			return
		case e.read == nil || e.read.waits || e.read.told && (e.read.again == 0 || t < e.read.again):
			return
		}
		if j.tellCode(waitingCode{entry: e, since: t}, t); !e.dead {
			return
		}
	}
}

// tellCode hands on a compiled method at time now as the agent would. It waits if the agent is to
// name one of its methods, or if the round has no room for it, unless it has waited long enough.
func (j *jvm) tellCode(w waitingCode, now jvmlog.MonoTime) {
	c, e := &j.reading, w.entry
	full := c.loads == 0 || c.bytes < int(e.read.Bytes) || c.names < codeNamesSpare || j.methods.isLate()
	if full && !e.read.told && w.since+mostCodeWait >= now {
		c.wait(w)
		return
	}
	wait, patience := false, generatedPatience
	if j.replay != 0 && !j.answered { // it tells generated classes last
		patience = mostCodeWait
	}
	number := func(ptr uint64) jvmlog.MethodID {
		id, later := j.methodNumber(w.since, ptr, w.since+patience < now)
		wait = wait || later
		return id
	}
	var load *jvmlog.CodeLoad
	err := errNoTurn
	if !full {
		c.loads--
		c.bytes -= int(e.read.Bytes)
		if load, err = c.cache.Load(e.read.NMethod, c.trap, number); err == nil {
			c.bytes -= 16 * len(load.Frames) // which a few bytes may stand for
		}
	}
	replaced := errors.Is(err, hotspot.ErrReplaced)
	if replaced {
		j.totals.AmbiguousCode++
		if e.read.told {
			j.endCode(e)
			return
		}
		if now == w.since { // its sample may be of what is there now
			j.code.end(e)
			return
		}
	}
	if wait && !replaced {
		c.wait(w)
		return
	}
	e.read.again = 0
	if err != nil { // what unwinding knows, and the method
		j.stats.NameFailures++
		e.read.again = now + 2*mostCodeWait
		if e.read.told {
			return
		}
		load = &jvmlog.CodeLoad{
			Address: e.Start, Size: e.read.Size, Level: e.read.Level, FrameBytes: e.FrameBytes, FrameComplete: e.FrameComplete, CompileID: e.read.CompileID,
		}
		if !full {
			load.Method = number(e.read.Method)
		}
	}
	load.Flags |= jvmlog.CodeReplayed // older than its first sample, no one knows how much
	e.read.told, e.read.number = true, load.Method
	j.unwoundNow = append(j.unwoundNow, unwound{record: load, time: w.since})
	if replaced {
		j.code.end(e)
		j.unwoundNow = append(j.unwoundNow, unwound{record: &jvmlog.CodeUnload{Address: e.Start, Method: load.Method}, time: max(c.checked, w.since+1)})
	}
}

// errNoTurn says that rounds had no room for a compiled method's debug info.
var errNoTurn = errors.New("no room")

func (c *codeReader) wait(w waitingCode) {
	w.entry.read.waits = true
	c.waiting = append(c.waiting, w)
}

// tellWaitingCode tries again to hand on what waits. At the end of all times nothing waits on.
func (j *jvm) tellWaitingCode(now jvmlog.MonoTime) {
	waiting := j.reading.waiting
	j.reading.waiting = nil
	for _, w := range waiting {
		w.entry.read.waits = false
		if w.entry.dead { // other code was found over it
			j.totals.AmbiguousCode++
			continue
		}
		j.tellCode(w, now)
	}
}

// oldestWaiting is the time of the oldest sample whose code waits to be handed on, or t.
func (c *codeReader) oldestWaiting(t jvmlog.MonoTime) jvmlog.MonoTime {
	for _, w := range c.waiting {
		t = min(t, w.since)
	}
	return t
}

// methodNumber is the number of a Method*, whose record it hands on at time t if it is new; 0 if
// memory names none. later says that the agent is to name it, since a generated class's loader is
// known to it alone, or that the round has no room for a name. late does not wait for that.
func (j *jvm) methodNumber(t jvmlog.MonoTime, ptr uint64, late bool) (id jvmlog.MethodID, later bool) {
	m := &j.methods
	if id, known := m.numbered[ptr]; known {
		return id, false
	}
	if full := j.reading.names == 0 || m.isLate(); full && !late {
		return 0, true
	} else if full {
		j.stats.NamesDeferred++
		return 0, false
	}
	if m.namer == nil { // memory may not be read any more
		j.stats.NameFailures++
		return 0, false
	}
	j.reading.names--
	m.namer.Doubt(ptr)
	_, record, err := m.namer.Name(ptr, m.now)
	said, known := m.saidOf(ptr)
	if err == nil && record == nil && !known {
		record, err = m.namer.Record(ptr)
	}
	switch {
	case err != nil:
		j.stats.NameFailures++
		m.numbered[ptr] = 0
		return 0, false
	case record == nil || known && said.name == nameOf(record):
		j.sayAgain(t, ptr, said)
		m.numbered[ptr] = said.id
		return said.id, false
	case !known && !late && isGenerated(record.Class):
		return 0, true
	}
	j.stats.Named++
	m.give(record)
	m.numbered[ptr] = record.ID
	j.unwoundNow = append(j.unwoundNow, unwound{record: record, time: t})
	return record.ID, false
}
