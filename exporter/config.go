package exporter

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"go.opentelemetry.io/collector/config/confighttp"
	"go.opentelemetry.io/collector/config/configopaque"
	"go.opentelemetry.io/collector/config/configoptional"
	"go.opentelemetry.io/collector/config/configretry"
	"go.opentelemetry.io/collector/exporter/exporterhelper"

	"github.com/planflame/planflame/exporter/push"
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
	// ProfileNames maps a sample type ("cpu") to the first word of Pyroscope's profile type
	// ("process_cpu"); entries are added to the defaults. A sample type that is not listed is its
	// own name.
	ProfileNames map[string]string `mapstructure:"profile_names"`
	// Limits are those of the server.
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
	// one time: those with the most weight, with half of the weight forgotten every HalfLife. The
	// sample attributes of all others become "other".
	MaxValues int `mapstructure:"max_values"`
	// MaxResources is how many sets of resource attribute values are kept at one time. Those of all
	// others become "other".
	MaxResources int `mapstructure:"max_resources"`
	// HalfLife is how fast weights are forgotten.
	HalfLife time.Duration `mapstructure:"half_life"`
}

// Limits are what the server accepts.
type Limits struct {
	// MaxSamples is the most samples of one pushed profile; larger ones are split.
	MaxSamples int `mapstructure:"max_samples"`
	// MaxBytes is the most uncompressed bytes of one pushed profile; larger ones are split.
	MaxBytes int `mapstructure:"max_bytes"`
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
			HalfLife:           30 * time.Minute,
		},
		Limits: Limits{
			MaxSamples: push.DefaultSamples,
			MaxBytes:   push.DefaultBytes,
			MaxAge:     push.MaxAge,
			MaxAhead:   push.MaxAhead,
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
	} else if u, err := url.Parse(c.ClientConfig.Endpoint); err != nil {
		refuse("endpoint: %w", err)
	} else if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		refuse("endpoint: %q is not a URL of the form http://host:port or https://host:port", u.Redacted())
	}
	errs = append(errs, c.validateAuth()...)
	errs = append(errs, c.Series.validate()...)
	for sampleType, name := range c.ProfileNames {
		if !labelName.MatchString(name) {
			refuse("profile_names::%s: %q is not a name of letters, digits and underscores", sampleType, name)
		}
	}
	if c.Limits.MaxSamples < 1 {
		refuse("limits::max_samples: %d, want at least 1", c.Limits.MaxSamples)
	}
	if c.Limits.MaxBytes < minBytes {
		refuse("limits::max_bytes: %d, want at least %d", c.Limits.MaxBytes, minBytes)
	}
	if c.Limits.MaxAge < 0 {
		refuse("limits::max_age: %s is negative", c.Limits.MaxAge)
	}
	if c.Limits.MaxAhead < 0 {
		refuse("limits::max_ahead: %s is negative", c.Limits.MaxAhead)
	}
	if c.SelfProfile.Enabled && c.SelfProfile.ServiceName == "" {
		refuse("self_profile::service_name: missing")
	}
	return errors.Join(errs...)
}

// minBytes of Limits.MaxBytes: below it single samples with deep stacks no longer fit.
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
