package procfs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// Scanner finds processes that have planflame's memfds mapped. A scan of processes that are known
// to have none costs a read of their stat each, and that only now and then. Their mappings, some
// ten thousand on a node, are looked at again soon only if the process is called as JVMs are, and
// has not too many. Processes that cannot be JVMs (kernel threads) cost nothing after the first.
// Close it. Not safe for concurrent use.
type Scanner struct {
	FS  FS
	Now func() time.Duration // time since boot; nil: CLOCK_BOOTTIME

	// Young is the age up to which a process that the filter wants is looked at in every scan. exec
	// keeps the pid and the start time, and an agent is loaded a while after its JVM has started.
	// 0: DefaultYoung.
	Young time.Duration
	// Recheck is how often an older process is looked at again: one that is not called java, or
	// that was found, less and less often, down to RecheckOthers. 0: DefaultRecheck.
	Recheck time.Duration
	// RecheckOthers is how often that is done thoroughly if the process is not called "java" and
	// has the same name as the last time. A JVM within another program, which loads its agent late,
	// is found late by so much. 0: DefaultRecheckOthers.
	RecheckOthers time.Duration

	known  map[int]*seen
	buf    []byte
	births births
	pids   []int // of list
}

// Defaults of a Scanner.
const (
	DefaultYoung         = 30 * time.Second
	DefaultRecheck       = 5 * time.Second
	DefaultRecheckOthers = time.Minute
)

// muchMaps is so much text of mappings that a process is looked at again only after RecheckOthers,
// whatever it is called. An executor has a tenth of it; a search engine maps its index in tens of
// thousands of pieces, which take the kernel 50 ms to list.
const muchMaps = 1 << 20

// javaComm is what a JVM's launcher calls the process.
const javaComm = "java"

// seen is what a Scanner remembers of a process.
type seen struct {
	startTicks uint64
	next       time.Duration // since boot; not looked at before
	comm       string        // when its mappings were looked at last
	others     time.Duration // since boot; they are not looked at before under that name, unless it is a JVM's
	many       bool          // mappings: being called as a JVM is does not help
	found      bool          // already returned
	foreign    memfds        // that NotFound said are another's
	mapped     memfds        // as it was returned
	kernel     bool          // a kernel thread: for ever without mappings
	unreadable bool
	mark       bool // still there in this scan
}

// ScanResult is what one scan found.
type ScanResult struct {
	Found      []Process // new since the last scan, or forgotten since
	Processes  int       // in all
	Examined   int       // whose mappings were looked at in this scan
	Unreadable []int     // pids of processes called java that this user may not look into, as of their last examination; in no order
}

// Scan looks at the processes for which filter says true (nil: all). What it has said no to is
// asked about again after Recheck.
func (s *Scanner) Scan(filter func(pid int) bool) (ScanResult, error) {
	if s.known == nil {
		s.known = map[int]*seen{}
	}
	pids, err := s.list()
	if err != nil {
		return ScanResult{}, err
	}
	r, now := ScanResult{Processes: len(pids)}, s.now()
	for _, pid := range pids {
		s.look(pid, now, filter, &r)
	}
	for pid, k := range s.known {
		if !k.mark {
			delete(s.known, pid)
			continue
		}
		k.mark = false
		if k.unreadable {
			r.Unreadable = append(r.Unreadable, pid)
		}
	}
	return r, nil
}

// list lists the processes: those that are known, if none can have begun since the last scan.
func (s *Scanner) list() ([]int, error) {
	if s.births.since(s.FS) {
		return s.FS.Processes()
	}
	s.pids = s.pids[:0]
	for pid := range s.known {
		s.pids = append(s.pids, pid)
	}
	return s.pids, nil
}

// Forget makes the next scan return the process again, if it is still there.
func (s *Scanner) Forget(pid int) {
	delete(s.known, pid)
	s.births.forget()
}

// NotFound takes back that a process was found. It has the memory of another mapped, as a child
// between fork and exec has, and every reader of a JVM, this one too. It is found again when it has
// mapped other memory.
func (s *Scanner) NotFound(pid int) {
	if k := s.known[pid]; k != nil {
		k.found, k.foreign, k.next = false, k.mapped, 0
	}
}

// Close gives back the file that is kept open.
func (s *Scanner) Close() { s.births.close() }

func (s *Scanner) look(pid int, now time.Duration, filter func(int) bool, r *ScanResult) {
	k := s.known[pid]
	if k != nil && (k.kernel || now < k.next) {
		k.mark = true
		return
	}
	st, err := s.FS.Stat(pid)
	if err != nil {
		return // gone since the folder was read: forgotten, as it is not marked
	}
	if k == nil || k.startTicks != st.StartTicks {
		k = &seen{startTicks: st.StartTicks}
		s.known[pid] = k
	}
	k.mark = true
	wanted := !k.found && (filter == nil || filter(pid))
	young := now-st.Started() < orDefault(s.Young, DefaultYoung)
	if !wanted || !young {
		k.next = now + s.recheck(k, st, now)
	}
	if !wanted || (k.many || !young && st.Comm != javaComm) && st.Comm == k.comm && now < k.others {
		return
	}
	k.comm, k.others = st.Comm, now+orDefault(s.RecheckOthers, DefaultRecheckOthers)
	if s.kernelThread(pid) {
		k.kernel = true
		return
	}
	r.Examined++
	if s.buf == nil {
		s.buf = make([]byte, mapsBuffer)
	}
	p, ok, read, err := s.FS.find(Identity{PID: pid, StartTicks: st.StartTicks}, s.buf)
	k.unreadable = errors.Is(err, fs.ErrPermission) && st.Comm == javaComm
	k.many = read >= muchMaps
	if ok && p.memfds != k.foreign {
		k.found, k.mapped = true, p.memfds
		r.Found = append(r.Found, p)
	}
}

// recheck is the time to the next look at a process. What is not called java becomes a JVM by exec,
// if at all, and soon after it has begun as a rule. Whoever got a JVM sees its end.
func (s *Scanner) recheck(k *seen, st Stat, now time.Duration) time.Duration {
	least := orDefault(s.Recheck, DefaultRecheck)
	if st.Comm == javaComm && !k.found {
		return least
	}
	const part = 16 // of its age
	return min(max(least, (now-st.Started())/part), max(least, orDefault(s.RecheckOthers, DefaultRecheckOthers)))
}

// kernelThread: a kernel thread has an exe link that does not resolve (ENOENT), and so has a
// zombie, which has no mappings either. Only a kernel thread's has no command line and is told by
// its parent, kthreadd (pid 2).
func (s *Scanner) kernelThread(pid int) bool {
	_, err := os.Readlink(s.FS.path(strconv.Itoa(pid), "exe"))
	if !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	st, err := s.FS.Stat(pid)
	return err == nil && (pid == 2 || st.Parent == 2) && s.kthreadd()
}

// kthreadd reports whether pid 2 is the kernel's; in a container it is any process.
func (s *Scanner) kthreadd() bool {
	st, err := s.FS.Stat(2)
	return err == nil && st.Comm == "kthreadd" && st.Parent == 0
}

func (s *Scanner) now() time.Duration {
	if s.Now != nil {
		return s.Now()
	}
	return Uptime()
}

// Uptime is the time since boot, of which Stat.StartTicks is a moment.
func Uptime() time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &ts); err != nil {
		panic(fmt.Sprintf("procfs: CLOCK_BOOTTIME: %v", err)) // cannot fail on Linux
	}
	return time.Duration(ts.Nano())
}

func orDefault(d, otherwise time.Duration) time.Duration {
	if d == 0 {
		return otherwise
	}
	return d
}
