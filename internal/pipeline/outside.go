package pipeline

import (
	"slices"
	"strings"
	"time"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/printable"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/procfs"
	"github.com/planflame/planflame/tasksample"
)

// Buckets of CPU outside of tasks, beside attribution's gc and jit.
const (
	BucketVM           attribution.Bucket = "vm threads"            // the VM's own thread and the JDK's helpers
	BucketShuffle      attribution.Bucket = "shuffle and rpc"       // Netty and RPC dispatchers
	BucketDriver       attribution.Bucket = "driver"                // planning, scheduling, listeners, the user's own main program
	BucketExecutor     attribution.Bucket = "executor housekeeping" // heartbeats, metrics, cleaners, monitors
	BucketProfiler     attribution.Bucket = "profiler"              // planflame's own threads
	BucketPythonFeed   attribution.Bucket = "python feed"           // threads that compute and write the rows for Python workers (Spark 3.5): of their stage
	BucketOtherThreads attribution.Bucket = "other threads"
	BucketUnseen       attribution.Bucket = "ended threads" // the process's clock has it, no reading saw it on a thread
	BucketPython       attribution.Bucket = "python worker" // of which no plan node is known
	BucketPythonDaemon attribution.Bucket = "python daemon"
	BucketChildren     attribution.Bucket = "child processes" // all others that the JVM started
)

// bucketTasks stands for task threads: their CPU is told by their tasks.
const bucketTasks attribution.Bucket = "\x00tasks"

// threadClasses tell threads by the beginning of their names, of which the kernel keeps 15 bytes;
// the longest prefix decides. Names as in HotSpot 17 to 25 (os_linux.cpp sets them) and Spark 3.5
// to 4.3.
var threadClasses = []struct {
	prefix string
	bucket attribution.Bucket
}{
	{"Executor task", bucketTasks}, // "… launch worker"; idle ones have another name in Spark 4.x
	{"GC Thread", attribution.BucketGC}, {"G1 ", attribution.BucketGC}, {"ParGC", attribution.BucketGC}, {"ZDriver", attribution.BucketGC},
	{"ZWorker", attribution.BucketGC}, {"ZDirector", attribution.BucketGC}, {"ZStat", attribution.BucketGC}, {"ZUncommitter", attribution.BucketGC},
	{"ZUnmapper", attribution.BucketGC}, {"Shenandoah", attribution.BucketGC}, {"ParallelGC", attribution.BucketGC}, {"StringDedup", attribution.BucketGC},
	{"C1 CompilerThre", attribution.BucketJIT}, {"C2 CompilerThre", attribution.BucketJIT}, {"JVMCI", attribution.BucketJIT}, {"Sweeper thread", attribution.BucketJIT},
	{"VM Thread", BucketVM}, {"VM Periodic", BucketVM}, {"Signal Dispatch", BucketVM}, {"Service Thread", BucketVM}, {"Monitor Deflati", BucketVM},
	{"Notification", BucketVM}, {"Reference Handl", BucketVM}, {"Finalizer", BucketVM}, {"Common-Cleaner", BucketVM}, {"Attach Listener", BucketVM},
	{"process reaper", BucketVM}, {"DestroyJavaVM", BucketVM}, {"Cleaner", BucketVM}, {"Compiler", BucketVM}, {"JFR ", BucketVM},
	{"shuffle-", BucketShuffle}, {"rpc-", BucketShuffle}, {"netty-rpc", BucketShuffle}, {"dispatcher-", BucketShuffle}, {"files-", BucketShuffle},
	{"map-output-disp", BucketShuffle}, {"block-manager", BucketShuffle}, {"RemoteBlock", BucketShuffle}, {"broadcast-client", BucketShuffle},
	{"dag-scheduler", BucketDriver}, {"task-result-get", BucketDriver}, {"spark-listener", BucketDriver}, {"SparkUI", BucketDriver}, {"element-trackin", BucketDriver},
	{"Spark Context C", BucketDriver}, {"context-cleaner", BucketDriver}, {"broadcast-excha", BucketDriver}, {"QueryStageCreat", BucketDriver}, {"ResultQueryStag", BucketDriver}, {"subquery", BucketDriver},
	{"serve-", BucketDriver}, {"task-", BucketDriver},
	{"refresh progres", BucketDriver}, {"stream executi", BucketDriver}, {"task-scheduler", BucketDriver}, {"heartbeat-recei", BucketDriver}, {"driver-revive", BucketDriver},
	{"LeaseRenewer", BucketDriver}, {"java", BucketDriver}, {"main", BucketDriver}, {"Thread", BucketDriver}, {"Gateway", BucketDriver}, {"py4j", BucketDriver},
	{"qtp", BucketDriver}, {"ForkJoinPool", BucketDriver}, {"shutdown-hook", BucketExecutor}, {"SparkUncaught", BucketDriver}, {"stream-", BucketDriver},
	{"executor-", BucketExecutor}, {"driver-heartbea", BucketExecutor}, {"threadDeathWatc", BucketExecutor}, {"Idle Worker Mon", BucketExecutor},
	{"Worker Monitor", BucketExecutor}, {"Monitor for pyt", BucketExecutor}, {"Timer", BucketExecutor}, {"task reaper", BucketExecutor}, {"Task reaper", BucketExecutor},
	{"org.apache.hado", BucketExecutor}, {"stderr reader", BucketExecutor}, {"stdout reader", BucketExecutor}, {"redirect", BucketExecutor},
	{"read stdout", BucketExecutor}, {"read stderr", BucketExecutor}, {"Writer Monitor", BucketExecutor}, {"streaming-shuff", BucketShuffle},
	{"planflame", BucketProfiler}, {"stdout writer", BucketPythonFeed}, {"Writer for", BucketPythonFeed},
	{procfs.OverflowName, BucketOtherThreads},
}

// classOf is the bucket of a thread by its name.
func classOf(name string) attribution.Bucket {
	best, bucket := 0, BucketOtherThreads
	for _, c := range threadClasses {
		if len(c.prefix) > best && strings.HasPrefix(name, c.prefix) {
			best, bucket = len(c.prefix), c.bucket
		}
	}
	return bucket
}

// Outside is exact CPU that no task used: of another thread of the JVM, or of a child process.
// Samples know nothing of it.
type Outside struct {
	Labels // Group is set
	CPU    time.Duration
	// Below and Above bound the CPU of Python workers that belongs here: it is in [CPU - Below, CPU
	// + Above]. CPU may be 0.
	Below, Above time.Duration
	From, To     jvmlog.MonoTime // it was used in between
	Late         bool            // the execution was over for this JVM already
	Stack        []StackFrame    // leaf first: at least the frame of the operator or bucket
}

// Processes are the sums behind the Outside of one reading.
type Processes struct {
	Process, TaskThreads, Threads, Children, Workers, Unplaced time.Duration
}

// OutsideConsumer is a Consumer that also takes CPU outside of tasks. What comes is new since the
// last reading.
type OutsideConsumer interface {
	Consumer
	Outside(Outside)
	Processes(sampler.JVMID, Processes)
}

// accounts are what was booked of a JVM's accounts.
type accounts struct {
	last    Account // without Threads
	named   map[string]*namedThreads
	time    jvmlog.MonoTime
	threads jvmlog.MonoTime // of the last reading of threads
	unnamed time.Duration   // as booked
	raw     time.Duration   // as the last reading of threads had it
}

// namedThreads are the threads of one name.
type namedThreads struct {
	shown  string // the name, fit for a terminal
	bucket attribution.Bucket
	cpu    time.Duration // as booked
}

// threadUse is CPU that threads of one name used, more than 0.
type threadUse struct {
	of  *namedThreads
	cpu time.Duration
}

// spent is what a reading brought: the CPU since the one before.
type spent struct {
	from, to jvmlog.MonoTime
	account  Account // differences, without Threads; Live is not
	used     []threadUse
	threads  jvmlog.MonoTime // since when the threads' CPU is
	unnamed  time.Duration
}

// spent takes a reading and returns what is new in it. Nothing falls: what did is taken as
// unchanged.
func (a *accounts) spent(t jvmlog.MonoTime, now Account) *spent {
	s := &spent{from: a.time, to: t, account: Account{Live: now.Live}}
	grow := func(last *time.Duration, now time.Duration) time.Duration {
		used := max(now-*last, 0)
		*last += used
		return used
	}
	s.account.Process = grow(&a.last.Process, now.Process)
	s.account.Workers = grow(&a.last.Workers, now.Workers)
	s.account.Daemons = grow(&a.last.Daemons, now.Daemons)
	s.account.Children = grow(&a.last.Children, now.Children)
	for name, cpu := range now.Threads {
		of := a.threadsNamed(name)
		if used := grow(&of.cpu, cpu); used > 0 {
			s.used = append(s.used, threadUse{of, used})
		}
	}
	var named time.Duration
	for _, of := range a.named {
		named += of.cpu
	}
	// What runs while threads are read looks unnamed until the next reading: the smaller of two
	// neighbors is what stays.
	if len(now.Threads) > 0 {
		s.threads, a.threads = a.threads, t
		unnamed := a.last.Process - named
		s.unnamed = grow(&a.unnamed, min(unnamed, a.raw))
		a.raw = unnamed
		if now.Last {
			s.unnamed += grow(&a.unnamed, unnamed)
		}
	}
	if now.Overflow > a.last.Overflow {
		s.account.Overflow, a.last.Overflow = now.Overflow-a.last.Overflow, now.Overflow
	}
	if now.Started > a.last.Started {
		s.account.Started, a.last.Started = now.Started-a.last.Started, now.Started
	}
	a.time = t
	return s
}

// threadsNamed are the threads of a name. They are made if there are none.
func (a *accounts) threadsNamed(name string) *namedThreads {
	of := a.named[name]
	if of == nil {
		if a.named == nil {
			a.named = map[string]*namedThreads{}
		}
		shown := printable.Text(name)
		of = &namedThreads{shown: shown, bucket: classOf(shown)}
		a.named[name] = of
	}
	return of
}

// book delivers what a reading brought.
func (j *jvm) book(s *spent) {
	sums := Processes{Process: s.account.Process}
	j.p.counts.OverflowThreads += s.account.Overflow
	threads := j.outsideLabels(GroupThreads)
	for _, u := range s.used {
		switch u.of.bucket {
		case bucketTasks:
			sums.TaskThreads += u.cpu
		case BucketPythonFeed:
			sums.Threads += u.cpu
			j.bookFeed(s, u.cpu)
		default:
			sums.Threads += u.cpu
			j.deliverOutside(Outside{Labels: threads.in(u.of.bucket), CPU: u.cpu, From: s.threads, To: s.to}, u.of.shown)
		}
	}
	sums.Threads += s.unnamed
	j.deliverOutside(Outside{Labels: threads.in(BucketUnseen), CPU: s.unnamed, From: s.threads, To: s.to}, "")
	if j.clusterDriver {
		j.p.outside.Processes(j.info.ID, sums)
		return // its children may be executors, which have an account of their own
	}
	children := j.outsideLabels(GroupChildren)
	j.deliverOutside(Outside{Labels: children.in(BucketPythonDaemon), CPU: s.account.Daemons, From: s.from, To: s.to}, "")
	j.deliverOutside(Outside{Labels: children.in(BucketChildren), CPU: s.account.Children, From: s.from, To: s.to}, "")
	if s.account.Workers > 0 {
		sums.Unplaced = j.bookPython(s)
	}
	sums.Workers, sums.Children = s.account.Workers, s.account.Workers+s.account.Daemons+s.account.Children
	j.p.outside.Processes(j.info.ID, sums)
}

// outsideLabels are the labels of CPU of which nothing but its group is known.
func (j *jvm) outsideLabels(g Group) Labels {
	return Labels{JVM: j.info.ID, Execution: tasksample.NoExecution, Stage: NoStage, Task: -1, Partition: -1, Group: g}
}

// deliverOutside delivers CPU of a bucket; of threads of no known class the name is a frame of its
// own.
func (j *jvm) deliverOutside(o Outside, name string) {
	if o.CPU <= 0 {
		return
	}
	o.Stack = []StackFrame{o.OperatorFrame()}
	if o.Bucket == BucketOtherThreads && name != "" {
		o.Stack = append([]StackFrame{{Name: name, Type: FrameNative}}, o.Stack...)
	}
	j.p.outside.Outside(o)
}

// ThreadBuckets are all buckets of GroupThreads.
func ThreadBuckets() []attribution.Bucket {
	out := []attribution.Bucket{BucketOtherThreads, BucketUnseen}
	for _, c := range threadClasses {
		if c.bucket != bucketTasks && !slices.Contains(out, c.bucket) {
			out = append(out, c.bucket)
		}
	}
	return out
}
