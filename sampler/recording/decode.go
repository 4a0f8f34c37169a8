package recording

import (
	"fmt"
	"math"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// deliver decodes one entry and hands it to sink. Nothing delivered shares memory with body.
func (r *Reader) deliver(sink Sink, k kind, id sampler.JVMID, body []byte) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s of jvm %d: %w", kindNames[k], id, err)
		}
	}()
	if least := leastBytes[k]; len(body) < least {
		return fmt.Errorf("%d bytes, at least %d are needed", len(body), least)
	}
	switch k {
	case kindJVM:
		v, err := decodeJVM(id, body)
		if err != nil {
			return err
		}
		sink.JVMFound(v)
	case kindThread:
		t, err := jvmlog.DecodeThread(body[8:])
		if err != nil {
			return err
		}
		t.Slot = int(le.Uint32(body))
		sink.Thread(id, t)
	case kindRecord:
		h, rec, err := jvmlog.DecodeRecord(body, 0)
		if err != nil {
			return err
		}
		sink.Record(id, h.Time, rec)
	case kindTaskEvent:
		e, err := decodeTaskEvent(body)
		if err != nil {
			return err
		}
		sink.TaskEvent(id, e)
	case kindSample:
		s, err := r.decodeSample(id, body)
		if err != nil {
			return err
		}
		sink.Sample(id, s)
	case kindStats:
		s, err := decodeStats(body)
		if err != nil {
			return err
		}
		sink.Stats(id, s)
	case kindWatermark:
		sink.Watermark(id, jvmlog.MonoTime(le.Uint64(body)))
	case kindGone:
		r.forget(id)
		sink.JVMGone(id)
	case kindSymbol:
		f, err := decodeSymbol(body)
		if err != nil {
			return err
		}
		sink.Symbol(id, f)
	default:
		r.skipped++
	}
	return nil
}

// leastBytes are the smallest bodies of the kinds.
var leastBytes = map[kind]int{
	kindJVM: 32 + jvmlog.HeaderBytes, kindThread: 8 + jvmlog.ThreadSlotBytes, kindStats: 8,
	kindWatermark: 8, kindSymbol: 24,
}

func decodeJVM(id sampler.JVMID, b []byte) (sampler.JVM, error) {
	h, err := jvmlog.DecodeHeader(b[32:])
	return sampler.JVM{
		ID: id, PID: int(le.Uint64(b)), StartTicks: le.Uint64(b[8:]), Mode: sampler.Mode(le.Uint32(b[16:])),
		FoundAt: jvmlog.MonoTime(le.Uint64(b[24:])), Header: h,
	}, err
}

// forget drops the stacks of a JVM that is gone.
func (r *Reader) forget(id sampler.JVMID) {
	if tree := r.trees[id]; tree != nil {
		r.size -= tree.size()
		delete(r.trees, id)
	}
}

func (r *Reader) decodeSample(id sampler.JVMID, body []byte) (sampler.Sample, error) {
	if r.major == 1 {
		return decodeSample1(body)
	}
	return r.readSample(id, body)
}

func decodeTaskEvent(b []byte) (jvmlog.TaskEvent, error) {
	e, err := jvmlog.DecodeTaskEvent(b)
	if err != nil || len(b) < jvmlog.TaskEventBytes+16 {
		return e, err
	}
	e.RunProbability, e.LeftOut = math.Float64frombits(le.Uint64(b[jvmlog.TaskEventBytes:])), le.Uint32(b[jvmlog.TaskEventBytes+8:]) == 1
	if !(e.RunProbability >= 0 && e.RunProbability <= 1) {
		return e, fmt.Errorf("π of the run %v is not in 0 … 1", e.RunProbability)
	}
	return e, nil
}

func decodeStats(b []byte) (sampler.Stats, error) {
	var s sampler.Stats
	n := uint64(le.Uint32(b))
	if have := uint64(len(b)-8) / 8; n > have {
		return s, fmt.Errorf("%d fields, %d fit", n, have)
	}
	for i, f := range statsFields(&s) {
		if uint64(i) < n {
			*f = le.Uint64(b[8+8*i:])
		}
	}
	return s, nil
}

func decodeSymbol(b []byte) (codemap.Frame, error) {
	f := codemap.Frame{Addr: le.Uint64(b), Line: int(le.Uint32(b[12:]))}
	if k := le.Uint32(b[8:]); k > uint32(codemap.Kernel) {
		return f, fmt.Errorf("unknown kind of frame %d", k)
	}
	f.Kind = codemap.Kind(b[8])
	rest := b[16:]
	for _, s := range []*string{&f.Method, &f.File} {
		if len(rest) < 4 || uint64(le.Uint32(rest)) > uint64(len(rest)-4) {
			return f, fmt.Errorf("text at byte %d does not fit into %d bytes", len(b)-len(rest), len(b))
		}
		n := int(le.Uint32(rest))
		*s = string(rest[4 : 4+n])
		rest = rest[4+n:]
	}
	return f, nil
}
