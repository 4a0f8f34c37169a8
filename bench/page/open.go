package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/planflame/planflame/page"
)

const (
	million = 1_000_000
	moves   = 30 // of the pointer
)

// brushed is what test/brush.mjs prints. Times are CPU of the main thread in milliseconds.
type brushed struct {
	Open float64   `json:"open_ms"`
	Drag []float64 `json:"drag_ms"` // of each move with the button down
	End  []float64 `json:"end_ms"`  // of each release
}

// open measures the page with a million samples and with ten.
func (o *options) open(ctx context.Context, r *results) error {
	path, err := o.html(ctx, large)
	if err != nil {
		return err
	}
	recorded, err := readPage(path)
	if err != nil {
		return err
	}
	one, err := recorded.resized(million)
	if err != nil {
		return err
	}
	r.Figures["real_samples"], r.Figures["distinct_stacks"] = float64(min(recorded.samples(), million)), float64(one.distinctStacks())
	b, err := o.brush(ctx, "1m", one)
	if err != nil {
		return err
	}
	r.Figures["open_cpu_s"], r.Figures["brush_cpu_ms"], r.Figures["brush_exact_cpu_ms"] = b.Open/1e3, p95(b.Drag), p95(b.End)
	ten, err := one.resized(10 * million)
	if err != nil {
		return err
	}
	if b, err = o.brush(ctx, "10m", ten); err != nil {
		return err
	}
	r.Figures["open10m_s"], r.Figures["brush10m_ms"], r.Figures["brush10m_exact_ms"] = b.Open/1e3, p95(b.Drag), p95(b.End)
	return nil
}

// brush opens a model's page in Chromium and brushes it.
func (o *options) brush(ctx context.Context, called string, c *container) (*brushed, error) {
	path, err := filepath.Abs(filepath.Join(o.work, called+".html"))
	if err != nil {
		return nil, err
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(page.Write(f, c.encode), f.Close()); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	text, err := node(ctx, "test/brush.mjs", path, fmt.Sprint(moves))
	if err != nil {
		return nil, err
	}
	b := &brushed{}
	if err := json.Unmarshal(text, b); err != nil {
		return nil, fmt.Errorf("brush %s: %w", path, err)
	}
	if len(b.Drag) != moves || len(b.End) == 0 {
		return nil, fmt.Errorf("brush %s: %d moves of %d, %d releases", path, len(b.Drag), moves, len(b.End))
	}
	return b, nil
}

// node runs a script of the page's folder and returns what it prints.
func node(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "node", args...)
	cmd.Dir = "page"
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("node %v: %w\n%s", args, err, &said)
	}
	return out, nil
}

// p95 is the value that 95 % of the values do not exceed.
func p95(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[(len(sorted)*95+99)/100-1]
}
