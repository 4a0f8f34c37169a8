package pipeline

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/recording"
)

// spill keeps the items beyond Settings.MaxHeld until the end. Samples go into a file, as a
// recording of their own. Other items are few and stay in memory with their place among the
// samples. The zero value has no file.
type spill struct {
	file   *os.File
	writer *recording.Writer
	n      uint64 // samples in the file
	others []spilled
}

// spilled is an item that is no sample, behind as many samples of the file.
type spilled struct {
	item
	behind uint64
}

// open begins a spill in a file, which belongs to it.
func (s *spill) open(file *os.File) error {
	writer, err := recording.NewWriter(file, recording.Meta{})
	if err != nil {
		return errors.Join(err, file.Close())
	}
	s.file, s.writer = file, writer
	return nil
}

// isOpen reports whether a spill has begun. All that comes then belongs behind it.
func (s *spill) isOpen() bool { return s.writer != nil }

func (s *spill) put(it item) {
	sample, ok := it.(*heldSample)
	if !ok {
		s.others = append(s.others, spilled{it, s.n})
		return
	}
	s.writer.Sample(1, sampler.Sample(*sample))
	s.n++
}

// each calls fn with the items in their order, and closes the file. It returns how many samples
// could not be written or read back.
func (s *spill) each(fn func(item)) (lost uint64) {
	if !s.isOpen() {
		return 0
	}
	back := &spillReader{others: s.others, fn: fn}
	_ = s.writer.Close() // of a file that could not be written whole, the beginning is there
	_ = back.replay(s.file)
	back.othersUpTo(s.n)
	lost = s.n - back.n
	_ = s.file.Close() // it was only read
	*s = spill{}
	return lost
}

// spillReader is the recording.Sink that a spill is read back into: only samples are in it.
type spillReader struct {
	others []spilled
	n      uint64
	fn     func(item)
}

func (r *spillReader) replay(file *os.File) error {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("read samples back: %w", err)
	}
	in, err := recording.NewReader(file)
	if err != nil {
		return fmt.Errorf("read samples back: %w", err)
	}
	defer in.Close()
	return in.Replay(r)
}

func (r *spillReader) othersUpTo(n uint64) {
	for len(r.others) > 0 && r.others[0].behind <= n {
		r.fn(r.others[0].item)
		r.others = r.others[1:]
	}
}

// Sample implements sampler.Sink.
func (r *spillReader) Sample(_ sampler.JVMID, s sampler.Sample) {
	r.othersUpTo(r.n)
	r.n++
	r.fn((*heldSample)(&s))
}

// The other methods of recording.Sink are never called.

func (r *spillReader) JVMFound(sampler.JVM)                                 {}
func (r *spillReader) Thread(sampler.JVMID, jvmlog.Thread)                  {}
func (r *spillReader) Record(sampler.JVMID, jvmlog.MonoTime, jvmlog.Record) {}
func (r *spillReader) TaskEvent(sampler.JVMID, jvmlog.TaskEvent)            {}
func (r *spillReader) Stats(sampler.JVMID, sampler.Stats)                   {}
func (r *spillReader) Watermark(sampler.JVMID, jvmlog.MonoTime)             {}
func (r *spillReader) JVMGone(sampler.JVMID)                                {}
func (r *spillReader) Symbol(sampler.JVMID, codemap.Frame)                  {}
