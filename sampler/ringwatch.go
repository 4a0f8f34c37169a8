package sampler

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// ringWatch wakes the sampler up when a ring fills up while all threads rest, so that it can sleep
// for longer than a ring holds. Threads that run are not watched: they would wake it up at times of
// their own, and the drains' timer wakes it for all of them at once.
//
// The rings are in an epoll, and that is in Go's own poller, so that no thread waits. Polling a
// ring takes away that it is full: the epoll says that one is, and not which.
type ringWatch struct {
	file  *os.File
	raw   syscall.RawConn
	fd    int
	woken chan struct{} // a ring was full since it was received from
	ended chan struct{}
}

func newRingWatch() (*ringWatch, error) {
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("watch rings: %w", os.NewSyscallError("epoll_create1", err))
	}
	if err := unix.SetNonblock(fd, true); err != nil { // or Go's poller does not take it
		return nil, errors.Join(fmt.Errorf("watch rings: %w", os.NewSyscallError("fcntl", err)), unix.Close(fd))
	}
	w := &ringWatch{file: os.NewFile(uintptr(fd), "watch of rings"), fd: fd, woken: make(chan struct{}, 1), ended: make(chan struct{})}
	if w.raw, err = w.file.SyscallConn(); err == nil {
		err = w.file.SetReadDeadline(time.Time{}) // an error if Go's poller has refused it
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("watch rings: %w", err), w.file.Close())
	}
	began := make(chan struct{})
	go w.run(began)
	<-began
	return w, nil
}

// run waits until the file is closed. It stays in one Read, whose begin would take a ring away that
// has just become full. So no ring may be watched until that has begun.
func (w *ringWatch) run(began chan<- struct{}) {
	defer close(w.ended)
	waited := false
	_ = w.raw.Read(func(uintptr) bool { // it ends when the file is closed
		if !waited {
			waited = true
			close(began)
			return false
		}
		select {
		case w.woken <- struct{}{}:
		default:
		}
		return false
	})
}

func (w *ringWatch) close() error {
	err := w.file.Close()
	<-w.ended
	return err
}

// restsAfter is how long no thread of a JVM has a sample before its rings are watched: one that
// idles for less is drained as before.
const restsAfter = jvmlog.MonoTime(2 * time.Second)

// rests reports whether no thread of a JVM has had a sample lately, and all of its rings are
// watched: their drains can be late. Only this process's own events are watched; the agent opens
// some that are not known here yet.
func (j *jvm) rests() bool {
	if j.rings.watch == nil || j.info.Mode != ModePrivileged || j.switches() && len(j.rates.running) > 0 {
		return false
	}
	j.rings.mu.Lock()
	defer j.rings.mu.Unlock()
	if jvmlog.Now() < j.rings.sampledAt+restsAfter {
		return false
	}
	for _, t := range j.rings.threads {
		if err := j.rings.arm(t); err != nil {
			j.once("rings are read more often", err)
			return false
		}
	}
	return true
}

// arm, with mu held, sees to it that the ring of a thread is watched, unless the thread has ended.
func (r *rings) arm(t *thread) error {
	if t.event == nil || t.watched || t.ended {
		return nil
	}
	var err error
	if t.ended, err = t.event.Ended(); err != nil || t.ended {
		return err
	}
	err = t.event.Watch(r.watch.fd)
	t.watched = err == nil
	return err
}

// disarm, with mu held, ends the watch of a thread's ring.
func (r *rings) disarm(t *thread) error {
	if !t.watched {
		return nil
	}
	t.watched = false
	return t.event.Unwatch(r.watch.fd)
}

// rouse ends the watch of all rings, of which one was full.
func (s *Sampler) rouse() {
	for _, j := range s.jvms {
		j.rings.mu.Lock()
		for _, t := range j.rings.threads {
			if err := j.rings.disarm(t); err != nil {
				j.once("rings are read more often", err)
			}
		}
		j.rings.mu.Unlock()
	}
}
