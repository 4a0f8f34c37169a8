package attributes

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOriginOf(t *testing.T) {
	machine, err := os.Hostname()
	require.NoError(t, err)
	for text, want := range map[string]Origin{
		"":                                      {Host: machine, Instance: machine},
		"team=margin":                           {Host: machine, Instance: machine},
		"host.name=":                            {Host: machine, Instance: machine},
		"team":                                  {Host: machine, Instance: machine}, // the list as a whole does not count
		"host.name=node-7,k8s.node.name=node-8": {Host: "node-7", Instance: "node-7"},
		"service.instance.id=staging":           {Host: machine, Instance: "staging"},
		"service.instance.id=i3,host.name=n%20": {Host: "n ", Instance: "i3"},
	} {
		got, err := OriginOf(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	for _, key := range []string{"host.name", "service.instance.id"} {
		_, err = OriginOf(key + "=$(NODE_NAME)")
		assert.ErrorContains(t, err, `OTEL_RESOURCE_ATTRIBUTES: `+key+`: "$(NODE_NAME)" is not expanded`)
	}
}
