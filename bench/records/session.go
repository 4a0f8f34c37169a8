package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// summary is what summary.json says of slow tasks.
type summary struct {
	SlowTasks *slowTasks `json:"slow_tasks"`
}

type slowTasks struct {
	Stages  int     `json:"stages"`
	Missing int     `json:"missing_tasks"`
	Wall    float64 `json:"wall_seconds"`
	Without float64 `json:"without_wall_seconds"`
	Tasks   []struct {
		Execution *int64  `json:"sql_execution_id"`
		Stage     int     `json:"stage_id"`
		Partition int     `json:"partition"`
		Verdict   string  `json:"verdict"`
		Seconds   float64 `json:"seconds"`
		Peers     float64 `json:"peer_seconds"`
	} `json:"tasks"`
}

// session runs a job of test/jobs under planflame, in a folder of its own below the work folder.
func (o *options) session(ctx context.Context, name string, job ...string) (*slowTasks, error) {
	dir := filepath.Join(o.work, name)
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	out := filepath.Join(dir, "out")
	args := append([]string{"run", "--out", out, "--", filepath.Join(o.spark, "bin", "spark-submit"), "--master", "local[2]", "--driver-memory", "2g", "--conf", "spark.ui.enabled=false"}, job...)
	cmd := exec.CommandContext(ctx, o.planflame, args...)
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(o.spark, "bin")+":"+os.Getenv("PATH"))
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	fmt.Fprintln(os.Stderr, name)
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", cmd, err, log.Bytes())
	}
	text, err := os.ReadFile(filepath.Join(out, "summary.json"))
	if err != nil {
		return nil, err
	}
	var s summary
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("%s: %w", out, err)
	}
	if s.SlowTasks == nil || s.SlowTasks.Missing > 0 {
		return nil, fmt.Errorf("%s: the figures of tasks are not whole: %+v", out, s.SlowTasks)
	}
	return s.SlowTasks, nil
}

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
