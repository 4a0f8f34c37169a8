package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// tinyTest is the test of package sampler that samples some thousand tasks of a millisecond in a
// JVM with the agent. All are sampled at 20 Hz, and a part of them at 200 Hz more.
const tinyTest = "TestTinyTasksOfBothTiers"

// runTiny takes the samples of tiny tasks over what they are worth from the test that holds them
// against 1.
func runTiny(ctx context.Context, o options, r *results) error {
	path, err := filepath.Abs(filepath.Join(o.dir, "tiny.json"))
	if err != nil {
		return err
	}
	if err := errors.Join(os.MkdirAll(o.dir, 0o755), removed(path)); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "test", "-count=1", "-run", "^"+tinyTest+"$", "-v", "./sampler")
	cmd.Env = append(os.Environ(), "PLANFLAME_FIGURES="+path)
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", tinyTest, err, said)
	}
	return r.take(path, "tiny_task_sample_ratio", "tiny_task_samples", "tiny_task_detail_sample_ratio")
}

// take takes figures over that were written elsewhere.
func (r *results) take(path string, keys ...string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var other struct {
		Figures map[string]float64 `json:"figures"`
	}
	if err := json.Unmarshal(text, &other); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, k := range keys {
		v, ok := other.Figures[k]
		if !ok {
			return fmt.Errorf("%s: has no figure %s", path, k)
		}
		r.Figures[k] = v
		fmt.Printf("%s %.4f\n", k, v)
	}
	return nil
}

// removed removes a file that need not be there.
func removed(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
