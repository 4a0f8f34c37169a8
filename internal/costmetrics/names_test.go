package costmetrics

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestQueryNames(t *testing.T) {
	n := NewQueryNames(2)
	a, b := Owner{Service: "a"}, Owner{Service: "b"}
	n.Add(a, "q1", "one")
	n.Add(b, "q1", "another's")
	n.Add(a, "q1", "")
	assert.Equal(t, "one", n.Of(a, "q1"), "no name replaces none")
	n.Add(a, "q1", "uno")
	assert.Equal(t, []string{"uno", "another's", ""}, []string{n.Of(a, "q1"), n.Of(b, "q1"), n.Of(a, "q2")})
	n.Add(a, "q3", "three")
	assert.Equal(t, "three", n.Of(a, "q3"))
	assert.Len(t, n.by, 2, "no room")
}
