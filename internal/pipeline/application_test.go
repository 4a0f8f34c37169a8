package pipeline

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/attributes"
)

func TestParseApplication(t *testing.T) {
	many := func(n int) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(`"l%03d": "v"`, i))
		}
		return `{"labels": {` + strings.Join(all, ",") + `}}`
	}
	for name, test := range map[string]struct {
		json    string
		want    map[string]string
		dropped uint64
	}{
		"an older plugin": {`{"application_id": "app-3", "labels": {}}`, nil, 0},
		"labels over the environment": {`{"labels": {"team": "margin"}, "dropped_labels": 3, "environment": {"OTEL_RESOURCE_ATTRIBUTES": "team=risk,tenant=t7"}}`,
			map[string]string{"team": "margin", "tenant": "t7"}, 3},
		"service": {`{"environment": {"OTEL_RESOURCE_ATTRIBUTES": "service.name=a,service.namespace=etl", "OTEL_SERVICE_NAME": "b"}}`,
			map[string]string{"service.name": "b", "service.namespace": "etl"}, 0},
		"what is measured is not said": {`{"labels": {"host.name": "x", "spark.executor.id": "9", "process.pid": "1", "container.id": "c", "k8s.pod.uid": "p"}, "environment": {"OTEL_RESOURCE_ATTRIBUTES": "service.instance.id=3,container.id=d,process.user.id=0"}}`, nil, 0},
		"a bad list is no list":        {`{"labels": {"team": "margin"}, "environment": {"OTEL_RESOURCE_ATTRIBUTES": "tenant=t7,x"}}`, map[string]string{"team": "margin"}, 1},
		"too long":                     {`{"labels": {"team": "` + strings.Repeat("x", 257) + `", "` + strings.Repeat("k", 65) + `": "v", "empty": ""}}`, nil, 2},
	} {
		t.Run(name, func(t *testing.T) {
			app, dropped, err := parseApplication([]byte(test.json), nil)
			require.NoError(t, err)
			assert.Equal(t, test.want, app.Attributes)
			assert.Equal(t, test.dropped, dropped)
		})
	}
	app, dropped, err := parseApplication([]byte(many(35)), nil)
	require.NoError(t, err)
	assert.Len(t, app.Attributes, attributes.Most)
	assert.Contains(t, app.Attributes, "l031")
	assert.NotContains(t, app.Attributes, "l032", "the first by name")
	assert.Equal(t, uint64(3), dropped)
	app, dropped, err = parseApplication(fmt.Appendf(nil, `{"application_id": "%s", "application_name": "%s"}`, strings.Repeat("i", longestName), strings.Repeat("é", longestName/2+1)), nil)
	require.NoError(t, err)
	assert.Equal(t, [2]int{longestName, longestName}, [2]int{len(app.ID), len(app.Name)})
	assert.True(t, utf8.ValidString(app.Name))
	assert.Equal(t, uint64(1), dropped)
	_, _, err = parseApplication([]byte(`{"labels": {"team": 3}}`), nil)
	assert.ErrorContains(t, err, "decode APPLICATION")
}

func FuzzParseApplication(f *testing.F) {
	f.Add([]byte(`{"application_id": "a", "labels": {"team": "margin"}, "dropped_labels": 3, "environment": {"OTEL_RESOURCE_ATTRIBUTES": "tenant=t%2C7", "OTEL_SERVICE_NAME": "s"}}`))
	f.Add([]byte(`{"labels": {"\ud800": "\u0000"}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		app, _, err := parseApplication(text, nil)
		if err != nil {
			assert.Empty(t, app.Attributes)
			return
		}
		assert.True(t, json.Valid(text))
		assert.LessOrEqual(t, len(app.Attributes), attributes.Most)
		for k, v := range app.Attributes {
			assert.True(t, k != "" && v != "" && len(k) <= attributes.LongestKey && len(v) <= attributes.LongestValue && utf8.ValidString(k) && utf8.ValidString(v) && !attributes.Reserved(k), "%q=%q", k, v)
		}
	})
}
