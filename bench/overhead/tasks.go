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
	"strings"
	"time"

	"github.com/planflame/planflame/bench/internal/session"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/procfs"
)

// taskCost is nanoseconds that planflame adds to a task, start and end together, median over
// rounds.
type taskCost struct {
	Unselected float64 `json:"unselected_ns"` // plugin and agent under a reader that selects one task of two hundred, caches warm: a loop
	Selected   float64 `json:"selected_ns"`   // the same where all are selected for detail
	Cold       float64 `json:"cold_ns"`       // as Unselected, with caches full of other data
	// Raw is what the harness said, by its command and which tasks the reader selects.
	Raw map[string]float64 `json:"raw_ns"`
}

// Marks of raw readings: with a reader and open events, one task of two hundred or all of them
// selected.
const (
	fewSelected = " few"
	allSelected = " all"
)

func costOf(raw map[string]float64) taskCost {
	return taskCost{
		Unselected: raw["tags"+fewSelected] - raw["nothing"], Selected: raw["tags"+allSelected] - raw["nothing"],
		Cold: raw["cold-tags"+fewSelected] - raw["cold-nothing"], Raw: raw,
	}
}

// tasks measures what a task pays.
func (b *bench) tasks(ctx context.Context) error {
	h, err := b.startHarness(ctx)
	if err != nil {
		return err
	}
	raw := map[string]float64{}
	const hardlyAny = 1e-9 // of a stage's partitions: one of them
	err = h.ask(raw, "", "nothing", "tags", "cold-nothing")
	if err == nil {
		err = h.withReader(hardlyAny, func() error { return h.ask(raw, fewSelected, "tags", "cold-tags") })
	}
	if err == nil {
		err = h.withReader(1, func() error { return h.ask(raw, allSelected, "tags") })
	}
	if err := errors.Join(err, h.close()); err != nil {
		return fmt.Errorf("harness of tasks, see %s: %w", h.said.Name(), err)
	}
	cost := costOf(raw)
	b.r.Tasks = &cost
	b.r.Figures["task_ns_unselected"], b.r.Figures["task_ns_selected"], b.r.Figures["task_ns_cold"] = cost.Unselected, cost.Selected, cost.Cold
	b.say("a task: %.0f ns, selected %.0f ns, cold %.0f ns", cost.Unselected, cost.Selected, cost.Cold)
	return nil
}

// harness is a JVM that runs harness/…/TaskCost.java.
type harness struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
	said  *os.File
	pid   int
}

func (b *bench) startHarness(ctx context.Context) (*harness, error) {
	jars, err := session.Jars(b.o.spark)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(b.o.dir, "harness")
	if err := fresh(dir); err != nil {
		return nil, err
	}
	classPath := strings.Join([]string{dir, b.o.plugin, filepath.Join(jars, "*")}, ":")
	compile := exec.CommandContext(ctx, "javac", "-nowarn", "-proc:none", "-cp", classPath, "-d", dir, "bench/overhead/harness/io/planflame/spark/TaskCost.java")
	if text, err := compile.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("compile the harness: %w\n%s", err, text)
	}
	said, err := os.Create(filepath.Join(dir, "said.log"))
	if err != nil {
		return nil, err
	}
	args := append([]string{"-cp", classPath}, agentFlags...)
	h := &harness{cmd: exec.CommandContext(ctx, "java", append(args, "io.planflame.spark.TaskCost", b.o.agent)...), said: said}
	h.cmd.Stderr = said
	out, err1 := h.cmd.StdoutPipe()
	in, err2 := h.cmd.StdinPipe()
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	h.in, h.lines = in, bufio.NewScanner(out)
	if err := h.cmd.Start(); err != nil {
		return nil, err
	}
	if !h.lines.Scan() {
		return nil, errors.Join(fmt.Errorf("the harness said nothing, see %s", said.Name()), h.lines.Err(), h.close())
	}
	if _, err := fmt.Sscanf(h.lines.Text(), "pid %d", &h.pid); err != nil {
		return nil, errors.Join(fmt.Errorf("the harness said %q", h.lines.Text()), h.close())
	}
	return h, nil
}

// ask runs commands and stores their answers under their names with a mark behind.
func (h *harness) ask(into map[string]float64, mark string, commands ...string) error {
	for _, c := range commands {
		if _, err := fmt.Fprintln(h.in, c); err != nil {
			return err
		}
		if !h.lines.Scan() {
			return errors.Join(fmt.Errorf("no answer to %q", c), h.lines.Err())
		}
		nanos := 0.
		if _, err := fmt.Sscanf(h.lines.Text(), c+" %f", &nanos); err != nil {
			return fmt.Errorf("answer to %q: %q", c, h.lines.Text())
		}
		into[c+mark] = nanos
	}
	return nil
}

func (h *harness) close() error { return errors.Join(h.in.Close(), h.cmd.Wait(), h.said.Close()) }

// withReader holds the JVM's lease while body runs, with the base and the detail event open, so
// rarely that samples cost nothing, and a fraction of each stage's partitions selected.
func (h *harness) withReader(fraction float64, body func() error) (err error) {
	p, ok, err := procfs.FS{}.Agent(h.pid)
	if err != nil || !ok {
		return fmt.Errorf("agent of pid %d: found %v: %w", h.pid, ok, errors.Join(err))
	}
	memory, err := p.Open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, memory.Close()) }()
	control, err := jvmlog.OpenControl(memory.Control)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, control.Close()) }()
	if err := control.Acquire(uint64(time.Now().UnixNano()), jvmlog.RankNamed, jvmlog.Now()); err != nil {
		return err
	}
	const rarely = time.Second
	if err := control.Write(jvmlog.Settings{
		Enabled: true, Mode: jvmlog.OpenByAgent, BasePeriod: rarely, DetailPeriod: rarely, StackBytes: 8192, RingPages: 64, InclusionProbability: fraction,
	}); err != nil {
		return err
	}
	stop, stopped := make(chan struct{}), make(chan error, 1)
	go func() { stopped <- keepLease(control, stop) }()
	defer func() { close(stop); err = errors.Join(err, <-stopped, control.Release()) }()
	if err := h.awaitEvents(memory); err != nil {
		return err
	}
	return body()
}

// keepLease renews a lease until stop is closed.
func keepLease(c *jvmlog.Control, stop <-chan struct{}) error {
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return nil
		case <-tick.C:
			if err := c.Heartbeat(jvmlog.Now()); err != nil {
				return err
			}
		}
	}
}

// awaitEvents has tasks run until the agent has opened both events of the thread.
func (h *harness) awaitEvents(memory *procfs.Memory) (err error) {
	log, err := jvmlog.Open(memory.Log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	for range 50 {
		if err := h.ask(map[string]float64{}, "", "tags"); err != nil {
			return err
		}
		for _, t := range log.Threads(nil) {
			if t.PerfErrno != 0 {
				return fmt.Errorf("the agent could not open an event: errno %d", t.PerfErrno)
			}
			if t.PerfFD >= 0 && t.PerfDetailFD >= 0 {
				return nil
			}
		}
	}
	return errors.New("the agent opened no events")
}
