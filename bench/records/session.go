package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/planflame/planflame/bench/internal/report"
)

// summary is what summary.json says of slow tasks and slow records.
type summary struct {
	TaskCPU     float64      `json:"task_cpu_seconds"`
	SlowTasks   *slowTasks   `json:"slow_tasks"`
	SlowRecords *slowRecords `json:"slow_records"`
	Queries     []struct {
		Stages []struct {
			Tasks int `json:"tasks"`
		} `json:"stages"`
	} `json:"queries"`
}

type slowTasks struct {
	Judged  int        `json:"judged_tasks"`
	Missing int        `json:"missing_tasks"`
	Wall    float64    `json:"wall_seconds"`
	Without float64    `json:"without_wall_seconds"`
	Tasks   []slowTask `json:"tasks"`
}

type slowTask struct {
	Execution *int64             `json:"sql_execution_id"`
	Stage     int                `json:"stage_id"`
	Partition int                `json:"partition"`
	Verdict   string             `json:"verdict"`
	Seconds   float64            `json:"seconds"`
	Peers     float64            `json:"peer_seconds"`
	Excess    map[string]float64 `json:"excess_seconds"`
	PausedBy  *slowed            `json:"paused_by"`
	Half      *struct {
		Record [2]int64 `json:"record"`
	} `json:"half_of_time"`
}

func (t *slowTask) String() string {
	out := fmt.Sprintf("stage %d partition %d: %s, %.2f s, peers %.2f s", t.Stage, t.Partition, t.Verdict, t.Seconds, t.Peers)
	for _, part := range slices.Sorted(maps.Keys(t.Excess)) {
		out += fmt.Sprintf(", %s %.2f", part, t.Excess[part])
	}
	if t.PausedBy != nil {
		out += fmt.Sprintf(", paused by %v", *t.PausedBy)
	}
	return out
}

// session runs a job of test/jobs under planflame, in a folder of its own below the work folder.
func (o *options) session(ctx context.Context, name string, job ...string) (*slowTasks, error) {
	s, _, err := o.planflameRun(ctx, name, []string{"run"}, job...)
	if err != nil {
		return nil, err
	}
	if s.SlowTasks == nil || s.SlowTasks.Missing > 0 {
		return nil, fmt.Errorf("%s: the figures of tasks are not whole: %+v", name, s.SlowTasks)
	}
	return s.SlowTasks, nil
}

// said is what a session printed.
type said struct{ stdout, stderr bytes.Buffer }

// result decodes what planflame debug printed: the last line, behind what the job did.
func (s *said) result(to any) error {
	text := bytes.TrimSpace(s.stdout.Bytes())
	line := text[bytes.LastIndexByte(text, '\n')+1:]
	if err := json.Unmarshal(line, to); err != nil {
		return fmt.Errorf("%w: %s", err, line)
	}
	return nil
}

// planflameRun runs spark-submit with the arguments of a job under a command of planflame. Options
// of spark-submit in job replace those that all sessions have.
func (o *options) planflameRun(ctx context.Context, name string, command []string, job ...string) (*summary, *said, error) {
	out := o.results(name)
	if err := os.RemoveAll(filepath.Dir(out)); err != nil {
		return nil, nil, err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return nil, nil, err
	}
	args := append(command, "--out", out, "--", filepath.Join(o.spark, "bin", "spark-submit"), "--master", "local[2]", "--driver-memory", "2g", "--conf", "spark.ui.enabled=false")
	cmd := exec.CommandContext(ctx, o.planflame, append(args, job...)...)
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(o.spark, "bin")+":"+os.Getenv("PATH"))
	var texts said
	cmd.Stdout = &texts.stdout
	fmt.Fprintln(os.Stderr, name)
	if err := runOnTerminal(cmd, &texts.stderr); err != nil {
		return nil, nil, fmt.Errorf("%s: %w\n%s%s", cmd, err, texts.stdout.Bytes(), texts.stderr.Bytes())
	}
	var s summary
	if err := report.Read(filepath.Join(out, "summary.json"), &s); err != nil {
		return nil, nil, err
	}
	return &s, &texts, nil
}

// results is the folder of a session's results.
func (o *options) results(name string) string { return filepath.Join(o.work, name, "out") }

// walls reads how long each run of a query took.
func walls(path string) ([]float64, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var out []float64
	for line := range strings.Lines(string(text)) {
		wall, err := strconv.ParseFloat(strings.TrimSpace(line), 64)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		out = append(out, wall)
	}
	return out, nil
}
