package attributes

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]map[string]string{
		"":                              {},
		"team=margin":                   {"team": "margin"},
		" team = margin , tenant=t%2C3": {"team": "margin", "tenant": "t,3"},
		"a=b=c,":                        {"a": "b=c"},
		"a%3Db=,x=1,x=2":                {"a=b": "", "x": "2"},
		"a=1+1":                         {"a": "1+1"}, // a plus is no space: this is no form
	} {
		got, err := Parse(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	for text, says := range map[string]string{
		"team":           `attribute "team"`,
		"team=margin,=x": `attribute "=x"`,
		"team=%zz":       `attribute "team=%zz"`,
		"team=%ff":       `attribute "team=%ff"`, // no UTF-8
	} {
		got, err := Parse(text)
		assert.ErrorContains(t, err, says)
		assert.Nil(t, got, "all of it is discarded")
	}
}

func TestSet(t *testing.T) {
	s := NewSet()
	s.Add(map[string]string{"team": "margin", "host.name": "x", "none": ""})
	s.Add(map[string]string{"team": "risk", "tenant": "t7", "": "v"})
	assert.Equal(t, &Set{By: map[string]string{"team": "margin", "tenant": "t7"}, Dropped: 1}, s)
	for _, own := range []string{"host.name", "service.instance.id", "container.id", "k8s.pod.uid", "process.pid", "process.user.id", "spark.version"} {
		assert.True(t, Reserved(own), own)
	}
	for _, name := range OfSeries() {
		assert.False(t, Reserved(name), name)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("team=margin,tenant=t%2C7")
	f.Add("%00=,=")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := Parse(text)
		assert.Equal(t, err != nil, all == nil)
		s := NewSet()
		s.Add(all)
		assert.LessOrEqual(t, len(s.By), Most)
	})
}
