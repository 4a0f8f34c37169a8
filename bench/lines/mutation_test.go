package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestChanged(t *testing.T) {
	const base = "a = 1;\nb = a >= 8766;\nif (!b) continue;\nc = row.getLong(0);\nd = row.getLong(1);\n"
	for _, test := range []struct {
		name, after string
		want        effect
		lines       []int
	}{
		{"a constant", strings.Replace(base, "8766", "8767", 1), effectConfined, []int{1}},
		{"two lines", strings.NewReplacer("8766", "8767", "a = 1", "a = 2").Replace(base), effectConfined, []int{0, 1}},
		{"a constant that is no part of the text", "/*c*/" + base, effectNone, nil},
		{"a line more", base + "e = 1;\n", effectUnconfined, nil},
		{"columns read in another order", "a = 1;\nb = a >= 8766;\nif (!b) continue;\nd = row.getLong(1);\nc = row.getLong(0);\n", effectUnconfined, nil},
		{"numbers have shifted", strings.NewReplacer("a", "a1", "b", "b1").Replace(base), effectUnconfined, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			x, err := codeLines(base)
			require.NoError(t, err)
			y, err := codeLines(test.after)
			require.NoError(t, err)
			got, lines := changed(x, y)
			assert.Equal(t, test.want, got)
			assert.Equal(t, test.lines, lines)
		})
	}
}

func TestChangedShare(t *testing.T) {
	text := func(changed int) string {
		var b strings.Builder
		for i := range 100 {
			if i < changed {
				fmt.Fprintf(&b, "x%d = 2;\n", i)
			} else {
				fmt.Fprintf(&b, "x%d = 1;\n", i)
			}
		}
		return b.String()
	}
	base, err := codeLines(text(0))
	require.NoError(t, err)
	for n, want := range map[int]effect{1: effectConfined, 10: effectConfined, 11: effectUnconfined} {
		after, err := codeLines(text(n))
		require.NoError(t, err)
		got, _ := changed(base, after)
		assert.Equal(t, want, got, "%d of 100 lines", n)
	}
}
