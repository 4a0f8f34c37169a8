package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// interrupts is a host that is slower as a whole. A timer interrupts each task thread again and
// again, whatever it does. The time that the kernel takes for it is the thread's CPU. All operators
// get more expensive by the same factor.
type interrupts struct {
	every time.Duration
	stops chan struct{}
	done  sync.WaitGroup
	open  map[string]int // by folder of the thread
	err   error
}

// startInterrupts interrupts the task threads of all JVMs that it sees, new ones within half a
// second, until stop.
func startInterrupts(every time.Duration) (*interrupts, error) {
	s := &interrupts{every: every, stops: make(chan struct{}), open: map[string]int{}}
	if err := s.scan(); err != nil {
		return nil, errors.Join(err, s.close())
	}
	s.done.Go(func() {
		tick := time.NewTicker(500 * time.Millisecond)
		defer tick.Stop()
		for s.err == nil {
			select {
			case <-s.stops:
				return
			case <-tick.C:
				s.err = s.scan()
			}
		}
	})
	return s, nil
}

// stop ends it; the error is the first of a scan.
func (s *interrupts) stop() error {
	close(s.stops)
	s.done.Wait()
	return errors.Join(s.err, s.close())
}

func (s *interrupts) close() (err error) {
	for _, fd := range s.open {
		err = errors.Join(err, unix.Close(fd))
	}
	return err
}

// taskThread is how the names of Spark's task threads begin, as the kernel keeps them.
const taskThread = "Executor task l"

func (s *interrupts) scan() error {
	threads, err := filepath.Glob("/proc/[0-9]*/task/[0-9]*")
	if err != nil {
		return err
	}
	for _, thread := range threads {
		name, err := os.ReadFile(filepath.Join(thread, "comm"))
		if _, known := s.open[thread]; err != nil || known || !strings.HasPrefix(string(name), taskThread) {
			continue // gone meanwhile, or not of interest
		}
		tid, err := strconv.Atoi(filepath.Base(thread))
		if err != nil {
			return err
		}
		attr := unix.PerfEventAttr{Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_CPU_CLOCK, Sample: uint64(s.every.Nanoseconds())}
		attr.Bits = unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv // of what is reported, which an ordinary user may have; the timer fires all the same
		attr.Size = uint32(unsafe.Sizeof(attr))
		fd, err := unix.PerfEventOpen(&attr, tid, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
		switch {
		case errors.Is(err, unix.ESRCH): // it has just ended
		case err != nil:
			return fmt.Errorf("interrupt thread %s: %w", thread, err)
		default:
			s.open[thread] = fd
		}
	}
	return nil
}
