package exporter

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/config/configopaque"
	"go.opentelemetry.io/collector/confmap"

	"github.com/planflame/planflame/exporter/push"
)

// load reads keys as the Collector does, over the defaults.
func load(t *testing.T, keys map[string]any) (*Config, error) {
	t.Helper()
	cfg := NewFactory().CreateDefaultConfig().(*Config)
	if err := confmap.NewFromStringMap(keys).Unmarshal(cfg); err != nil {
		return cfg, err
	}
	return cfg, confmap.Validate(cfg)
}

// TestConfigEveryKey sets each key to a value of its own.
func TestConfigEveryKey(t *testing.T) {
	cfg, err := load(t, map[string]any{
		"endpoint":    "https://pyroscope.example:4041/below",
		"timeout":     "3s",
		"tenant":      "team-5",
		"basic_auth":  map[string]any{"username": "u7", "password": "p11"},
		"headers":     map[string]any{"X-Extra": "h13"},
		"tls":         map[string]any{"insecure_skip_verify": true},
		"compression": "none",
		"series": map[string]any{
			"resource_attributes": []string{"service.name", "r17"},
			"sample_attributes":   []string{"s19", "s.23"},
			"static":              map[string]any{"env": "e29"}, "label_names": map[string]any{"s19": "short"},
			"max_values": 31, "max_resources": 37,
		},
		"limits":           map[string]any{"max_samples": 47, "max_bytes": 530_000, "max_age": "59m", "max_ahead": "61s"},
		"self_profile":     map[string]any{"enabled": true, "service_name": "c67", "labels": map[string]any{"l71": "v73"}},
		"sending_queue":    map[string]any{"queue_size": 79, "num_consumers": 83},
		"retry_on_failure": map[string]any{"max_elapsed_time": "89s"},
	})
	require.NoError(t, err)
	assert.Equal(t, "https://pyroscope.example:4041/below", cfg.ClientConfig.Endpoint)
	assert.Equal(t, 3*time.Second, cfg.ClientConfig.Timeout)
	assert.Equal(t, "team-5", cfg.Tenant)
	assert.Equal(t, BasicAuth{"u7", "p11"}, cfg.BasicAuth)
	assert.True(t, cfg.ClientConfig.TLS.InsecureSkipVerify)
	assert.Equal(t, Series{
		ResourceAttributes: []string{"service.name", "r17"}, SampleAttributes: []string{"s19", "s.23"}, Static: map[string]string{"env": "e29"}, LabelNames: map[string]string{"s19": "short"},
		MaxValues: 31, MaxResources: 37,
	}, cfg.Series)
	assert.Equal(t, Limits{Split: push.Limits{Samples: 47, Bytes: 530_000}, MaxAge: 59 * time.Minute, MaxAhead: 61 * time.Second}, cfg.Limits)
	assert.Equal(t, SelfProfile{Enabled: true, ServiceName: "c67", Labels: map[string]string{"l71": "v73"}}, cfg.SelfProfile)
	assert.Equal(t, int64(79), cfg.QueueConfig.Get().QueueSize)
	assert.Equal(t, 83, cfg.QueueConfig.Get().NumConsumers)
	assert.Equal(t, 89*time.Second, cfg.RetryConfig.MaxElapsedTime)

	shown := confmap.New()
	require.NoError(t, shown.Marshal(cfg))
	assert.NotContains(t, strings.ReplaceAll(assertString(shown), "p11", "LEAK"), "LEAK")
}

func assertString(c *confmap.Conf) string {
	var b strings.Builder
	for _, k := range c.AllKeys() {
		b.WriteString(k)
		if s, ok := c.Get(k).(string); ok {
			b.WriteString("=" + s)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestDefaultsNeedOnlyAnEndpoint(t *testing.T) {
	_, err := load(t, map[string]any{})
	require.ErrorContains(t, err, "endpoint: missing")
	cfg, err := load(t, map[string]any{"endpoint": "http://localhost:4040"})
	require.NoError(t, err)
	assert.Equal(t, []string{"service.name", "service.namespace", "host.name"}, cfg.Series.ResourceAttributes)
	assert.Empty(t, cfg.Series.SampleAttributes)
	assert.Equal(t, 500, cfg.Series.MaxValues)
}

// Every refusal names its key.
func TestConfigRefusals(t *testing.T) {
	many := make([]string, 30)
	for i := range many {
		many[i] = "a" + strings.Repeat("x", i)
	}
	for name, test := range map[string]struct {
		keys map[string]any
		err  string
	}{
		"no scheme":          {map[string]any{"endpoint": "localhost:4040"}, "endpoint:"},
		"other scheme":       {map[string]any{"endpoint": "ftp://localhost"}, `endpoint: parse Pyroscope URL "ftp://localhost": want http://host:port`},
		"unknown key":        {map[string]any{"tenants": "x"}, "tenants"},
		"unknown series key": {map[string]any{"series": map[string]any{"max": 3}}, "max"},
		"two ways":           {map[string]any{"bearer_token": "x", "basic_auth": map[string]any{"username": "u"}}, "basic_auth, bearer_token: use one"},
		"header and token":   {map[string]any{"bearer_token": "x", "headers": map[string]any{"authorization": "y"}}, "bearer_token, headers::Authorization"},
		"password alone":     {map[string]any{"basic_auth": map[string]any{"password": "p"}}, "basic_auth::username: missing"},
		"tenant twice":       {map[string]any{"tenant": "a", "headers": map[string]any{"X-Scope-OrgID": "b"}}, "tenant: set here and as headers::X-Scope-OrgID"},
		"tenant lines":       {map[string]any{"tenant": "a\nb"}, "tenant: has a line break"},
		"no service": {map[string]any{"series": map[string]any{"resource_attributes": []string{"host.name"}}},
			"series::resource_attributes: service.name is missing"},
		"collision": {map[string]any{"series": map[string]any{"sample_attributes": []string{"a.b", "a_b"}}},
			`series::sample_attributes[1]: label "a_b" is already made by series::sample_attributes[0]`},
		"collision of kinds": {map[string]any{"series": map[string]any{"sample_attributes": []string{"host.name"}}},
			`series::sample_attributes[0]: label "host_name" is already made by series::resource_attributes[2]`},
		"unlisted label name":  {map[string]any{"series": map[string]any{"label_names": map[string]any{"x.y": "z"}}}, "series::label_names::x.y: neither"},
		"bad label name":       {map[string]any{"series": map[string]any{"label_names": map[string]any{"host.name": "a-b"}}}, "series::label_names::host.name"},
		"label name collision": {map[string]any{"series": map[string]any{"label_names": map[string]any{"host.name": "service_name"}}}, `label "service_name" is already made`},
		"static collision":     {map[string]any{"series": map[string]any{"static": map[string]any{"host_name": "x"}}}, "series::static::host_name"},
		"static name":          {map[string]any{"series": map[string]any{"static": map[string]any{"a-b": "x"}}}, "series::static::a-b"},
		"static too long":      {map[string]any{"series": map[string]any{"static": map[string]any{"a": strings.Repeat("x", 2049)}}}, "2049 bytes"},
		"reserved":             {map[string]any{"series": map[string]any{"static": map[string]any{"__name__": "x"}}}, "Pyroscope's own"},
		"empty attribute":      {map[string]any{"series": map[string]any{"sample_attributes": []string{""}}}, "series::sample_attributes[0]: empty"},
		"too many":             {map[string]any{"series": map[string]any{"sample_attributes": many}}, "series: 34 labels"},
		"max_values":           {map[string]any{"series": map[string]any{"max_values": 0}}, "series::max_values: 0"},
		"max_resources":        {map[string]any{"series": map[string]any{"max_resources": -1}}, "series::max_resources: -1"},
		"max_samples":          {map[string]any{"limits": map[string]any{"max_samples": 0}}, "limits::max_samples: 0, want 1 or more"},
		"max_bytes":            {map[string]any{"limits": map[string]any{"max_bytes": 1000}}, "limits::max_bytes"},
		"max_age":              {map[string]any{"limits": map[string]any{"max_age": "-1s"}}, "limits::max_age: -1s, want 0s or more"},
		"max_ahead":            {map[string]any{"limits": map[string]any{"max_ahead": "-1s"}}, "limits::max_ahead"},
		"self":                 {map[string]any{"self_profile": map[string]any{"enabled": true, "service_name": ""}}, "self_profile::service_name"},
		"queue":                {map[string]any{"sending_queue": map[string]any{"num_consumers": -1}}, "num_consumers"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, ok := test.keys["endpoint"]; !ok {
				test.keys["endpoint"] = "http://localhost:4040"
			}
			_, err := load(t, test.keys)
			require.ErrorContains(t, err, test.err)
		})
	}
}

func TestEndpointRefusalsHideThePassword(t *testing.T) {
	for _, bad := range []string{"http://u:secret@a b", "http://u:secret/x@host", "ftp://u:secret@host", "u:secret@host:4040"} {
		_, err := load(t, map[string]any{"endpoint": bad})
		require.ErrorContains(t, err, "endpoint:", bad)
		require.NotContains(t, err.Error(), "secret", bad)
	}
}

func TestSecretsAreOpaque(t *testing.T) {
	text, err := configopaque.String("secret").MarshalText()
	require.NoError(t, err)
	assert.Equal(t, "[REDACTED]", string(text))
}
