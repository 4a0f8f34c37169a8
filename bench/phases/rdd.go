package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/planflame/planflame/bench/internal/session"
)

// jobs is the recording of jobs without SQL; -conditions may name it, too.
const jobs = "rdd"

const (
	jobsFile  = "bench/phases/harness/io/planflame/bench/Jobs.java"
	jobsClass = "io.planflame.bench.Jobs"
	// What the jobs read. Passes and sizes make class loading and compiling, which belong to no
	// stage, a small part.
	jobsPasses, jobsLines, jobsWords     = 2, 1_000_000, 12
	jobsVocabulary, jobsEdges, jobsNodes = 50_000, 2_000_000, 300_000
)

// placed is where the task CPU of jobs without SQL went.
type placed struct {
	Task   float64            `json:"task_cpu_seconds"`
	Placed float64            `json:"placed_cpu_seconds"` // in stages and in operators
	Shares map[string]float64 `json:"shares"`             // by job, of the CPU that is known to be its
}

// figures of jobs.
func (p *placed) figures(into map[string]float64) {
	into["rdd_placed_share"] = p.Placed / p.Task
	for job, share := range p.Shares {
		into["rdd_placed_share_"+job] = share
	}
}

// recordJobs runs the jobs, unless they are there and may be used again, and reads what planflame
// says.
func recordJobs(ctx context.Context, o options) (*placed, error) {
	dir := filepath.Join(o.dir, jobs)
	summary := filepath.Join(dir, "out", "summary.json")
	if _, err := os.Stat(summary); err != nil || !o.reuse {
		if err := runJobs(ctx, o, dir); err != nil {
			return nil, err
		}
	}
	text, err := os.ReadFile(summary)
	if err != nil {
		return nil, err
	}
	return readJobs(text)
}

func runJobs(ctx context.Context, o options, dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	classes := filepath.Join(dir, "classes")
	if err := os.MkdirAll(classes, 0o755); err != nil {
		return err
	}
	lines, edges := filepath.Join(dir, "lines"), filepath.Join(dir, "edges")
	if err := writeInput(lines, edges, o.seed); err != nil {
		return err
	}
	jars, err := session.Jars(o.spark)
	if err != nil {
		return err
	}
	jar := filepath.Join(dir, "jobs.jar")
	submit := []string{o.planflame, "run", "--out", filepath.Join(dir, "out"), "--hz", strconv.Itoa(o.hz), "--", filepath.Join(o.spark, "bin", "spark-submit"), "--master", "local[2]",
		"--driver-memory", "2g", "--conf", "spark.ui.enabled=false", "--class", jobsClass, jar, lines, edges, strconv.Itoa(jobsPasses)}
	fmt.Fprintln(os.Stderr, "phases: recording", jobs)
	for _, args := range [][]string{
		{"javac", "-g", "-nowarn", "-proc:none", "-cp", filepath.Join(jars, "*"), "-d", classes, "--release", "17", jobsFile},
		{"jar", "cf", jar, "-C", classes, "."},
		submit,
	} {
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Env = append(os.Environ(), "JAVA_HOME="+o.java, "PATH="+filepath.Join(o.spark, "bin")+":"+os.Getenv("PATH"))
		if said, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", cmd, err, said)
		}
	}
	return nil
}

// writeInput writes the text and the graph of the jobs: words and nodes are the more frequent the
// smaller their number.
func writeInput(lines, edges string, seed uint64) error {
	random := rand.New(rand.NewPCG(seed, 2))
	often := func(n int) int { return int(float64(n) * random.Float64() * random.Float64()) }
	write := func(path string, rows int, row func(w *bufio.Writer)) error {
		f, err := os.Create(path)
		if err != nil {
			return err
		}
		w := bufio.NewWriter(f)
		for range rows {
			row(w)
		}
		if err := w.Flush(); err != nil {
			_ = f.Close()
			return err
		}
		return f.Close()
	}
	if err := write(lines, jobsLines, func(w *bufio.Writer) {
		fmt.Fprint(w, random.IntN(3))
		for range jobsWords {
			fmt.Fprintf(w, " w%d", often(jobsVocabulary))
		}
		fmt.Fprintln(w)
	}); err != nil {
		return err
	}
	return write(edges, jobsEdges, func(w *bufio.Writer) { fmt.Fprintln(w, often(jobsNodes), random.IntN(jobsNodes)) })
}

// readJobs reads where CPU went from a summary.
func readJobs(text []byte) (*placed, error) {
	var s struct {
		Task    float64 `json:"task_cpu_seconds"`
		Queries []struct {
			Name      string   `json:"query_name"`
			Operators []jobCPU `json:"operators"`
			Buckets   []jobCPU `json:"buckets"`
		} `json:"queries"`
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("decode the summary of jobs: %w", err)
	}
	out := &placed{Task: s.Task, Shares: map[string]float64{}}
	all := map[string]float64{}
	for _, q := range s.Queries {
		in := sumCPU(q.Operators)
		out.Placed += in
		out.Shares[q.Name] += in
		all[q.Name] += in + sumCPU(q.Buckets)
	}
	for name, cpu := range all {
		if out.Shares[name] /= cpu; cpu == 0 {
			delete(out.Shares, name)
		}
	}
	if !(out.Task > 0) {
		return nil, fmt.Errorf("jobs: task CPU %g s, not above 0", out.Task)
	}
	return out, nil
}

type jobCPU struct {
	CPU float64 `json:"cpu_seconds"`
}

func sumCPU(of []jobCPU) (sum float64) {
	for _, c := range of {
		sum += c.CPU
	}
	return sum
}
