package codemap

import "sync/atomic"

// Stats says what a Map holds and what it could not do. All but the first four values only grow.
type Stats struct {
	Intervals   int // nmethods and stubs, live and ended
	Methods     int
	CodeBytes   int // estimates
	MethodBytes int

	Loads            uint64 // CODE_LOAD records
	Stubs            uint64 // STUB records
	Unloads          uint64 // CODE_UNLOAD records
	Repeated         uint64 // loads and stubs that described what was known, as replays do
	EndedByLoad      uint64 // intervals that another load ended before their unload came
	LateUnloads      uint64 // unloads whose method was not there any more
	Refused          uint64 // records that were impossible, in part or as a whole, or found no room
	Evicted          uint64 // ended intervals that had to make room before they were forgotten
	MethodsForgotten uint64 // methods that had to make room, or were dead most likely

	EarlyFrames    uint64 // addresses resolved by a load that came after the sample
	UnknownCode    uint64 // addresses in a code heap without code, past the watermark
	PendingCode    uint64 // the same before the watermark: their load may still come
	UnknownMethods uint64 // frames whose METHOD record never came
	RepairedFrames uint64 // addresses whose debug info was not believed
	JudgedMethods  uint64 // nmethods whose debug info was judged
	PollutedChains uint64 // chains of bytecodes that were not believed in them
}

// counts are the values of Stats that grow.
type counts struct {
	loads, stubs, unloads, repeated, endedByLoad, lateUnloads, refused, evicted, methodsForgotten atomic.Uint64
	early, unknownCode, pendingCode, unknownMethods, repaired, judged, pollutedChains             atomic.Uint64
}

// Stats is what happened so far.
func (m *Map) Stats() Stats {
	m.mu.RLock()
	s := Stats{Intervals: m.intervals, Methods: len(m.methods.byID), CodeBytes: m.codeBytes, MethodBytes: m.methods.bytes}
	m.mu.RUnlock()
	for _, c := range []struct {
		to   *uint64
		from *atomic.Uint64
	}{
		{&s.Loads, &m.counts.loads},
		{&s.Stubs, &m.counts.stubs},
		{&s.Unloads, &m.counts.unloads},
		{&s.Repeated, &m.counts.repeated},
		{&s.EndedByLoad, &m.counts.endedByLoad},
		{&s.LateUnloads, &m.counts.lateUnloads},
		{&s.Refused, &m.counts.refused},
		{&s.Evicted, &m.counts.evicted},
		{&s.MethodsForgotten, &m.counts.methodsForgotten},
		{&s.EarlyFrames, &m.counts.early},
		{&s.UnknownCode, &m.counts.unknownCode},
		{&s.PendingCode, &m.counts.pendingCode},
		{&s.UnknownMethods, &m.counts.unknownMethods},
		{&s.RepairedFrames, &m.counts.repaired},
		{&s.JudgedMethods, &m.counts.judged},
		{&s.PollutedChains, &m.counts.pollutedChains},
	} {
		*c.to = c.from.Load()
	}
	return s
}
