package recording

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// Source opens a recording at its beginning. Trim and CarryOver read one several times.
type Source func() (io.ReadCloser, error)

// maxTrimmedAddresses bounds the different addresses that Trim remembers: some 200 MiB. A run of an
// hour has 100,000.
const maxTrimmedAddresses = 1 << 22

// ErrManyAddresses says that a recording has too many different addresses to be trimmed.
var ErrManyAddresses = fmt.Errorf("recording has more than %d addresses", maxTrimmedAddresses)

// MetaOf reads the META of a recording.
func MetaOf(from Source) (meta Meta, err error) {
	in, err := from()
	if err != nil {
		return meta, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	r, err := NewReader(in)
	if err != nil {
		return meta, err
	}
	defer r.Close()
	return r.Meta(), nil
}

// Trimmed says what Trim did.
type Trimmed struct {
	Read uint64 // samples in the sources
	// Samples, Tasks (attempts that ended) and Times (TIMES records of executions) of queries that
	// are wanted were written.
	Samples, Tasks, Times uint64
	Application           *jvmlog.Application // the last one; nil: none
}

// Empty reports whether nothing of a query was written.
func (t *Trimmed) Empty() bool { return t.Samples+t.Tasks+t.Times == 0 }

// Trim writes a recording that lacks what no sample needs: compiled code without a sample's address
// in it, methods of such code alone. Everything downstream computes the same from it. The caller
// makes w with the META of the recording, and closes it.
//
// Two sources are a part of one JVM's recording: what CarryOver kept, then the entries since. Of
// what was carried over, texts of classes, plans and stages without a sample or a task are left
// out, too. A source that is cut off counts up to the cut.
//
// choose reports whether a query is wanted, by its fingerprint and its name; nil: all are. Of the
// others no plan, text or sample is written. Their tasks are, like tasks of runs that were left
// out: CPU that is known, of which no more is told.
func Trim(w *Writer, choose func(query, name string) bool, from ...Source) (Trimmed, error) {
	t := &trimming{w: w, choose: choose, from: from, jvms: map[sampler.JVMID]*needs{}}
	for _, pass := range []func() error{t.findStages, t.findAddresses, t.findCode, t.copy} {
		if err := pass(); err != nil {
			return t.out, err
		}
	}
	return t.out, w.Err()
}

// trimming is one Trim.
type trimming struct {
	w      *Writer
	choose func(query, name string) bool
	from   []Source
	jvms   map[sampler.JVMID]*needs
	count  int // addresses of all
	out    Trimmed
}

// needs is what the samples of a JVM need.
type needs struct {
	addrs   map[uint64]struct{}
	sorted  []uint64 // addrs
	ptrs    map[uint64]struct{}
	code    spans // that has an address of a sample
	methods map[jvmlog.MethodID]struct{}
	loaders map[jvmlog.LoaderID]struct{} // of methods
	written map[uint64]struct{}          // where code was written
	stages  *stages
}

func (t *trimming) of(id sampler.JVMID) *needs {
	n := t.jvms[id]
	if n == nil {
		n = &needs{
			addrs: map[uint64]struct{}{}, ptrs: map[uint64]struct{}{}, methods: map[jvmlog.MethodID]struct{}{}, loaders: map[jvmlog.LoaderID]struct{}{},
			written: map[uint64]struct{}{}, stages: newStages(),
		}
		t.jvms[id] = n
	}
	return n
}

// selects reports whether stages are looked at: else all are wanted.
func (t *trimming) selects() bool { return t.choose != nil || len(t.from) > 1 }

// findStages finds out which stages are wanted, and the plans that they need.
func (t *trimming) findStages() error {
	if !t.selects() {
		return nil
	}
	err := t.each(func(e rawEntry) error { return t.of(e.id).stages.take(e) })
	for _, n := range t.jvms {
		n.stages.settle(t.choose)
	}
	return err
}

// findAddresses collects the addresses of samples that are wanted.
func (t *trimming) findAddresses() error {
	return t.each(func(e rawEntry) error {
		if e.kind == kindGone {
			e.reader.forget(e.id)
		}
		if e.kind != kindSample {
			return nil
		}
		s, err := e.reader.decodeSample(e.id, e.body)
		if err != nil {
			return err
		}
		t.out.Read++
		n := t.of(e.id)
		if t.choose != nil && !n.stages.hasSample(&s) {
			return nil
		}
		before := len(n.addrs)
		for _, a := range s.Addrs {
			n.addrs[a] = struct{}{}
		}
		for _, i := range s.Interpreted {
			n.ptrs[i.Method] = struct{}{}
		}
		if t.count += len(n.addrs) - before; t.count > maxTrimmedAddresses {
			return ErrManyAddresses
		}
		return nil
	})
}

// findCode finds the compiled code that has such addresses, and its methods.
func (t *trimming) findCode() error {
	for _, n := range t.jvms {
		for a := range n.addrs {
			n.sorted = append(n.sorted, a)
		}
		slices.Sort(n.sorted)
	}
	generated := map[sampler.JVMID]map[jvmlog.MethodID]jvmlog.LoaderID{}
	err := t.each(func(e rawEntry) error {
		if e.record != jvmlog.TypeCodeLoad && e.record != jvmlog.TypeMethod {
			return nil
		}
		_, r, err := jvmlog.DecodeRecord(e.body, 0)
		if err != nil {
			return err
		}
		n := t.of(e.id)
		switch r := r.(type) {
		case *jvmlog.CodeLoad:
			n.load(r)
		case *jvmlog.Method:
			if _, met := n.ptrs[r.Ptr]; met && r.Ptr != 0 {
				n.methods[r.ID] = struct{}{}
			}
			if r.Loader != 0 && r.Flags&jvmlog.MethodGenerated != 0 {
				if generated[e.id] == nil {
					generated[e.id] = map[jvmlog.MethodID]jvmlog.LoaderID{}
				}
				generated[e.id][r.ID] = r.Loader
			}
		}
		return nil
	})
	for id, n := range t.jvms {
		n.code.join()
		for m := range n.methods {
			if loader, ok := generated[id][m]; ok {
				n.loaders[loader] = struct{}{}
			}
		}
	}
	return err
}

// hit reports whether a sample has an address in code, or behind it: a return address may stand
// there.
func (n *needs) hit(r *jvmlog.CodeLoad) bool {
	i, _ := slices.BinarySearch(n.sorted, r.Address)
	return i < len(n.sorted) && n.sorted[i] <= r.Address+uint64(r.Size)
}

// load takes compiled code.
func (n *needs) load(r *jvmlog.CodeLoad) {
	if !n.hit(r) {
		return
	}
	n.code = append(n.code, span{r.Address, r.Address + uint64(r.Size)})
	n.methods[r.Method] = struct{}{}
	for _, f := range r.Frames {
		n.methods[f.Method] = struct{}{}
	}
}

// copy writes what is needed. The JVM stands before what was carried over.
func (t *trimming) copy() error {
	if len(t.from) == 1 {
		return t.each(t.entry)
	}
	found := errors.New("found")
	err := scan(t.from[len(t.from)-1], func(e rawEntry) error {
		if e.kind != kindJVM {
			return nil
		}
		t.w.write(e.kind, e.id, e.body)
		return found
	})
	if err != nil && !errors.Is(err, found) {
		return err
	}
	return t.each(func(e rawEntry) error {
		if e.kind == kindJVM {
			return nil
		}
		return t.entry(e)
	})
}

func (t *trimming) entry(e rawEntry) error {
	n := t.of(e.id)
	switch e.kind {
	case kindMeta:
	case kindSample:
		return t.sample(n, e)
	case kindTaskEvent:
		return t.taskEvent(n, e)
	case kindSymbol:
		if _, met := n.addrs[symbolAddress(e.body)]; met {
			t.w.write(e.kind, e.id, e.body)
		}
	case kindRecord:
		return t.record(n, e)
	case kindGone:
		e.reader.forget(e.id)
		t.w.JVMGone(e.id)
	default:
		t.w.write(e.kind, e.id, e.body)
	}
	return nil
}

// sample writes a sample, as it is if no sample before it is left out.
func (t *trimming) sample(n *needs, e rawEntry) error {
	if t.choose == nil {
		t.out.Samples++
		t.w.write(e.kind, e.id, e.body)
		return nil
	}
	s, err := e.reader.decodeSample(e.id, e.body)
	if err == nil && n.stages.hasSample(&s) {
		t.out.Samples++
		t.w.Sample(e.id, s)
	}
	return err
}

// symbolAddress is the address that a SYMBOL names.
func symbolAddress(body []byte) uint64 {
	if len(body) < leastBytes[kindSymbol] {
		return 0 // no reader takes it
	}
	return le.Uint64(body)
}

func (t *trimming) taskEvent(n *needs, e rawEntry) error {
	event, err := decodeTaskEvent(e.body)
	if err != nil {
		return err
	}
	wanted := t.choose == nil || n.stages.wants(stageOf(&event))
	if wanted && event.Kind == jvmlog.TaskEnd {
		t.out.Tasks++
	}
	if event.Kind != jvmlog.TaskClocks && !wanted {
		event.LeftOut = true
	}
	t.w.TaskEvent(e.id, event)
	return nil
}

func (t *trimming) record(n *needs, e rawEntry) error {
	keep, err := t.keeps(n, e)
	if err == nil && keep {
		t.w.write(e.kind, e.id, e.body)
	}
	return err
}

// keeps reports whether a record is needed. One of a type that is not known is.
func (t *trimming) keeps(n *needs, e rawEntry) (bool, error) {
	switch e.record {
	case jvmlog.TypeCodeLoad, jvmlog.TypeCodeUnload, jvmlog.TypeMethod, jvmlog.TypeSource:
		_, r, err := jvmlog.DecodeRecord(e.body, 0)
		return err == nil && (n.keepsCode(r) || e.record == jvmlog.TypeSource && !t.selects()), err
	case jvmlog.TypeDictionary, jvmlog.TypeStage, jvmlog.TypeStageInfo, jvmlog.TypeRows, jvmlog.TypeExecutionEnd, jvmlog.TypeTimes, jvmlog.TypeDwell:
		_, r, err := jvmlog.DecodeRecord(e.body, 0)
		keep := err == nil && (t.choose == nil && !e.carried || n.stages.keeps(r))
		if times, ok := r.(*jvmlog.Times); ok && keep {
			if of, _ := timesOf(times); of.Kind == "execution" {
				t.out.Times++
			}
		}
		return keep, err
	case jvmlog.TypeApplication:
		_, r, err := jvmlog.DecodeRecord(e.body, 0)
		t.out.Application, _ = r.(*jvmlog.Application)
		return true, err
	}
	return true, nil
}

// keepsCode keeps code that a sample hit, and code that took its place: where it stands, the other
// ends.
func (n *needs) keepsCode(r jvmlog.Record) bool {
	switch r := r.(type) {
	case *jvmlog.CodeLoad:
		if !n.code.overlap(span{r.Address, r.Address + uint64(r.Size)}) {
			return false
		}
		n.written[r.Address] = struct{}{}
	case *jvmlog.CodeUnload:
		_, written := n.written[r.Address]
		return written
	case *jvmlog.Method:
		if _, met := n.ptrs[r.Ptr]; met && r.Ptr != 0 {
			return true
		}
		_, used := n.methods[r.ID]
		return used
	case *jvmlog.Source:
		_, met := n.loaders[r.Loader]
		return met
	}
	return true
}

// each reads all sources, one after the other.
func (t *trimming) each(visit func(rawEntry) error) error {
	for i, from := range t.from {
		err := scan(from, func(e rawEntry) error {
			e.carried = i < len(t.from)-1
			return visit(e)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// rawEntry is one entry of a recording, as it stands there; the body is valid until the next.
type rawEntry struct {
	reader  *Reader
	kind    kind
	id      sampler.JVMID
	body    []byte
	record  jvmlog.RecordType // of a RECORD; else 0
	carried bool              // of a source before the last
}

// scan reads the entries of a recording of major 2, without END. One that is cut off ends at the
// cut.
func scan(from Source, visit func(rawEntry) error) (err error) {
	in, err := from()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	r, err := NewReader(in)
	if err != nil {
		return err
	}
	defer r.Close()
	if r.major != Major {
		return fmt.Errorf("recording of format version %d, %d is needed", r.major, Major)
	}
	for {
		k, id, body, err := r.next()
		switch {
		case errors.Is(err, ErrTruncated):
			return nil
		case err != nil:
			return fmt.Errorf("read recording entry %d: %w", r.entries, err)
		case k == kindEnd:
			return r.end(body)
		}
		e := rawEntry{reader: r, kind: k, id: id, body: body}
		if k == kindRecord {
			h, err := jvmlog.DecodeRecordHeader(body, 0)
			if err != nil {
				return fmt.Errorf("decode recording entry %d: %w", r.entries-1, err)
			}
			e.record = h.Type
		}
		if err := visit(e); err != nil {
			return fmt.Errorf("decode recording entry %d: %w", r.entries-1, err)
		}
	}
}
