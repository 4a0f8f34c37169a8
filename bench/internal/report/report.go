// Package report writes what the benches found: a JSON file each, with figures under stable keys.
//
// A bench writes after each part, so that an interrupt leaves what was measured. Intervals of
// paired ratios are the sign test's. The package imports nothing of the product.
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Write writes a value as JSON and makes the folder that the file lies in.
func Write(path string, v any) error {
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return fmt.Errorf("encode %s: %w", path, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}

// Read reads what Write has written.
func Read(path string, v any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// Figures prints figures, one a line, by their keys.
func Figures(w io.Writer, figures map[string]float64) {
	for _, k := range slices.Sorted(maps.Keys(figures)) {
		fmt.Fprintf(w, "%-32s %g\n", k, figures[k])
	}
}
