package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// modes are the attacks; each goes on until the process is killed.
var modes = map[string]func(){
	"unsealed":    func() { l := usual(); l.seals = unix.F_SEAL_GROW; newAgent(l) },
	"hugepages":   func() { l := usual(); l.total, l.flags = 32<<20, unix.MFD_HUGETLB; newAgent(l) },
	"swapped":     swapped,
	"large":       func() { sparse(1000<<20, 4096, 200_000) },
	"holes":       func() { sparse(256<<20, 512, 2048) },
	"slots":       slots,
	"deputy":      deputy,
	"rows-ahead":  func() { rows(far) },
	"rows":        func() { rows(0) },
	"stage":       stages,
	"code":        func() { code(64 << 20) },
	"small-code":  func() { code(4096) },
	"dictionary":  dictionaries,
	"ends":        ends,
	"tasks-ahead": func() { tasks(far) },
	"tasks":       func() { tasks(0) },
	"cpu":         cpu,
	"claims":      claims,
}

func main() {
	if len(os.Args) == 3 && os.Args[1] == "keep" {
		keep(os.Args[2])
	} else if len(os.Args) == 2 && os.Args[1] == "root" {
		burn()
	} else if len(os.Args) != 2 || modes[os.Args[1]] == nil {
		must(fmt.Errorf("usage: hostile MODE"))
	}
	runtime.LockOSThread()
	fmt.Println("pid", os.Getpid())
	modes[os.Args[1]]()
	forever()
}

// sparse publishes a log of which next to nothing was written, and claims that all of it was.
func sparse(total, slotBytes, slots int) {
	l := usual()
	l.slots, l.slotBytes, l.events, l.total = slots, slotBytes, 16_384, total
	l.records = (total - jvmlog.HeaderBytes - slots*slotBytes - l.events*jvmlog.TaskEventBytes) &^ 7
	a := newAgent(l)
	*word32(a.log, hdrThreadsHighWater) = uint32(slots)
	*a.word64(hdrEventsHead) = uint64(l.events)
	a.awaitReader()
	// A PAD every 4 MiB: a reader goes on from one to the next, through all of the ring.
	for at := 0; at+jvmlog.MaxRecordBytes <= l.records; at += jvmlog.MaxRecordBytes {
		b, err := jvmlog.EncodeRecord(nil, uint64(at), jvmlog.Now(), &jvmlog.Unknown{Type: 99, Version: 1, Payload: make([]byte, 1024)})
		must(err)
		b[0], b[1], b[2], b[3] = 0, 0, 0x40, 0 // length 4 MiB
		copy(a.log[a.header.RecordsOffset+uint64(at):], b)
		*a.word64(hdrRecordsCommitted) = uint64(at + jvmlog.MaxRecordBytes)
	}
}

// swapped puts a FIFO, a terminal, a device and another file behind the log's descriptor, one after
// the other, all the time.
func swapped() {
	a := newAgent(usual())
	fd, kept := a.logFD, dup(a.logFD)
	fifo := os.TempDir() + "/fifo." + strconv.Itoa(os.Getpid())
	must(unix.Mkfifo(fifo, 0o666))
	others := []int{kept}
	for _, path := range []string{fifo, "/dev/ptmx", "/dev/zero", "/proc/self/exe"} {
		flag := unix.O_RDWR | unix.O_NOCTTY
		if path == "/proc/self/exe" {
			flag = unix.O_RDONLY
		}
		other, err := unix.Open(path, flag, 0)
		must(err)
		others = append(others, other)
	}
	for i := 0; ; i++ {
		must(unix.Dup3(others[i%len(others)], fd, 0))
		time.Sleep(time.Millisecond)
	}
}

func dup(fd int) int {
	other, err := unix.Dup(fd)
	must(err)
	return other
}

// slots are task threads that are all one thread.
func slots() {
	l := usual()
	l.slots = 1500
	a := newAgent(l)
	a.awaitReader()
	for i := range l.slots {
		a.thread(i, uint32(unix.Gettid()))
	}
	burn()
}

// far is further ahead than any hold.
const far = jvmlog.MonoTime(time.Hour)

func rows(ahead jvmlog.MonoTime) {
	a := newAgent(usual())
	a.awaitReader()
	sums := make([]jvmlog.Accumulated, 2000)
	for i := range sums {
		sums[i] = jvmlog.Accumulated{ID: tasksample.AccumulatorID(i), Sum: 1}
	}
	for {
		a.write(jvmlog.Now()+ahead, &jvmlog.Rows{StageID: 1, ExecutionID: 1, Tasks: 1, Accumulated: sums})
	}
}

func stages() {
	a := newAgent(usual())
	a.awaitReader()
	accumulators := make([]tasksample.AccumulatorID, 2000)
	for i := 0; ; i++ {
		a.write(jvmlog.Now(), &jvmlog.Stage{Stage: tasksample.StageID(i), Execution: 1, Accumulators: accumulators})
	}
}

func code(size uint64) {
	a := newAgent(usual())
	a.awaitReader()
	for i := 0; ; i++ {
		a.write(jvmlog.Now(), &jvmlog.CodeLoad{Address: 1<<40 + uint64(i)*size, Size: uint32(size), Level: 4, Method: jvmlog.MethodID(i + 1)})
	}
}

func dictionaries() {
	a := newAgent(usual())
	a.awaitReader()
	text := make([]byte, 1<<20)
	for i := range text {
		text[i] = 'x'
	}
	for i := 0; ; i++ {
		execution, update := i%512, i/512
		plan := fmt.Sprintf(`{"version": 1, "execution_id": %d, "update": %d, "query": "q%d", "plan": "p", "nodes": [{"parent": -1, "name": "%s", "text": "%d%s", "operator": "o", "role": "scan"}]}`,
			execution, update, i, text[:1000], i, text)
		a.write(jvmlog.Now(), &jvmlog.Dictionary{Execution: tasksample.ExecutionID(execution), Update: uint32(update), JSON: []byte(plan)})
	}
}

func ends() {
	a := newAgent(usual())
	a.awaitReader()
	for i := 0; ; i++ {
		a.write(jvmlog.Now()+far, &jvmlog.ExecutionEnd{ExecutionID: tasksample.ExecutionID(i), UnixNano: 1})
	}
}

// tasks are each on a thread of its own.
func tasks(ahead jvmlog.MonoTime) {
	a := newAgent(usual())
	a.awaitReader()
	for i := 0; ; i++ {
		e := jvmlog.TaskEvent{Time: jvmlog.Now() + ahead, Kind: jvmlog.TaskStart, TID: uint32(i + 1), Task: tasksample.TaskAttemptID(i), Stage: tasksample.StageID(i % 100), Partitions: 5, Execution: -1, InclusionProbability: 1}
		a.tell(e)
		e.Kind, e.ThreadCPUNanos = jvmlog.TaskEnd, 1e9
		a.tell(e)
		if i%1000 == 0 {
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// cpu is one task a second that says it used 10^15 ns.
func cpu() {
	a := newAgent(usual())
	a.awaitReader()
	a.thread(0, uint32(unix.Gettid()))
	for i := 0; ; i++ {
		e := jvmlog.TaskEvent{Time: jvmlog.Now(), Kind: jvmlog.TaskStart, TID: uint32(unix.Gettid()), Task: tasksample.TaskAttemptID(i), Stage: 1, Partitions: 5, Execution: -1, InclusionProbability: 1, ThreadCPUNanos: uint64(i) * 1e15}
		a.tell(e)
		time.Sleep(time.Second)
		e.Time, e.Kind, e.ThreadCPUNanos, e.ExecutorCPUNanos = jvmlog.Now(), jvmlog.TaskEnd, uint64(i+1)*1e15, 1e15
		a.tell(e)
	}
}

// claims says that it is another tenant's, under a name that clears a terminal.
func claims() {
	a := newAgent(usual())
	a.awaitReader()
	a.write(jvmlog.Now(), &jvmlog.Application{JSON: []byte(`{"application_id": "bad", "application_name": "bad\u009b2J", "executor_id": "1", "labels": {"tenant": "good"}}`)})
}

// deputy publishes a log, has another process keep it, and becomes a program of root's.
func deputy() {
	a := newAgent(usual())
	a.awaitReader()
	if pid, _, errno := unix.RawSyscall(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0); errno != 0 {
		must(errno)
	} else if pid == 0 { // only system calls from here to exec
		must(unix.Exec("/proc/self/exe", []string{"java", "keep", strconv.Itoa(unix.Getppid())}, []string{fmt.Sprintf("FDS=%d %d", a.logFD, a.controlFD)}))
	}
	must(unix.Exec(os.Getenv("SETUID"), []string{"java", "root"}, nil))
}

// keep writes into the log of a process that has become another program: its first thread is a task
// thread.
func keep(parent string) {
	var logFD, controlFD int
	_, err := fmt.Sscan(os.Getenv("FDS"), &logFD, &controlFD)
	must(err)
	for { // until the parent is root's
		if _, err := os.Readlink("/proc/" + parent + "/exe"); err != nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	l := usual()
	a := &agent{layout: l, logFD: logFD}
	var st unix.Stat_t
	must(unix.Fstat(logFD, &st))
	a.log, err = unix.Mmap(logFD, 0, int(st.Size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	must(err)
	a.control, err = unix.Mmap(controlFD, 0, jvmlog.ControlBytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	must(err)
	a.header, err = jvmlog.DecodeHeader(a.log[:jvmlog.HeaderBytes])
	must(err)
	go a.live()
	pid, err := strconv.Atoi(parent)
	must(err)
	a.thread(0, uint32(pid))
	a.tell(jvmlog.TaskEvent{Time: jvmlog.Now(), Kind: jvmlog.TaskStart, TID: uint32(pid), Task: 1, Stage: 1, Partitions: 5, Execution: -1, InclusionProbability: 1})
	forever()
}

func forever() {
	for {
		time.Sleep(time.Hour)
	}
}

// burn uses a third of a CPU on this thread.
func burn() {
	runtime.LockOSThread()
	for {
		for begin := time.Now(); time.Since(begin) < 10*time.Millisecond; {
		}
		time.Sleep(20 * time.Millisecond)
	}
}
