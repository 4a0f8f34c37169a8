//go:build e2e

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The users of the test: no one else's JVMs are sampled.
const badUser, goodUser = 64_321, 64_322

// mostGrowth is what the Collector's memory may grow by for one bad JVM.
const mostGrowth = 32 << 20

// attacks are the modes of the program, each with the counter and the log line that tell of it.
var attacks = []struct {
	mode    string
	counter string // value of the metric's attribute; "": what it does is no loss
	says    string
	mostCPU time.Duration // of its tasks, in all windows
	growth  int           // of the Collector's memory, in bytes; 0: mostGrowth
}{
	{mode: "unsealed", counter: "refused", says: "this JVM is not sampled"},
	{mode: "hugepages", counter: "refused", says: "this JVM is not sampled"},
	{mode: "swapped"},
	{mode: "large", counter: "refused", says: "this JVM is not sampled"},
	{mode: "holes"},
	{mode: "slots", counter: "thread_refused", says: "a thread of this JVM is not sampled", mostCPU: 10 * time.Second},
	{mode: "rows-ahead", counter: "ahead", says: "this JVM writes times that are yet to come"},
	{mode: "ends", counter: "ahead", says: "this JVM writes times that are yet to come"},
	{mode: "tasks-ahead", counter: "ahead", says: "this JVM writes times that are yet to come"},
	{mode: "rows", counter: "behind", says: "this JVM writes more than is read in a round"},
	{mode: "stage", counter: "over_budget", says: "this JVM writes more than is read in a round"},
	{mode: "code", counter: "code_refused", says: "this JVM tells of more code than is kept"},
	// As many pieces as a JVM may have are 17 MiB. The garbage collector lets them grow by half,
	// and by more on a busy machine: 26 MiB were measured.
	{mode: "small-code", counter: "code_refused", says: "this JVM tells of more code than is kept", growth: 40 << 20},
	{mode: "dictionary", counter: "forgotten_plan", says: "this JVM writes more than is read in a round"},
	{mode: "tasks", counter: "task_event_refused", says: "this JVM tells of more tasks than anyone runs", mostCPU: 10 * time.Second},
	{mode: "cpu", counter: "cut_cpu", says: "tasks of this JVM claim more CPU than its process has used", mostCPU: 10 * time.Second},
	{mode: "claims", counter: "claimed_label", says: "this JVM claims labels that only the node gives"},
	{mode: "deputy", counter: "changed", says: "this JVM is not sampled"},
}

func TestHostile(t *testing.T) {
	if os.Geteuid() != 0 {
		requires(t, errors.New("it starts processes of two users: run it as root"))
	}
	dir := folder(t)
	g := startGood(t, dir)
	for _, a := range attacks {
		t.Run(a.mode, func(t *testing.T) {
			c := startCollector(t)
			g.used = 0
			for len(c.of(g.pid)) == 0 { // until it has all that the good JVM asks for, symbols too
				g.run(t, 10)
			}
			quiet := c.takePeak()
			began := time.Now()
			bad := startBad(t, dir, a.mode)
			g.run(t, 30)
			for late := 0; late < 15 && a.counter != "" && (c.counter(t, a.counter) == 0 || !c.names(a.says, bad)); late++ {
				g.run(t, 10) // on a busy machine the Collector meets the bad JVM late
			}
			rests := time.Now()
			grown := c.takePeak() - quiet
			t.Logf("quiet %d MiB, grown by %d KiB", quiet>>20, grown>>10)
			assert.LessOrEqual(t, grown, max(a.growth, mostGrowth), "memory for the bad JVM")
			assert.False(t, strings.ContainsFunc(c.log.String(), func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsPrint(r) }), "the log is plain text")
			if a.counter != "" {
				assert.NotZero(t, c.counter(t, a.counter), a.counter)
				assert.True(t, c.names(a.says, bad), "no line %q names pid %d and uid %d", a.says, bad, badUser)
				assert.LessOrEqual(t, strings.Count(c.log.String(), a.says), 1, "said once")
			}
			for late := 0; late < 200 && taskCPUOf(c.of(g.pid)) < g.used*95/100; late++ {
				time.Sleep(100 * time.Millisecond) // windows come once a second, on a busy machine later
			}
			c.stop(t)
			assert.LessOrEqual(t, taskCPUOf(c.of(bad)), a.mostCPU, "task CPU of the bad JVM")
			onTime(t, c.of(g.pid), began, rests)
			sampled := taskCPUOf(c.of(g.pid))
			assert.InEpsilon(t, g.used, sampled, 0.1, "task CPU of the good JVM: used %v, sampled %v", g.used, sampled)
		})
	}
}

// names reports whether a line of the Collector's log says that, with the pid and uid of a process.
func (c *collector) names(says string, pid int) bool {
	for line := range strings.Lines(c.log.String()) {
		if strings.Contains(line, says) && strings.Contains(line, fmt.Sprintf(`"pid": %d,`, pid)) && strings.Contains(line, fmt.Sprintf(`"uid": %d`, badUser)) {
			return true
		}
	}
	return false
}

// taskCPUOf is the task CPU in some windows.
func taskCPUOf(windows []delivered) (sum time.Duration) {
	for _, w := range windows {
		sum += w.cpu
	}
	return sum
}

// onTime checks that no more than two windows in a row are missing while the JVM is busy. One that
// rests may have none.
func onTime(t *testing.T, windows []delivered, began, rests time.Time) {
	t.Helper()
	require.NotEmpty(t, windows, "windows of the good JVM")
	last := began
	for _, w := range windows {
		at := w.at
		if at.After(rests) {
			at = rests
		}
		if gap := at.Sub(last); gap > 3*window+window/2 {
			t.Errorf("no window of the good JVM for %v", gap)
		}
		last = w.at
	}
}

// folder is one that both users may read.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "planflame-hostile-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	require.NoError(t, os.Chmod(dir, 0o777))
	program := filepath.Join(dir, "java") // as a JVM's process is called
	output(t, "go", "build", "-ldflags=-s -w", "-o", program, ".")
	setuid := filepath.Join(dir, "setuid")
	output(t, "cp", program, setuid)
	require.NoError(t, os.Chmod(setuid, 0o755|os.ModeSetuid))
	output(t, "cp", built(t, "native/libplanflame.so"), dir)
	output(t, "javac", "-d", dir, "../../agent-jvmti/spark/src/main/java/io/planflame/agent/NativeAgent.java", "testdata/Good.java")
	return dir
}

func output(t *testing.T, name string, args ...string) {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// built is a file of build/.
func built(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("../../build", name))
	require.NoError(t, err)
	_, err = os.Stat(path)
	requires(t, err)
	return path
}

func requires(t *testing.T, err error) {
	t.Helper()
	if err != nil && os.Getenv("CI") != "" {
		t.Fatal(err)
	} else if err != nil {
		t.Skip(err)
	}
}

// start starts a command as a user and reads its first line, which names its pid.
func start(t *testing.T, cmd *exec.Cmd, user uint32) (lines *bufio.Scanner, pid int) {
	t.Helper()
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user}, Setpgid: true}
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	})
	lines = bufio.NewScanner(stdout)
	require.True(t, lines.Scan(), "it ended")
	_, err = fmt.Sscanf(lines.Text(), "pid %d", &pid)
	require.NoError(t, err, lines.Text())
	return lines, pid
}

func startBad(t *testing.T, dir, mode string) int {
	cmd := exec.Command(filepath.Join(dir, "java"), mode)
	cmd.Env = []string{"TMPDIR=" + dir, "SETUID=" + filepath.Join(dir, "setuid")}
	_, pid := start(t, cmd, badUser)
	return pid
}

// good is a running JVM of testdata/Good.java.
type good struct {
	pid   int
	input io.Writer
	lines *bufio.Scanner
	used  time.Duration // by tasks under this Collector
}

func startGood(t *testing.T, dir string) *good {
	cmd := exec.Command("java", "-XX:+UseSerialGC", "-Xmx64m", "-cp", dir, "Good", filepath.Join(dir, "libplanflame.so"))
	input, err := cmd.StdinPipe()
	require.NoError(t, err)
	g := &good{input: input}
	g.lines, g.pid = start(t, cmd, goodUser)
	return g
}

// run runs so many tasks.
func (g *good) run(t *testing.T, tasks int) {
	t.Helper()
	_, err := fmt.Fprintln(g.input, tasks)
	require.NoError(t, err)
	require.True(t, g.lines.Scan(), "the good JVM ended")
	var used time.Duration
	_, err = fmt.Sscanf(g.lines.Text(), "used %d", &used)
	require.NoError(t, err, g.lines.Text())
	g.used += used
}
