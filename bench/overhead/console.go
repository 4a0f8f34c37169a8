package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// console is a warmed Spark session that runs queries on request (test/jobs/console.py). One
// goroutine uses it.
type console struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
	said  *os.File
	pid   int // of the JVM
}

// consoleSpec says how its JVM runs.
type consoleSpec struct {
	name   string // of its folder
	master string
	jvm    []string
	plugin bool
	async  bool // async-profiler can be started
	env    []string
}

// answer is what test/jobs/console.py says.
type answer struct {
	PID     int     `json:"pid"`
	Seconds float64 `json:"seconds"`
	Text    string  `json:"text"`
	Samples int64   `json:"samples"`
}

func (b *bench) startConsole(ctx context.Context, s consoleSpec) (*console, error) {
	dir := filepath.Join(b.o.dir, s.name)
	if err := fresh(dir); err != nil {
		return nil, err
	}
	said, err := os.Create(filepath.Join(dir, "said.log"))
	if err != nil {
		return nil, err
	}
	submit := []string{"--master", s.master, "--driver-memory", b.o.memory, "--conf", "spark.ui.enabled=false", "--conf", "spark.ui.showConsoleProgress=false"}
	if len(s.jvm) > 0 {
		submit = append(submit, "--driver-java-options", "'"+strings.Join(s.jvm, " ")+"'")
	}
	if s.plugin && s.async {
		return nil, errors.New("a console has one class path: the plugin's or async-profiler's")
	}
	if s.plugin {
		submit = append(submit, b.plugin()...)
	}
	args := []string{"test/jobs/console.py", "--data", b.o.data}
	if s.async {
		submit = append(submit, "--driver-class-path", filepath.Join(b.o.peers, "ap-loader.jar"))
		args = append(args, "--async-profiler", filepath.Join(b.o.peers, "libasyncProfiler.so"))
	}
	c := &console{cmd: exec.CommandContext(ctx, filepath.Join(b.o.spark, "bin", "python"), args...), said: said}
	c.cmd.Env = append(append(append(os.Environ(), b.sparkEnv()...), s.env...), "PYSPARK_SUBMIT_ARGS="+strings.Join(append(submit, "pyspark-shell"), " "))
	c.cmd.Stderr = said
	terminate(c.cmd)
	out, err1 := c.cmd.StdoutPipe()
	in, err2 := c.cmd.StdinPipe()
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	c.in, c.lines = in, bufio.NewScanner(out)
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	first, err := c.read()
	if err != nil {
		return nil, errors.Join(err, c.close())
	}
	c.pid = first.PID
	return c, nil
}

// read waits for the next answer; other lines are kept.
func (c *console) read() (answer, error) {
	for c.lines.Scan() {
		text, ours := strings.CutPrefix(c.lines.Text(), "console ")
		if !ours {
			fmt.Fprintln(c.said, c.lines.Text())
			continue
		}
		var a answer
		if err := json.Unmarshal([]byte(text), &a); err != nil {
			return a, fmt.Errorf("console said %q: %w", text, err)
		}
		return a, nil
	}
	return answer{}, errors.Join(fmt.Errorf("console has ended, see %s", c.said.Name()), c.lines.Err())
}

func (c *console) ask(command map[string]any) (answer, error) {
	text, err := json.Marshal(command)
	if err != nil {
		return answer{}, err
	}
	if _, err := c.in.Write(append(text, '\n')); err != nil {
		return answer{}, err
	}
	return c.read()
}

// pass is what one request of queries has used.
type pass struct {
	Process time.Duration // CPU of the JVM, all its threads
	Task    time.Duration // CPU of task threads
	Wall    time.Duration
	before  map[thread]time.Duration
	after   map[thread]time.Duration
}

// queries runs TPC-H queries, one after the other.
func (c *console) queries(list []int) (pass, error) {
	process, err1 := processCPU(c.pid)
	before, err2 := threadCPU(c.pid)
	if err := errors.Join(err1, err2); err != nil {
		return pass{}, err
	}
	a, err := c.ask(map[string]any{"queries": list})
	if err != nil {
		return pass{}, err
	}
	processAfter, err1 := processCPU(c.pid)
	after, err2 := threadCPU(c.pid)
	return pass{
		Process: processAfter - process, Task: grown(before, after, thread.isTask), Wall: time.Duration(a.Seconds * 1e9), before: before, after: after,
	}, errors.Join(err1, err2)
}

// profiler gives async-profiler a command.
func (c *console) profiler(command string) (answer, error) {
	return c.ask(map[string]any{"profiler": command})
}

func (c *console) close() error { return errors.Join(c.in.Close(), c.cmd.Wait(), c.said.Close()) }
