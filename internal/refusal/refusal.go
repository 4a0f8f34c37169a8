// Package refusal words why a configuration is refused: all components name the key as the user
// wrote it, its value, and what it may be.
package refusal

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Outside returns an error unless low ≤ v ≤ high. NaN is outside.
func Outside[T cmp.Ordered](key string, v, low, high T) error {
	if v >= low && v <= high {
		return nil
	}
	return fmt.Errorf("%s: %v, want %v to %v", key, v, low, high)
}

// Below returns an error unless v ≥ low. NaN is below.
func Below[T cmp.Ordered](key string, v, low T) error {
	if v >= low {
		return nil
	}
	return fmt.Errorf("%s: %v, want %v or more", key, v, low)
}

// NotOneOf returns an error unless v is one of the choices.
func NotOneOf(key, v string, choices ...string) error {
	if slices.Contains(choices, v) {
		return nil
	}
	last := len(choices) - 1
	return fmt.Errorf("%s: %q is not %s or %s", key, v, strings.Join(choices[:last], ", "), choices[last])
}
