package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// idleCost is what the Collector does beside JVMs that ran queries and have nothing to do.
type idleCost struct {
	Millis   float64            `json:"ms_per_second"`       // its CPU
	Calls    map[string]float64 `json:"calls_per_second"`    // system calls by name, while strace looks on
	Switches float64            `json:"wake_ups_per_second"` // voluntary context switches of its threads
	RSS      float64            `json:"rss_mb"`              // resident at the end, in 10^6 bytes
	Heap     float64            `json:"anonymous_mb"`        // of it its own
}

// tracing is how long strace counts system calls.
const tracing = 20 * time.Second

// measureIdle lets the JVMs of the part collector run TPC-H once, and watches the Collector when
// they have nothing more to do.
func (b *bench) measureIdle(ctx context.Context) error {
	s, err := b.startSampled(ctx, "idle", false)
	if err != nil {
		return err
	}
	var out idleCost
	if _, err = s.spark.queries(tpchQueries); err == nil {
		out, err = watchIdle(ctx, s.collector.pid(), filepath.Join(s.dir, "strace"))
	}
	_, stopErr := s.collector.stop()
	if err := errors.Join(err, s.spark.close(), stopErr); err != nil {
		return err
	}
	b.say("Collector beside idle JVMs: %.2f ms a second, %.1f opens and %.0f wake-ups a second, %.0f MB (%.0f of its own)", out.Millis, out.opens(), out.Switches, out.RSS, out.Heap)
	b.r.Idle = &out
	b.figure("collector_idle_ms_per_second", out.Millis)
	b.figure("idle_opens_per_second", out.opens())
	return nil
}

// watchIdle waits until what ran has been told, and then watches the process with that pid; strace
// writes into file. strace comes after the CPU, which it adds to.
func watchIdle(ctx context.Context, pid int, file string) (out idleCost, err error) {
	calls, err := newTracer(ctx, pid, file)
	if err != nil {
		return out, err
	}
	if out, err = watchSleeper(ctx, pid); err != nil {
		return out, errors.Join(err, calls.stop())
	}
	out.Calls, err = calls.count(ctx)
	return out, err
}

// watchSleeper is watchIdle without strace.
func watchSleeper(ctx context.Context, pid int) (out idleCost, err error) {
	if err := pause(ctx, settling); err != nil {
		return out, err
	}
	before, err := switches(pid)
	if err != nil {
		return out, err
	}
	if out.Millis, err = idleMillis(ctx, pid); err != nil {
		return out, err
	}
	after, err := switches(pid)
	if err != nil {
		return out, err
	}
	out.Switches = float64(after-before) / idling.Seconds()
	var memory collectorCost
	if err := memory.memory(pid); err != nil {
		return out, err
	}
	out.Heap, out.RSS = memory.Heap, memory.Heap+memory.Files+memory.Shared
	return out, nil
}

// idleMillis is the CPU of a process in milliseconds a second, of idling.
func idleMillis(ctx context.Context, pid int) (float64, error) {
	began := time.Now()
	before, err := processCPU(pid)
	if err != nil {
		return 0, err
	}
	if err := pause(ctx, idling); err != nil {
		return 0, err
	}
	after, err := processCPU(pid)
	return (after - before).Seconds() * 1e3 / time.Since(began).Seconds(), err
}

// switches are the voluntary context switches of a process's threads so far.
func switches(pid int) (sum int64, err error) {
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid))
	if err != nil || len(files) == 0 {
		return 0, fmt.Errorf("pid %d has %d threads: %w", pid, len(files), errors.Join(err))
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return 0, err
		}
		for l := range strings.Lines(string(text)) {
			if rest, ok := strings.CutPrefix(l, "voluntary_ctxt_switches:"); ok {
				n, err := strconv.ParseInt(strings.TrimSpace(rest), 10, 64)
				if err != nil {
					return 0, fmt.Errorf("%s: %w", name, err)
				}
				sum += n
			}
		}
	}
	return sum, nil
}

// tracer counts the system calls of a process. A shell waits in strace's place until then: the
// Collector looks at young processes all the time, and exec leaves the age of a process as it is.
type tracer struct {
	cmd  *exec.Cmd
	wait io.WriteCloser // the shell's input
	file string         // of the counts
	said *os.File       // its text is for people
}

func newTracer(ctx context.Context, pid int, file string) (*tracer, error) {
	t := &tracer{file: file}
	t.cmd = exec.CommandContext(ctx, "sh", "-c", `read go && exec "$@"`, "sh", "strace", "-f", "-c", "-U", "calls,name", "-o", file, "-p", strconv.Itoa(pid))
	var err error
	if t.said, err = os.Create(file + ".log"); err != nil {
		return nil, err
	}
	t.cmd.Stderr = t.said
	if t.wait, err = t.cmd.StdinPipe(); err == nil {
		err = t.cmd.Start()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("count system calls: %w", err), t.said.Close())
	}
	return t, nil
}

// count returns the system calls a second by their names. It ends the shell, too, as stop does.
func (t *tracer) count(ctx context.Context) (map[string]float64, error) {
	_, err := fmt.Fprintln(t.wait)
	began := time.Now()
	err = errors.Join(err, pause(ctx, tracing))
	took := time.Since(began).Seconds()
	err = errors.Join(err, t.cmd.Process.Signal(unix.SIGINT)) // it detaches, and writes what it counted
	if waitErr := t.stop(); waitErr != nil && !interrupted(t.cmd) {
		err = errors.Join(err, fmt.Errorf("strace, see %s: %w", t.said.Name(), waitErr))
	}
	if err != nil {
		return nil, err
	}
	f, err := os.Open(t.file)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only: nothing to lose
	counts, err := parseCalls(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.file, err)
	}
	for name := range counts {
		counts[name] /= took
	}
	return counts, nil
}

// stop ends the shell, or waits for the end of strace.
func (t *tracer) stop() error {
	defer t.said.Close() // see said
	return errors.Join(t.wait.Close(), t.cmd.Wait())
}

// interrupted reports whether strace ended by the signal that it got from here.
func interrupted(cmd *exec.Cmd) bool {
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	return ok && status.Signal() == unix.SIGINT
}

// parseCalls reads a table of strace -c -U calls,name.
func parseCalls(text io.Reader) (map[string]float64, error) {
	out := map[string]float64{}
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		if len(f) != 2 || f[1] == "total" {
			continue
		}
		if n, err := strconv.ParseUint(f[0], 10, 64); err == nil { // else a line of the head
			out[f[1]] = float64(n)
		}
	}
	if len(out) == 0 {
		return nil, errors.Join(errors.New("strace counted no system call"), lines.Err())
	}
	return out, lines.Err()
}

// opens are the files that were opened in a second.
func (c *idleCost) opens() float64 {
	return c.Calls["open"] + c.Calls["openat"] + c.Calls["openat2"]
}
