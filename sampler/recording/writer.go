package recording

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// Writer is a Sink that writes a recording. As Sink's methods return nothing, the first error
// stands in Err and everything after it is counted as dropped. One goroutine at a time.
type Writer struct {
	zw      *zstd.Encoder
	now     func() time.Time
	flushed time.Time
	entries uint64
	dropped uint64
	trees   map[sampler.JVMID]*growing
	size    int // of all trees
	most    int // of size
	fresh   []frame
	body    []byte
	head    []byte
	err     error
	closed  bool
}

var _ Sink = (*Writer)(nil)

// NewWriter writes the head and the meta entry to w. The caller closes w after Close.
func NewWriter(w io.Writer, meta Meta) (*Writer, error) {
	return newWriter(w, meta, maxNodes, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithWindowSize(1<<20))
}

// NewSpool is NewWriter for a recording that is read once, by Trim: it needs less time and less
// than 10 MiB of memory, and is larger.
func NewSpool(w io.Writer, meta Meta) (*Writer, error) {
	return newWriter(w, meta, spoolNodes, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(1<<18), zstd.WithLowerEncoderMem(true))
}

// spoolNodes is how many nodes and threads a spool's writer keeps, about 7 MiB.
const spoolNodes = 1 << 17

func newWriter(w io.Writer, meta Meta, most int, options ...zstd.EOption) (*Writer, error) {
	head := append(make([]byte, 0, headBytes), magic...)
	head = le.AppendUint16(head, Major)
	head = le.AppendUint16(head, Minor)
	head = le.AppendUint32(head, 0)
	if _, err := w.Write(head); err != nil {
		return nil, fmt.Errorf("write recording head: %w", err)
	}
	zw, err := zstd.NewWriter(w, append(options, zstd.WithEncoderConcurrency(1))...)
	if err != nil {
		return nil, fmt.Errorf("start recording's zstd stream: %w", err)
	}
	out := &Writer{zw: zw, now: time.Now, flushed: time.Now(), trees: map[sampler.JVMID]*growing{}, most: most}
	text, err := json.Marshal(meta)
	if err != nil {
		return nil, fmt.Errorf("encode recording meta: %w", err)
	}
	out.write(kindMeta, 0, text)
	return out, out.Flush()
}

// JVMFound implements sampler.Sink.
func (w *Writer) JVMFound(v sampler.JVM) {
	w.body = encodeJVM(w.body[:0], &v)
	w.write(kindJVM, v.ID, w.body)
}

// Thread implements sampler.Sink.
func (w *Writer) Thread(id sampler.JVMID, t jvmlog.Thread) {
	w.body = encodeThread(w.body[:0], &t)
	w.write(kindThread, id, w.body)
}

// Record implements sampler.Sink. A record too large for the format is dropped and counted.
func (w *Writer) Record(id sampler.JVMID, t jvmlog.MonoTime, r jvmlog.Record) {
	body, err := jvmlog.EncodeRecord(w.body[:0], 0, t, r)
	w.body = body
	if err != nil {
		w.dropped++
		return
	}
	w.write(kindRecord, id, body)
}

// TaskEvent implements sampler.Sink.
func (w *Writer) TaskEvent(id sampler.JVMID, e jvmlog.TaskEvent) {
	w.body = encodeTaskEvent(w.body[:0], &e)
	w.write(kindTaskEvent, id, w.body)
}

// Sample implements sampler.Sink. One that is too large for the format is dropped and counted.
func (w *Writer) Sample(id sampler.JVMID, s sampler.Sample) {
	body, err := w.encodeSample(w.body[:0], id, &s)
	w.body = body
	if err != nil {
		w.dropped++
		return
	}
	w.write(kindSample, id, body)
}

// Stats implements sampler.Sink.
func (w *Writer) Stats(id sampler.JVMID, s sampler.Stats) {
	w.body = encodeStats(w.body[:0], &s)
	w.write(kindStats, id, w.body)
}

// Watermark implements sampler.Sink.
func (w *Writer) Watermark(id sampler.JVMID, t jvmlog.MonoTime) {
	w.body = le.AppendUint64(w.body[:0], uint64(t))
	w.write(kindWatermark, id, w.body)
}

// JVMGone implements sampler.Sink.
func (w *Writer) JVMGone(id sampler.JVMID) {
	if tree := w.trees[id]; tree != nil {
		w.size -= tree.size()
		delete(w.trees, id)
	}
	w.write(kindGone, id, nil)
}

// Symbol implements Sink.
func (w *Writer) Symbol(id sampler.JVMID, f codemap.Frame) {
	w.body = encodeSymbol(w.body[:0], &f)
	w.write(kindSymbol, id, w.body)
}

// Err is the first error of the file, nil while all is well.
func (w *Writer) Err() error { return w.err }

// Dropped is how many entries did not reach the recording: after an error, or too large.
func (w *Writer) Dropped() uint64 { return w.dropped }

// Flush brings everything so far to the file, and returns Err.
func (w *Writer) Flush() error {
	if w.err == nil && !w.closed {
		w.flushed = w.now()
		if err := w.zw.Flush(); err != nil {
			w.err = fmt.Errorf("flush recording: %w", err)
		}
	}
	return w.err
}

// Close writes the end mark and flushes. It returns Err. Closing twice is harmless.
func (w *Writer) Close() error {
	if w.closed {
		return w.err
	}
	w.write(kindEnd, 0, le.AppendUint64(nil, w.entries))
	w.closed = true
	if err := w.zw.Close(); err != nil && w.err == nil {
		w.err = fmt.Errorf("close recording: %w", err)
	}
	return w.err
}

func (w *Writer) write(k kind, id sampler.JVMID, body []byte) {
	if w.err != nil || w.closed || len(body) > MaxBodyBytes {
		w.dropped++
		return
	}
	w.head = binary.AppendUvarint(w.head[:0], uint64(k))
	w.head = binary.AppendUvarint(w.head, uint64(id))
	w.head = binary.AppendUvarint(w.head, uint64(len(body)))
	_, err := w.zw.Write(w.head)
	if err == nil {
		_, err = w.zw.Write(body)
	}
	if err != nil {
		w.dropped++
		w.err = fmt.Errorf("write recording entry %d: %w", w.entries, err)
		return
	}
	w.entries++
	if w.now().Sub(w.flushed) >= FlushInterval {
		_ = w.Flush() // its error stands in Err
	}
}
