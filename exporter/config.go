package exporter

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"go.opentelemetry.io/collector/config/confighttp"
	"go.opentelemetry.io/collector/config/configopaque"
	"go.opentelemetry.io/collector/config/configoptional"
	"go.opentelemetry.io/collector/config/configretry"
	"go.opentelemetry.io/collector/exporter/exporterhelper"

	"github.com/planflame/planflame/exporter/push"
	"github.com/planflame/planflame/internal/refusal"
)

// Config is the user's YAML of the exporter.
type Config struct {
	// ClientConfig holds endpoint (the server's URL, http or https, with an optional path), timeout
	// (of one push), tls, headers, auth, proxy_url and the other HTTP client settings of the
	// Collector.
	ClientConfig confighttp.ClientConfig `mapstructure:",squash"`
	// QueueConfig is sending_queue: the queue before the exporter, in memory or in a storage
	// extension.
	QueueConfig configoptional.Optional[exporterhelper.QueueBatchConfig] `mapstructure:"sending_queue"`
	// RetryConfig is retry_on_failure.
	RetryConfig configretry.BackOffConfig `mapstructure:"retry_on_failure"`

	// Tenant is sent as X-Scope-OrgID; "" sends none.
	Tenant string `mapstructure:"tenant"`
	// BasicAuth is HTTP basic authentication; at most one of it, BearerToken and auth.
	BasicAuth BasicAuth `mapstructure:"basic_auth"`
	// BearerToken is sent as Authorization: Bearer.
	BearerToken configopaque.String `mapstructure:"bearer_token"`

	// Series says which attributes become labels of Pyroscope's series and how many series there
	// may be.
	Series Series `mapstructure:"series"`
	// Limits are the server's.
	Limits Limits `mapstructure:"limits"`
	// SelfProfile also profiles the Collector itself into the same server.
	SelfProfile SelfProfile `mapstructure:"self_profile"`
}

// BasicAuth is a user and a password.
type BasicAuth struct {
	Username string              `mapstructure:"username"`
	Password configopaque.String `mapstructure:"password"`
}

// Series bounds the labels. Dots and other characters of attribute names become underscores.
type Series struct {
	// ResourceAttributes become labels of every series of the resource. service.name is among them,
	// or Static has service_name.
	ResourceAttributes []string `mapstructure:"resource_attributes"`
	// SampleAttributes become labels too: each distinct set of their values is a series of its own.
	// Other attributes are left out.
	SampleAttributes []string `mapstructure:"sample_attributes"`
	// LabelNames are the names of labels that shall not be made from the attribute's name:
	// attribute → label.
	LabelNames map[string]string `mapstructure:"label_names"`
	// Static are labels with fixed values.
	Static map[string]string `mapstructure:"static"`
	// MaxValues is how many sets of resource and sample attribute values a profile type keeps at
	// one time. The sets with the most weight stay; half of the weight is forgotten every half
	// hour. The sample attributes of all others become "other".
	MaxValues int `mapstructure:"max_values"`
	// MaxResources is how many sets of resource attribute values are kept at one time. The
	// attributes of all others become "other".
	MaxResources int `mapstructure:"max_resources"`
}

// Limits are what the server accepts.
type Limits struct {
	// Split is the largest profile that is pushed in one piece.
	Split push.Limits `mapstructure:",squash"`
	// MaxAge and MaxAhead bound a profile's time against the clock; what lies outside is dropped
	// and counted, as the server would refuse it. 0: no bound.
	MaxAge   time.Duration `mapstructure:"max_age"`
	MaxAhead time.Duration `mapstructure:"max_ahead"`
}

// SelfProfile are the settings of profiling the Collector itself.
type SelfProfile struct {
	Enabled bool `mapstructure:"enabled"`
	// ServiceName is the service_name of the Collector's own profiles.
	ServiceName string `mapstructure:"service_name"`
	// Labels are added to the Collector's own profiles.
	Labels map[string]string `mapstructure:"labels"`
}

func defaultConfig() *Config {
	client := confighttp.NewDefaultClientConfig()
	client.Timeout = 10 * time.Second
	return &Config{
		ClientConfig: client,
		QueueConfig:  configoptional.Some(exporterhelper.NewDefaultQueueConfig()),
		RetryConfig:  configretry.NewDefaultBackOffConfig(),
		Series: Series{
			ResourceAttributes: []string{"service.name", "service.namespace", "host.name"},
			MaxValues:          500,
			MaxResources:       200,
		},
		Limits: Limits{
			Split:    push.DefaultLimits(),
			MaxAge:   push.MaxAge,
			MaxAhead: push.MaxAhead,
		},
		SelfProfile: SelfProfile{ServiceName: "planflame-collector"},
	}
}

// Validate refuses what cannot work, naming the key.
func (c *Config) Validate() error {
	var errs []error
	refuse := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }

	if c.ClientConfig.Endpoint == "" {
		refuse("endpoint: missing; it is the Pyroscope server's URL, such as http://localhost:4040")
	} else if _, err := push.NewClient(nil, c.ClientConfig.Endpoint); err != nil {
		refuse("endpoint: %w", err)
	}
	errs = append(errs, c.validateAuth()...)
	errs = append(errs, c.Series.validate()...)
	errs = append(errs,
		refusal.Below("limits::max_samples", c.Limits.Split.Samples, 1),
		refusal.Below("limits::max_bytes", c.Limits.Split.Bytes, minBytes),
		refusal.Below("limits::max_age", c.Limits.MaxAge, 0),
		refusal.Below("limits::max_ahead", c.Limits.MaxAhead, 0),
	)
	if c.SelfProfile.Enabled && c.SelfProfile.ServiceName == "" {
		refuse("self_profile::service_name: missing")
	}
	return errors.Join(errs...)
}

// minBytes of limits::max_bytes: below it single samples with deep stacks no longer fit.
const minBytes = 64 << 10

func (c *Config) validateAuth() (errs []error) {
	basic := c.BasicAuth.Username != "" || c.BasicAuth.Password != ""
	ways := []string{}
	if basic {
		ways = append(ways, "basic_auth")
	}
	if c.BearerToken != "" {
		ways = append(ways, "bearer_token")
	}
	if c.ClientConfig.Auth.HasValue() {
		ways = append(ways, "auth")
	}
	for name := range c.ClientConfig.Headers.Iter {
		switch {
		case strings.EqualFold(name, "Authorization"):
			ways = append(ways, "headers::Authorization")
		case strings.EqualFold(name, tenantHeader) && c.Tenant != "":
			errs = append(errs, fmt.Errorf("tenant: set here and as headers::%s", name))
		}
	}
	if len(ways) > 1 {
		errs = append(errs, fmt.Errorf("%s: use one of them", strings.Join(ways, ", ")))
	}
	if basic && c.BasicAuth.Username == "" {
		errs = append(errs, errors.New("basic_auth::username: missing"))
	}
	if strings.ContainsAny(c.Tenant, "\r\n") {
		errs = append(errs, errors.New("tenant: has a line break"))
	}
	return errs
}
