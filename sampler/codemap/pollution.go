package codemap

import (
	"slices"
	"strings"
	"sync"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// C2's debug info between safepoints cannot be taken at its word (seen on JDK 17.0.15 and 25). If a
// call was inlined late, incremental inlining gives the call's chain of bytecodes to nodes that
// have nothing to do with it. In one generated method 744 of 1,887 regions claimed to be boxToLong
// within FileScanRDD.next. The head of a loop is spread over the loop's body likewise. At
// safepoints (calls and polls) debug info is right, for deoptimization needs it: so a return
// address that a region ends at exactly is believed. Leaf calls, of intrinsics such as
// sha512_implCompress and of the C runtime, are no safepoints: return addresses behind them are
// judged like interrupted instructions. (Of 2,398 samples of a filter of two SHA-512, 740 were in
// that stub.)
//
// This is not JDK-8201516: debug info was not renumbered with its nodes. That was mended in JDK 21
// and, in 2023, in the lines 20, 17 and 11, so both JDKs looked at have it mended. Late inlining's
// share is on 17.0.15 and not on 25.0.3, the loop heads' on both; -XX:-IncrementalInline takes the
// first away on 17, and changes what the user's code compiles to.
//
// What gives a wrong chain away is how it lies in its nmethod. Right code of one bytecode lies
// together, in a run of neighboring regions, or in a few copies. A wrong chain is sprinkled over
// rarer code. Hence a run is a speck when a neighbor's chain has at most half as many runs as its
// own, and a chain is not believed when it is
//
//	scattered  its specks are many, and a good share of all runs of the nmethod; or
//	islands    it has a few runs, and at least half of them are specks in the middle of another source line
//
// And of a chain that is neither, those runs are not believed that lie between two other lines,
// where the chain is
//
//	strewn     runs of it lie in the middle of two other lines or more, whatever is rarer
//
// since copies of right code have the same code around them, and one bytecode is not part of two
// statements. What is left is the chain's own place. In all cases seen it is the branch back of a
// generated loop, whose poll is there, and whose name C2 gives to loops inside.
//
// A region whose chain is not believed takes the chain of the next region that is, else of the one
// before.
//
// What instructions prove (proof.go) is believed before any of this, and takes no part in it. In
// the 22 TPC-H queries it is mostly one lie that these rules miss. It is the range check of a
// dictionary (decodeToInt, columnar-to-row's line) under the name of the next statement, a run that
// is neither rare nor strewn.
//
// The first four thresholds are a prototype's, which were tuned on runs like those that they were
// judged by. It did not ask for specks. So copies of an unrolled loop's body were scattered
// (StringLatin1.indexOfChar), and right code became islands in the line of the wrong chain that was
// sprinkled into it. In C2's nmethods of Spark's generated code, TPC-H on Spark 4.3.0, these chains
// were dropped without and with specks. JDK 17.0.15, queries 1, 3 and 9: 71 and 12 in 24 nmethods.
// JDK 25.0.3, a run cut short in queries 3, 9 and 18: 16 and 13 in 25. Mostly it is one chain, in
// every second nmethod. An operator's cost changes little where one expression burns, and by up to
// a sixth where the operator has a loop of its own. Strewn chains were found in queries that hash,
// where the other two rules missed one compilation in three; in the 22 TPC-H queries on both Sparks
// they move no CPU.
//
// Methods that were not generated are treated alike, since the defect is the compiler's. What a
// region takes instead lies in the same nmethod, thus under the same root method and the same
// callers.
const (
	// scatteredRuns and scatteredShare: a chain with at least as many specks, which are at least
	// that share of its nmethod's runs, is scattered.
	scatteredRuns  = 10
	scatteredShare = 0.015
	// islandRuns and islandShare: a chain with at least as many runs, at least that share of them
	// islands, is not believed.
	islandRuns  = 3
	islandShare = 0.5
	// rareShare: a chain with at most that share of another's runs is rarer.
	rareShare = 0.5
)

// run is a longest stretch of neighboring regions that have one chain.
type run struct {
	first, end uint32 // regions [first, end)
	chain      uint32
}

// debugInfo is the regions of one nmethod, looked at as runs.
type debugInfo struct {
	runs   []run
	lines  []sourceLine // :: chain → line
	counts []int        // :: chain → runs

	numbers         []uint32     // :: innermost link → number of the chain; the last: of no chain
	specks, islands []int        // :: chain → how many of its runs are
	amid            []sourceLine // :: chain → a line that a run of it lies in the middle of
	strewn          []bool       // :: chain → runs of it lie in the middle of two lines or more
	judged          []bool       // :: chain → it is not believed
	doubted         []bool       // :: run → it is not believed
}

// sourceLine is where a chain stands in the code that people wrote or Spark generated. It is the
// line of the innermost generated frame, or of the outermost frame if none is generated. It tells
// operators apart.
type sourceLine struct {
	method jvmlog.MethodID
	line   int
}

// Verdicts over the debug info of an nmethod.
const (
	verdictNone    uint32 = iota
	verdictClean          // all of it is believed
	verdictDoubted        // some of it is not
)

// trusted is, for each region of an nmethod, the region to believe; nil where all are to be
// believed as they are. It is judged when first asked for, and kept with the table in tables; that
// all are believed is kept for as long as the nmethod. t is any table of the nmethod. The caller
// holds the lock for reading.
func (m *Map) trusted(code *nmethod, t *table) []uint32 {
	if m.settings.Unrepaired || code.level != levelC2 || code.flags&jvmlog.CodeInlines == 0 {
		return nil
	}
	if code.small() && code.verdict.Load() == verdictNone {
		m.judge(code, t) // mostly it is clean, and takes no place in tables
	}
	if code.verdict.Load() == verdictClean {
		return nil
	}
	kept := m.tables.of(code)
	kept.judge.Do(func() { kept.trusted = m.judge(code, kept) })
	return kept.trusted
}

// judge finds what trusted returns, and sets the verdict. The caller holds the lock for reading.
func (m *Map) judge(code *nmethod, t *table) []uint32 {
	info := infos.Get().(*debugInfo)
	defer infos.Put(info)
	info.read(t, m.sourceLineOf)
	polluted := info.polluted()
	trusted := info.trusted(info.doubt(polluted))
	verdict := verdictDoubted
	if trusted == nil {
		verdict = verdictClean
	}
	if code.verdict.Swap(verdict) != verdictNone {
		return trusted // counted before
	}
	m.counts.judged.Add(1)
	for _, p := range polluted {
		if p {
			m.counts.pollutedChains.Add(1)
		}
	}
	return trusted
}

// infos are used again: one takes some times as much as its table.
var infos = sync.Pool{New: func() any { return &debugInfo{} }}

// levelC2 is the compile level of HotSpot's optimizing compiler, whose debug info this is about.
const levelC2 = 4

// sourceLineOf finds the line by which a chain is told from others. The caller holds the lock for
// reading.
func (m *Map) sourceLineOf(t *table, chain uint32) sourceLine {
	for at := chain; at != noLink; at = t.links[at].outer {
		l := t.links[at]
		method, known := m.methods.byID[l.method]
		if !known || !method.generated && l.outer != noLink {
			continue
		}
		return sourceLine{l.method, m.methods.line(method, l.bci)}
	}
	return sourceLine{}
}

// read numbers the chains of an nmethod and finds their runs.
func (d *debugInfo) read(t *table, lineOf func(t *table, chain uint32) sourceLine) {
	const none = ^uint32(0)
	d.runs, d.lines, d.counts = d.runs[:0], d.lines[:0], d.counts[:0]
	d.numbers = emptied(d.numbers, len(t.links)+1)
	for i := range d.numbers {
		d.numbers[i] = none
	}
	for i, r := range t.regions {
		number := &d.numbers[min(int(r.chain), len(t.links))]
		if *number == none {
			*number = uint32(len(d.lines))
			d.lines = append(d.lines, lineOf(t, r.chain))
			d.counts = append(d.counts, 0)
		}
		if n := len(d.runs); n > 0 && d.runs[n-1].chain == *number {
			d.runs[n-1].end++
			continue
		}
		d.runs = append(d.runs, run{first: uint32(i), end: uint32(i) + 1, chain: *number})
		d.counts[*number]++
	}
}

// polluted says which chains are not believed; valid until the next read.
func (d *debugInfo) polluted() []bool {
	d.specks, d.islands = emptied(d.specks, len(d.counts)), emptied(d.islands, len(d.counts))
	specks, islands := d.specks, d.islands
	for i, r := range d.runs {
		first, last := i == 0, i == len(d.runs)-1
		if !(!first && d.rarer(i-1, i)) && !(!last && d.rarer(i+1, i)) {
			continue
		}
		specks[r.chain]++
		if first || last {
			continue
		}
		if around := d.line(i - 1); around == d.line(i+1) && around != d.line(i) {
			islands[r.chain]++
		}
	}
	d.judged = emptied(d.judged, len(d.counts))
	out := d.judged
	for chain, n := range d.counts {
		scattered := specks[chain] >= scatteredRuns && float64(specks[chain]) >= scatteredShare*float64(len(d.runs))
		out[chain] = scattered || n >= islandRuns && float64(islands[chain]) >= islandShare*float64(n)
	}
	return out
}

// doubt says which runs are not believed: runs of the chains that are not, and runs that strewn
// chains have amid other lines; valid until the next read. A strewn chain counts as polluted, too.
func (d *debugInfo) doubt(polluted []bool) []bool {
	d.amid, d.strewn = emptied(d.amid, len(d.counts)), emptied(d.strewn, len(d.counts))
	for i := 1; i < len(d.runs)-1; i++ {
		around, chain := d.line(i-1), d.runs[i].chain
		switch {
		case around != d.line(i+1) || around == d.line(i) || around == sourceLine{} || d.counts[chain] < islandRuns:
		case d.amid[chain] == sourceLine{}:
			d.amid[chain] = around
		case d.amid[chain] != around:
			d.strewn[chain] = true
		}
	}
	d.doubted = emptied(d.doubted, len(d.runs))
	for i, r := range d.runs {
		inside := i > 0 && i < len(d.runs)-1 && d.line(i-1) != d.line(i) && d.line(i+1) != d.line(i)
		d.doubted[i] = polluted[r.chain] || d.strewn[r.chain] && inside
	}
	for chain, strewn := range d.strewn {
		polluted[chain] = polluted[chain] || strewn
	}
	return d.doubted
}

// rarer reports whether run i's chain is rarer than run j's.
func (d *debugInfo) rarer(i, j int) bool {
	return float64(d.counts[d.runs[i].chain]) <= rareShare*float64(d.counts[d.runs[j].chain])
}

func (d *debugInfo) line(i int) sourceLine { return d.lines[d.runs[i].chain] }

// trusted is the region to believe for each; nil where that is itself throughout, or nothing is
// left to believe.
func (d *debugInfo) trusted(doubted []bool) []uint32 {
	if !slices.Contains(doubted, true) {
		return nil
	}
	out := make([]uint32, d.runs[len(d.runs)-1].end)
	const none = ^uint32(0)
	changed, next := false, none
	for i := len(d.runs) - 1; i >= 0; i-- {
		r := d.runs[i]
		if !doubted[i] {
			next = r.first
		}
		for region := r.first; region < r.end; region++ {
			out[region] = region
			if doubted[i] {
				out[region], changed = next, true
			}
		}
	}
	last := none // the end of the code takes the last one that is believed
	for i := range d.runs {
		if !doubted[i] {
			last = uint32(i)
		}
	}
	if !changed || last == none {
		return nil
	}
	for region := d.runs[last].end; int(region) < len(out); region++ {
		out[region] = d.runs[last].end - 1
	}
	return out
}

// safepointStubs are words in the names of stubs whose callers are at a safepoint. Such a stub is
// on the way to a Java method, or into the runtime with debug info (sharedRuntime.cpp, runtime.cpp,
// c1_Runtime1.cpp; as JDK 17 and 25 report them). All other stubs are leaf calls.
var safepointStubs = []string{
	"_Java", "Runtime", "Blob", "blob", "throw_exception", "resolve_", "ic_miss", "wrong_method", "vtable", "itable", "adapters", "_linkTo",
	"_invoke", "call_stub",
}

// afterLeafCall reports whether the callee, the last of the frames so far, was called without a
// safepoint: a leaf stub, or native code without a Java wrapper between. Where there is no callee,
// no.
func afterLeafCall(callees []Frame) bool {
	if len(callees) == 0 {
		return false
	}
	callee := &callees[len(callees)-1]
	switch callee.Kind {
	case Java, Interpreted:
		return false
	case Stub:
		return !slices.ContainsFunc(safepointStubs, func(word string) bool { return strings.Contains(callee.Method, word) })
	default:
		return true
	}
}
