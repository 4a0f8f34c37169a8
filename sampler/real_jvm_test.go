package sampler_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"go.uber.org/zap/zaptest"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/internal/testkit"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/procfs"
)

const library = "../build/native/libplanflame.so"

// burner is a running JVM of testdata/java/Burn.java.
type burner struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines *bufio.Scanner
}

func startBurner(t *testing.T, millis int, flags ...string) *burner {
	t.Helper()
	return startJava(t, "Burn", millis, flags...)
}

// startJava runs a class of testdata/java, with the agent and a number for arguments, until it is
// ready.
func startJava(t *testing.T, class string, number int, flags ...string) *burner {
	t.Helper()
	lib, javac := needs(t)
	dir := t.TempDir()
	out, err := exec.Command(javac, "-d", dir, "../agent-jvmti/spark/src/main/java/io/planflame/agent/NativeAgent.java",
		"testdata/java/"+class+".java").CombinedOutput()
	require.NoError(t, err, "%s", out)
	args := append(flags, "-XX:+UseSerialGC", "-Xmx256m", "-cp", dir, class, lib, fmt.Sprint(number))
	b := &burner{cmd: exec.Command(jdkTool("java"), args...)}
	b.cmd.Stderr = os.Stderr
	b.stdin, err = b.cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := b.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, b.cmd.Start())
	t.Cleanup(func() {
		if b.cmd.ProcessState == nil { // the test failed before the end
			assert.NoError(t, errors.Join(b.cmd.Process.Kill(), ignoreExit(b.cmd.Wait())))
		}
	})
	b.lines = bufio.NewScanner(stdout)
	b.expect(t, "ready")
	return b
}

// needs skips the test without the agent or a JDK; it comes before anything is started.
func needs(t *testing.T) (lib, javac string) {
	t.Helper()
	lib, err := filepath.Abs(library)
	require.NoError(t, err)
	_, err = os.Stat(lib)
	testkit.JVM(t)
	testkit.Requires(t, "the agent (make -C agent-jvmti/native)", err)
	javac, err = exec.LookPath(jdkTool("javac"))
	testkit.Requires(t, "a JDK (JAVA_HOME or on the path)", err)
	return lib, javac
}

// jdkTool is a tool of JAVA_HOME or, without that, of the path.
func jdkTool(name string) string {
	if home := os.Getenv("JAVA_HOME"); home != "" {
		return filepath.Join(home, "bin", name)
	}
	return name
}

func ignoreExit(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil
	}
	return err
}

// expect reads the next line, which begins with word, and returns the rest.
func (b *burner) expect(t *testing.T, word string) string {
	t.Helper()
	require.True(t, b.lines.Scan(), "the JVM ended before %q", word)
	rest, ok := strings.CutPrefix(b.lines.Text(), word)
	require.True(t, ok, "%q instead of %q", b.lines.Text(), word)
	return strings.TrimSpace(rest)
}

func (b *burner) end(t *testing.T) {
	t.Helper()
	require.NoError(t, b.stdin.Close())
	require.NoError(t, b.cmd.Wait())
}

// driverFlags are what `planflame run` and the plugin give to JVMs.
var driverFlags = []string{"-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints"}

// keeper is a Sink that keeps everything.
type keeper struct {
	mu      sync.Mutex
	found   []sampler.JVM
	threads map[int]jvmlog.Thread
	code    *codemap.Map
	events  []jvmlog.TaskEvent
	samples []sampler.Sample
	stats   sampler.Stats
	marks   []jvmlog.MonoTime
	late    int                       // samples or events from before the watermark
	methods map[uint64]*jvmlog.Method // by Method*
	told    int                       // compiled methods that the agent has told
	read    int                       // … that the sampler has read, of a method that it has named
	left    bool                      // while the JVM lived
	gone    chan struct{}
}

func newKeeper() *keeper {
	return &keeper{threads: map[int]jvmlog.Thread{}, code: codemap.New(codemap.Settings{}), methods: map[uint64]*jvmlog.Method{}, gone: make(chan struct{})}
}

func (k *keeper) lock() func() { k.mu.Lock(); return k.mu.Unlock }

func (k *keeper) JVMFound(j sampler.JVM)                  { defer k.lock()(); k.found = append(k.found, j) }
func (k *keeper) Thread(_ sampler.JVMID, t jvmlog.Thread) { defer k.lock()(); k.threads[t.Slot] = t }
func (k *keeper) Record(_ sampler.JVMID, t jvmlog.MonoTime, r jvmlog.Record) {
	k.code.Apply(t, r)
	switch r := r.(type) {
	case *jvmlog.Method:
		k.methods[r.Ptr] = r
	case *jvmlog.CodeLoad:
		if r.Method >= sampler.FirstOwnMethod {
			k.read++
		} else {
			k.told++
		}
	}
}
func (k *keeper) Stats(_ sampler.JVMID, s sampler.Stats) { defer k.lock()(); k.stats = s }
func (k *keeper) JVMLeft(sampler.JVMID)                  { k.left = true }
func (k *keeper) JVMGone(sampler.JVMID)                  { close(k.gone) }

func (k *keeper) TaskEvent(_ sampler.JVMID, e jvmlog.TaskEvent) {
	defer k.lock()()
	k.events = append(k.events, e)
	k.check(e.Time)
}

func (k *keeper) Sample(_ sampler.JVMID, s sampler.Sample) {
	defer k.lock()()
	k.samples = append(k.samples, s)
	k.check(s.Time)
}

func (k *keeper) check(t jvmlog.MonoTime) {
	if n := len(k.marks); n > 0 && t < k.marks[n-1] {
		k.late++
	}
}

func (k *keeper) Watermark(_ sampler.JVMID, t jvmlog.MonoTime) {
	defer k.lock()()
	k.marks = append(k.marks, t)
}

// ownChildren keeps tests that run at the same time apart. Samplers start before their JVM, so that
// they come before a Collector of another test, which takes what it finds.
func ownChildren(pid int) bool { return procfs.FS{}.Descends(pid, os.Getpid()) }

// sampleBurner runs a sampler over one JVM until the JVM has ended.
func sampleBurner(t *testing.T, settings sampler.Settings, millis int, flags ...string) (*keeper, *sampler.Sampler) {
	t.Helper()
	needs(t)
	k := newKeeper()
	settings.PIDs = ownChildren
	settings.Logger = zaptest.NewLogger(t)
	settings.ScanInterval = 20 * time.Millisecond
	s, err := sampler.New(settings, k)
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() { done <- s.Run(context.Background()) }()
	b := startBurner(t, millis, flags...)
	b.expect(t, "done")
	b.end(t)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	select {
	case <-k.gone:
	case <-ctx.Done():
		t.Error("the JVM has ended and was not reported gone")
	}
	require.NoError(t, s.Shutdown(ctx))
	require.NoError(t, <-done)
	return k, s
}

const testPeriod = 2 * time.Millisecond

func TestRealJVM(t *testing.T) {
	for _, mode := range []sampler.Policy{sampler.PolicyPrivileged, sampler.PolicySelf} {
		t.Run([]string{"auto", "privileged", "self"}[mode], func(t *testing.T) {
			realJVM(t, sampler.Settings{Mode: mode, ReadCode: true}, driverFlags...)
		})
	}
}

func TestRealJVMOfAnOrdinaryUser(t *testing.T) {
	testkit.JVM(t)
	if testkit.AsNobody(t) {
		realJVM(t, sampler.Settings{ReadCode: true}, driverFlags...)
	}
}

// With them compiled frames are in the kernel's chain, too, and stacks are as whole.
func TestRealJVMWithFramePointers(t *testing.T) {
	realJVM(t, sampler.Settings{Mode: sampler.PolicyPrivileged, ReadCode: true}, append([]string{"-XX:+PreserveFramePointer"}, driverFlags...)...)
}

// A sampler that is told compiled code names the same as one that reads it from the JVM's memory.
func TestRealJVMWhoseCodeIsTold(t *testing.T) {
	realJVM(t, sampler.Settings{Mode: sampler.PolicyPrivileged}, driverFlags...)
}

// realJVM runs Burn under a sampler. It holds the number of samples against the CPU unless the
// hypervisor took more than 1 % of the machine. Then it took it for tenths of a second at a time,
// more than all rings hold and not all told as steal, and the number says nothing.
func realJVM(t *testing.T, settings sampler.Settings, flags ...string) {
	defer goleak.VerifyNone(t)
	const quiet = 0.03 // 1 % stolen
	amiss, band := runRealJVM(t, settings, flags)
	if band < quiet {
		assert.Empty(t, amiss, "band for steal %.3f", band)
	} else {
		t.Logf("not held, for %.1f %% of the machine was stolen: %q", 100*band/3, amiss)
	}
}

// runRealJVM returns what is amiss with the number of samples, and the band that the machine's
// steal asks for.
func runRealJVM(t *testing.T, settings sampler.Settings, flags []string) (amiss []string, band float64) {
	steal := testkit.StartSteal(t)
	settings.BasePeriod = testPeriod
	k, s := sampleBurner(t, settings, 400, flags...)
	band = steal.Band(t)
	require.Len(t, k.found, 1)
	jvm := k.found[0]
	t.Logf("mode %v, %+v, band for steal %.3f", jvm.Mode, k.stats, band)
	require.NotEqual(t, sampler.ModeNone, jvm.Mode)
	want := map[sampler.Policy]sampler.Mode{sampler.PolicyPrivileged: sampler.ModePrivileged, sampler.PolicySelf: sampler.ModeSelfOpened}
	if m, ok := want[settings.Mode]; ok {
		assert.Equal(t, m, jvm.Mode)
	}
	t.Logf("%d compiled methods told, %d read, %d frames ambiguous, %+v", k.told, k.read, s.Totals().AmbiguousCode, k.code.Stats())
	assert.Equal(t, settings.ReadCode, k.read > 0, "%d compiled methods read", k.read)
	assert.Equal(t, uint64(1), s.Totals().Found)
	assert.Zero(t, s.Totals().BadSamples+s.Totals().DamagedRings)
	if k.stats.Lost > 0 {
		amiss = append(amiss, fmt.Sprintf("%d samples lost", k.stats.Lost))
	}
	assert.Zero(t, k.stats.BadRecords+k.stats.MissedRecords+k.stats.MissedTaskEvents+k.stats.PerfOpenFailures+k.stats.Overrun)
	assert.Equal(t, uint64(len(k.samples)), k.stats.Samples)
	assert.Zero(t, k.late, "samples or events from before the watermark")
	require.Len(t, k.events, 10, "five tasks")
	require.Len(t, k.threads, 1)

	// Samples × period against the thread's own CPU, task by task.
	cpu := map[int64]time.Duration{}
	spans := map[int64][2]jvmlog.MonoTime{}
	for i := 0; i < len(k.events); i += 2 {
		from, to := k.events[i], k.events[i+1]
		require.Equal(t, jvmlog.TaskStart, from.Kind)
		require.Equal(t, jvmlog.TaskEnd, to.Kind)
		require.Equal(t, from.Task, to.Task)
		used := to.ThreadCPUNanos - from.ThreadCPUNanos
		if jvm.Mode == sampler.ModeSelfOpened {
			used -= to.SystemNanos - from.SystemNanos // the kernel is not sampled
		}
		cpu[int64(from.Task)] = time.Duration(used)
		spans[int64(from.Task)] = [2]jvmlog.MonoTime{from.Time, to.Time}
	}
	// What every stack of a task must name; in 2 and 3 the method next to the stub and to the
	// native code.
	methods := map[int64]string{1: "Burn.hot", 2: "sun.security.provider.", 3: "java.util.zip.Inflater.", 4: "Burn.calls"}
	var allCPU, allSampled time.Duration
	for task, method := range methods {
		var sampled time.Duration
		var n, complete, named int
		for _, s := range k.samples {
			if s.Time < spans[task][0] || s.Time >= spans[task][1] {
				continue
			}
			n++
			sampled += s.Period
			if s.Flags&sampler.SampleTruncated == 0 {
				complete++
			}
			if k.names(s, method) {
				named++
			} else if n%8 == 0 {
				t.Logf("task %d, a stack without %s:\n%s", task, method, k.describe(s))
			}
		}
		t.Logf("task %d (%s): %d samples, %v of %v, %d complete, %d named, ratio %.3f", task, method, n, sampled, cpu[task], complete, named, float64(sampled)/float64(cpu[task]))
		amiss = append(amiss, within(cpu[task], sampled, 0.08+band, 2*testPeriod, fmt.Sprintf("task %d", task))...)
		assert.GreaterOrEqual(t, complete, n*98/100, "task %d: complete stacks", task)
		assert.GreaterOrEqual(t, named, n*90/100, "task %d: stacks with the method that the task runs", task)
		allCPU += cpu[task]
		allSampled += sampled
	}
	return append(amiss, within(allCPU, allSampled, 0.05+band, 0, "all tasks")...), band
}

// within compares what was sampled with the CPU that a thread's clock has.
func within(used, sampled time.Duration, share float64, slack time.Duration, what string) []string {
	slack += time.Duration(share * float64(used))
	if sampled >= used-slack && sampled <= used+slack {
		return nil
	}
	return []string{fmt.Sprintf("%s: samples × period %v, the thread's CPU %v, allowed %v", what, sampled, used, slack)}
}

// names reports whether a frame of a sample, compiled or interpreted, is of a method whose class
// and name begin with that.
func (k *keeper) names(s sampler.Sample, method string) bool {
	for _, f := range s.Interpreted {
		if m := k.methods[f.Method]; m != nil && strings.HasPrefix(m.Class+"."+m.Name, method) {
			return true
		}
	}
	frames, _ := k.code.ResolveStack(s.Time, s.Addrs[s.Kernel:], nil, nil)
	return slices.ContainsFunc(frames, func(f codemap.Frame) bool { return strings.HasPrefix(f.Class+"."+f.Method, method) })
}

// describe writes a stack as text, leaf first.
func (k *keeper) describe(s sampler.Sample) string {
	var b strings.Builder
	frames, _ := k.code.ResolveStack(s.Time, s.Addrs, nil, nil)
	for _, f := range frames {
		fmt.Fprintf(&b, "  %#x %d %s.%s inlined=%v\n", f.Addr, f.Kind, f.Class, f.Method, f.Inlined)
	}
	return fmt.Sprintf("flags %d, repaired %d, kernel %d\n%s", s.Flags, s.Repaired, s.Kernel, b.String())
}
