package costmetrics

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestOwnerOf(t *testing.T) {
	o := OwnerOf("nightly", []string{"team", "tenant", "owner"}, map[string]string{"owner": "a\x00b", "team": "margin", "other": "x"})
	var got []string
	o.Each(func(k, v string) { got = append(got, k+"="+v) })
	assert.Equal(t, []string{"team=margin", "owner=ab"}, got)
	assert.Equal(t, Owner{Service: "nightly"}, OwnerOf("nightly", []string{"team"}, nil))
	Owner{}.Each(func(k, v string) { t.Errorf("%s=%s of no one", k, v) })
}
