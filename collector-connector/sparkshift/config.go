package sparkshift

import (
	"errors"
	"slices"
	"time"

	"go.opentelemetry.io/collector/component"

	"github.com/planflame/planflame/collector-connector/internal/waiting"
	"github.com/planflame/planflame/internal/attributes"
	"github.com/planflame/planflame/internal/refusal"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/shift"
)

// Config is the user's YAML of the connector.
type Config struct {
	Waiting waiting.Settings `mapstructure:",squash"`
	Judging judging          `mapstructure:",squash"`
	// Labels are the attributes of the resource that metrics and events carry.
	Labels []string `mapstructure:"labels"`
	// Storage is the id of a storage extension; without one histories are kept in memory and lost
	// with the process.
	Storage *component.ID `mapstructure:"storage"`
	// DashboardURL and FlameGraphURL are where people reach Grafana and Pyroscope: events and the
	// gauge shifted_since have links there. Empty: none.
	DashboardURL  string `mapstructure:"dashboard_url"`
	FlameGraphURL string `mapstructure:"flame_graph_url"`
	// MaxStackNodes bounds the stacks that are kept, in nodes of call trees: 30 bytes each, 70 of
	// an open run. 0: none, and events tell of none.
	MaxStackNodes int `mapstructure:"max_stack_nodes"`
}

// judging is shift.Settings without its Validate, which the Collector would call by itself and put
// the name of Config's field before the key.
type judging shift.Settings

// retain is how long after a run its operators' gauges are repeated. Gauges of standing shifts are
// repeated until they are resolved, accepted or retired.
const retain = 15 * time.Minute

func defaultConfig() *Config {
	return &Config{
		Waiting: waiting.Default(30 * time.Minute), Judging: judging(shift.DefaultSettings()),
		Labels: slices.Insert(attributes.OfOwners(), 0, semconv.ServiceName), MaxStackNodes: 1_000_000,
	}
}

// settings are the settings of the histories.
func (c *Config) settings() *shift.Settings { return (*shift.Settings)(&c.Judging) }

// Validate refuses what cannot work, naming the key.
func (c *Config) Validate() error {
	return errors.Join(
		c.Waiting.Refusals(),
		c.settings().Validate(),
		attributes.Distinct(c.Labels),
		validateURL("dashboard_url", c.DashboardURL), validateURL("flame_graph_url", c.FlameGraphURL),
		refusal.Outside("max_stack_nodes", c.MaxStackNodes, 0, 100_000_000),
	)
}
