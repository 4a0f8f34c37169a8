package attribution

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAlike(t *testing.T) {
	for _, same := range [][2]string{
		{"", ""},
		{"l_tax#1576L", "l_tax"},
		{"l_tax#1576L", "l_tax#3"},
		{"Filter (a#1 > b#22L)", "Filter (a#123L > b#4)"},
		{"#1#2x", "x#7"},
		{"a#L", "aL"}, // no id, but a mark all the same
		{"a#", "a"},
	} {
		assert.True(t, alike(same[0], same[1]), same)
		assert.True(t, alike(same[1], same[0]), same)
	}
	for _, other := range [][2]string{{"", "a"}, {"a#1", "b#1"}, {"a#1", "a#1b"}, {"a1", "a#1"}, {"l#1L", "l#1LL"}} {
		assert.False(t, alike(other[0], other[1]), other)
		assert.False(t, alike(other[1], other[0]), other)
	}
}
