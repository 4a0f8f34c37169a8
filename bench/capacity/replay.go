package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// replay is what BenchmarkCapacity tells of a number of executors. Times are in seconds; memory is
// in 10^6 bytes. Warm is the second half of the recording.
type replay struct {
	Executors    int     `json:"executors"`
	Recorded     float64 `json:"recorded_seconds"`
	RecordedWarm float64 `json:"recorded_seconds_warm"`
	CPU          float64 `json:"cpu_seconds"`
	CPUWarm      float64 `json:"cpu_seconds_warm"`
	Samples      float64 `json:"samples"`
	Busy         float64 `json:"busy_task_threads"` // of an executor's eight, on average
	Heap         float64 `json:"heap_mb"`
	Peak         float64 `json:"peak_rss_mb"`
}

// benchmark is the name of the benchmark in its output.
const benchmark = "BenchmarkCapacity"

// replayed runs the benchmark with that many executors in a process of its own, on one processor.
func (o *options) replayed(ctx context.Context, executors int) (replay, error) {
	cmd := exec.CommandContext(ctx, "go", "test", "./collector-receiver/sparkprofile", "-run", "^$", "-bench", "^"+benchmark+"$", "-benchtime", "1x", "-cpu", "1", "-timeout", "2h")
	cmd.Env = append(os.Environ(), "PLANFLAME_RECORDING="+o.recording, "PLANFLAME_EXECUTORS="+strconv.Itoa(executors))
	if o.applications > 0 {
		cmd.Env = append(cmd.Env, "PLANFLAME_APPLICATIONS="+strconv.Itoa(o.applications))
	}
	said, err := cmd.CombinedOutput()
	if err != nil {
		return replay{}, fmt.Errorf("%s of %d executors: %w\n%s", benchmark, executors, err, said)
	}
	out, err := parseReplay(string(said))
	if err != nil {
		return out, fmt.Errorf("%s of %d executors: %w\n%s", benchmark, executors, err, said)
	}
	out.Executors = executors
	return out, nil
}

// parseReplay reads the line of the benchmark: its name, how often it ran, and values each before
// its unit.
func parseReplay(said string) (replay, error) {
	var r replay
	units := map[string]*float64{
		"recorded-s": &r.Recorded, "recorded-s-warm": &r.RecordedWarm, "CPU-s": &r.CPU, "CPU-s-warm": &r.CPUWarm,
		"samples": &r.Samples, "busy-threads": &r.Busy, "MB-heap": &r.Heap, "MB-peak": &r.Peak,
	}
	for line := range strings.Lines(said) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] != benchmark {
			continue
		}
		for i := 2; i+1 < len(words); i += 2 {
			into, known := units[words[i+1]]
			if !known {
				continue
			}
			v, err := strconv.ParseFloat(words[i], 64)
			if err != nil || !(v > 0) {
				return r, fmt.Errorf("%s is %q, want a number above 0", words[i+1], words[i])
			}
			*into = v
			delete(units, words[i+1])
		}
	}
	for unit := range units {
		return r, fmt.Errorf("no value of %s", unit)
	}
	return r, nil
}
