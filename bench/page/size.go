package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/planflame/planflame/internal/columns"
)

// planflameOutput runs the command and returns what it prints, and its CPU.
func (o *options) planflameOutput(ctx context.Context, args ...string) ([]byte, time.Duration, error) {
	cmd := exec.CommandContext(ctx, o.planflame, args...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, 0, fmt.Errorf("planflame %v: %w\n%s", args, err, &said)
	}
	return out, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

// reportOf is the report of a selection of a recording, and the CPU that it took.
func (o *options) reportOf(ctx context.Context, n name, flags ...string) (*columns.Report, time.Duration, error) {
	text, cpu, err := o.planflameOutput(ctx, append([]string{"report", "--format", "json", o.folder(n)}, flags...)...)
	if err != nil {
		return nil, 0, err
	}
	var r columns.Report
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, 0, fmt.Errorf("report of %s: %w", n, err)
	}
	return &r, cpu, nil
}

// size measures the recording and a report of it. The size is the file's: whoever changes the
// format changes the figure.
func (o *options) size(ctx context.Context, r *results) error {
	info, err := os.Stat(filepath.Join(o.folder(large), "recording"))
	if err != nil {
		return err
	}
	all, cpu, err := o.reportOf(ctx, large)
	if err != nil {
		return err
	}
	if all.Samples == 0 {
		return fmt.Errorf("recording %s has no samples", large)
	}
	samples := float64(all.Samples)
	r.Figures["recorded_samples"] = samples
	r.Figures["bytes_per_sample"] = float64(info.Size()) / samples
	r.Figures["report_us_per_sample"] = float64(cpu.Microseconds()) / samples
	return nil
}

// html draws a recording's page into a file of the work folder.
func (o *options) html(ctx context.Context, n name) (string, error) {
	text, _, err := o.planflameOutput(ctx, "report", "--format", "html", o.folder(n))
	if err != nil {
		return "", err
	}
	path := filepath.Join(o.work, string(n)+".html")
	return path, os.WriteFile(path, text, 0o644)
}
