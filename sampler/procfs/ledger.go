package procfs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// MaxThreadNames bounds the names under which a Ledger keeps the CPU of one process's threads.
const MaxThreadNames = 128

// ThreadTimes is the CPU of one process since its Ledger began, or since its birth.
type ThreadTimes struct {
	Process time.Duration // by the process's own clock
	// ByName is the CPU that was seen on threads, by their names without numbers ("GC Thread#", "C2
	// CompilerThre"); never falls.
	ByName map[string]time.Duration
	// Unnamed is the part of Process that no reading saw on a thread. It is of threads that have
	// ended since, of what they used after their last reading, and of what ran since the last
	// reading of threads. Process is ByName's sum + Unnamed.
	Unnamed  time.Duration
	Overflow uint64 // threads whose CPU stands under OverflowName because MaxThreadNames was reached
}

// OverflowName stands in ThreadTimes.ByName for names beyond MaxThreadNames.
const OverflowName = "…"

// Ledger keeps the CPU of the threads of one process by name. Close it. Not safe for concurrent
// use.
//
// What a thread uses between two readings stands under its name. Asking for it opens a file, while
// the CPU's is kept open. What a thread is for is settled soon after it starts (Spark's task
// threads change their names all the time, among names that mean the same). So the name is read
// again by the first namesFirst readings that find something to book, and by the 8th, 16th, 32nd
// and so on. What is renamed later keeps its old name for as many readings as it had it. A thread
// that ends takes what it used since its last reading with it. The process's clock has it, and it
// becomes ThreadTimes.Unnamed.
type Ledger struct {
	fs      FS
	pid     int
	start   time.Duration // of the process's clock
	clock   time.Duration // as read last
	seen    time.Duration // of it when threads were read last
	threads map[int]*threadCPU
	byName  map[string]time.Duration
	named   time.Duration // the sum of byName
	round   uint64
	over    uint64
	open    int // threads whose file is kept open
}

// namesFirst is how many readings of a thread read its name, before that becomes rare.
const namesFirst = 4

// maxOpen bounds the files that one Ledger keeps open: reading an open one costs a quarter of
// opening it again. A driver that joins has 500 threads, most of which rest. A sixteenth of what
// this process may open is the most.
var maxOpen = sync.OnceValue(func() int {
	const enough, part = 1024, 16
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	return int(min(enough, limit.Cur/part))
})

// threadCPU is what a Ledger remembers of a thread.
type threadCPU struct {
	cpu   time.Duration
	name  string
	books uint32 // how often something was booked
	round uint64 // last seen
	over  bool
	fd    int // of its schedstat; -1 none is kept
}

// Ledger begins the account of a process: at its birth, or with this moment.
func (p FS) Ledger(pid int, sinceBirth bool) (*Ledger, error) {
	l := &Ledger{fs: p, pid: pid, threads: map[int]*threadCPU{}, byName: map[string]time.Duration{}}
	if sinceBirth {
		return l, nil
	}
	// The clock first: what runs in between counts as seen later, never twice.
	clock, err := p.CPUClock(pid)
	if err != nil {
		return nil, err
	}
	if err := l.eachThread(func(_ *threadCPU, _ int, _ time.Duration) {}); err != nil {
		return nil, err
	}
	l.start, l.clock, l.seen = clock, clock, clock
	return l, nil
}

// Clock reads the process's clock alone: cheap enough to be read often, so that little is missed
// when the process ends.
func (l *Ledger) Clock() error {
	clock, err := l.fs.CPUClock(l.pid)
	if err != nil {
		return err
	}
	l.clock = max(l.clock, clock)
	return nil
}

// Read reads all threads, and then the process's clock, so that it has at least what they have.
func (l *Ledger) Read() error {
	if err := l.eachThread(l.book); err != nil {
		return err
	}
	err := l.Clock()
	l.seen = l.clock
	return err
}

// Behind is what the process has used between the last Read and the last Clock.
func (l *Ledger) Behind() time.Duration { return l.clock - l.seen }

// Times is the account as of the last Read or Clock; the map is the caller's.
func (l *Ledger) Times() ThreadTimes {
	t := ThreadTimes{Process: max(l.clock-l.start, l.named), ByName: make(map[string]time.Duration, len(l.byName)), Overflow: l.over}
	for name, cpu := range l.byName {
		t.ByName[name] = cpu
	}
	t.Unnamed = t.Process - l.named
	return t
}

// book adds what a thread has used since its last reading to its name.
func (l *Ledger) book(t *threadCPU, tid int, used time.Duration) {
	if used <= 0 {
		return
	}
	if t.name == "" || t.books < namesFirst || t.books > namesFirst && t.books&(t.books-1) == 0 {
		if comm, err := l.fs.ThreadName(l.pid, tid); err == nil {
			t.name = withoutNumbers(comm)
		} // a thread that has just ended keeps its name
	}
	t.books++
	name := t.name
	if _, known := l.byName[name]; !known && len(l.byName) >= MaxThreadNames {
		name = OverflowName
		if !t.over {
			t.over = true
			l.over++
		}
	}
	l.byName[name] += used
	l.named += used
}

// eachThread reads the CPU of every thread, tells use what is new of it, and forgets the threads
// that are gone. Threads are listed only if there are more than those known that live: to list them
// costs more than to read them.
func (l *Ledger) eachThread(use func(t *threadCPU, tid int, used time.Duration)) error {
	l.round++
	for tid := range l.threads {
		if err := l.readThread(tid, use); err != nil {
			return err
		}
	}
	if n, err := l.fs.threadCount(l.pid); err != nil || n == len(l.threads) {
		return err
	}
	tids, err := l.fs.ThreadIDs(l.pid)
	if err != nil {
		return err
	}
	for _, tid := range tids {
		if t := l.threads[tid]; t != nil && t.round == l.round {
			continue
		}
		if err := l.readThread(tid, use); err != nil {
			return err
		}
	}
	return nil
}

// readThread tells use what is new of a thread, or forgets it if it is gone.
func (l *Ledger) readThread(tid int, use func(t *threadCPU, tid int, used time.Duration)) error {
	t := l.threads[tid]
	if t == nil {
		t = &threadCPU{fd: -1}
		l.threads[tid] = t
	}
	cpu, err := l.read(t, tid)
	if Gone(err) {
		l.shut(t)
		delete(l.threads, tid)
		return nil
	}
	if err != nil {
		return err // what is known of it stays
	}
	if cpu < t.cpu { // another with the number of one that has ended
		t.cpu, t.books = 0, 0
	}
	t.round = l.round
	used := cpu - t.cpu
	t.cpu = cpu
	use(t, tid, used)
	return nil
}

// read reads a thread's CPU. A file that was opened for a thread that has ended says so, even when
// its number is another's by now.
func (l *Ledger) read(t *threadCPU, tid int) (time.Duration, error) {
	if t.fd >= 0 {
		cpu, err := readSchedstat(t.fd)
		if !Gone(err) {
			return cpu, err
		}
		l.shut(t)
		*t = threadCPU{fd: -1}
	}
	if l.open >= maxOpen() {
		return l.fs.ThreadCPU(l.pid, tid)
	}
	path := l.fs.path(strconv.Itoa(l.pid), "task", strconv.Itoa(tid), "schedstat")
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", path, os.NewSyscallError("open", err))
	}
	t.fd = fd
	l.open++
	return readSchedstat(fd)
}

// shut closes the file of a thread; nothing can be lost by it.
func (l *Ledger) shut(t *threadCPU) {
	if t.fd >= 0 {
		_ = unix.Close(t.fd)
		l.open--
	}
	t.fd = -1
}

// Close gives back the files that are kept open. The account stays as it was read last.
func (l *Ledger) Close() {
	for _, t := range l.threads {
		l.shut(t)
	}
	clear(l.threads)
}

func readSchedstat(fd int) (time.Duration, error) {
	var buf [96]byte
	n, err := unix.Pread(fd, buf[:], 0)
	if err != nil {
		return 0, os.NewSyscallError("read schedstat", err)
	}
	cpu, _, err := parseSchedstat(buf[:n])
	return cpu, err
}

// withoutNumbers takes the numbers out of a thread's name, so that the threads of a pool have one
// name: "shuffle-client-4-1" is "shuffle-client". Digits behind a letter stay: "C2 CompilerThre",
// "G1 Conc".
func withoutNumbers(name string) string {
	var out []byte
	for i := 0; i < len(name); i++ {
		if c := name[i]; '0' <= c && c <= '9' {
			if n := len(out); n == 0 || !letterOrDigit(out[n-1]) {
				continue
			}
		}
		out = append(out, name[i])
	}
	return strings.TrimRight(string(out), "-#_ .(:/")
}

func letterOrDigit(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// Gone tells the error of a process or thread that has ended from others; ESRCH is what reading an
// open file of /proc gives then.
func Gone(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ESRCH) }
