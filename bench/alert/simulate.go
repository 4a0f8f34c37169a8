package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
)

// leastSD is the least standard deviation of an operator's own that a dozen runs can show.
const leastSD = 0.01

// simulated is the simulation of one query, as invented histories with the noise that its runs were
// measured to have.
type simulated struct {
	Query  string          `json:"query"`
	Alone  json.RawMessage `json:"alone"`
	Args   []string        `json:"args"` // of shift/internal/simulate
	output string
}

// simulate runs shift's simulation with the spread and the samples of each query's operator as
// always, with runs a day apart.
func (o *options) simulate(ctx context.Context, all []live) (out []simulated, err error) {
	for i, l := range all {
		file := filepath.Join(o.dir, fmt.Sprintf("simulated-%d.json", i))
		number := func(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) }
		args := []string{"-part", "alone", "-trials", strconv.Itoa(o.trials), "-run-sd", number(l.RunCV), "-share", number(l.Share), "-history", strconv.Itoa(l.Before),
			"-operator-sd", number(max(leastSD, math.Sqrt(max(0, l.OwnCV*l.OwnCV-l.Sampling*l.Sampling-l.RunCV*l.RunCV)))),
			// As many samples of equal weight as have the stated error.
			"-samples", number(1 / (l.Sampling * l.Sampling * l.Share))}
		cmd := exec.CommandContext(ctx, "go", slices.Concat([]string{"run", "./shift/internal/simulate", "-out", file}, args)...)
		cmd.Stderr = os.Stderr
		said, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("simulate %s: %w", l.Query, err)
		}
		s := simulated{Query: l.Query, Args: args, output: string(said)}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, &s); err != nil {
			return nil, fmt.Errorf("simulate %s: %s: %w", l.Query, file, err)
		}
		out = append(out, s)
	}
	return out, nil
}
