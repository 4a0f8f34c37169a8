package keep

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
)

// maxPending bounds the bytes that wait for the disk, of all spools: some seconds of a JVM that
// tells all of its code at once.
const maxPending = 32 << 20

// errBehind says that a disk is too slow.
var errBehind = errors.New("the disk is too slow for recordings")

// worker does what it is asked for, in order, on a goroutine of its own.
type worker struct {
	mu     sync.Mutex
	more   *sync.Cond
	queue  []func()
	closed bool
	done   chan struct{}
}

func newWorker() *worker {
	w := &worker{done: make(chan struct{})}
	w.more = sync.NewCond(&w.mu)
	return w
}

// run does all that is asked for until close.
func (w *worker) run() {
	defer close(w.done)
	for {
		w.mu.Lock()
		for len(w.queue) == 0 && !w.closed {
			w.more.Wait()
		}
		queue := w.queue
		w.queue = nil
		w.mu.Unlock()
		if len(queue) == 0 {
			return
		}
		for _, do := range queue {
			do()
		}
	}
}

// do asks for something; it does not wait.
func (w *worker) do(f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queue = append(w.queue, f)
	w.more.Signal()
}

// close ends run when all is done.
func (w *worker) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	w.more.Signal()
}

// disk writes spools.
type disk struct {
	*worker
	pending atomic.Int64 // bytes
}

// take counts bytes that are to wait, and reports whether they may.
func (d *disk) take(n int64) bool {
	if d.pending.Add(n) <= maxPending {
		return true
	}
	d.pending.Add(-n)
	return false
}

// spool is a file that a disk writes. Its methods are the sampler's goroutine's.
type spool struct {
	disk  *disk
	shelf *shelf
	path  string
	bytes int64 // handed over

	mu   sync.Mutex
	err  error    // the first
	file *os.File // of the disk's goroutine
}

// newSpool begins a file, which must not be there.
func newSpool(d *disk, s *shelf, path string) *spool {
	out := &spool{disk: d, shelf: s, path: path}
	d.do(func() {
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if err == nil {
			out.file, err = os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		}
		out.fail(err)
	})
	return out
}

// Write implements io.Writer. It does not wait, and tells of errors later.
func (s *spool) Write(p []byte) (int, error) {
	if err := s.Err(); err != nil {
		return 0, err
	}
	if !s.disk.take(int64(len(p))) {
		s.fail(errBehind)
		return 0, errBehind
	}
	data := slices.Clone(p)
	s.bytes += int64(len(p))
	s.disk.do(func() {
		defer s.disk.pending.Add(-int64(len(data)))
		if s.Err() == nil {
			s.fail(s.write(data))
		}
	})
	return len(p), nil
}

func (s *spool) write(data []byte) error {
	if err := s.shelf.grow(int64(len(data))); err != nil {
		return err
	}
	_, err := s.file.Write(data)
	return err
}

// end closes the file and calls then on the disk's goroutine.
func (s *spool) end(then func()) {
	s.disk.do(func() {
		if s.file != nil {
			s.fail(s.file.Close())
		}
		then()
	})
}

// Err is the first error.
func (s *spool) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

func (s *spool) fail(err error) {
	if err == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
}
