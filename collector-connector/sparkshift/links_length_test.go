package sparkshift

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/shift/growth"
)

// A label is at most mostStackText bytes, whatever its frames' lengths are, and says what the stack cost.
func TestStackTextOfEveryLength(t *testing.T) {
	for n := 1; n < 2*mostStackText; n++ {
		c := &growth.Change{Frames: []string{"outer", strings.Repeat("é", n/2) + strings.Repeat("x", n%2)}, From: 4.56, To: 12.3}
		text := stackText(c)
		require.LessOrEqual(t, len(text), mostStackText, "%d bytes", n)
		require.True(t, strings.HasSuffix(text, ": 12.3 s a run, was 4.56 s"), "%d bytes: %q", n, text)
	}
}
