package sparkshift

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"go.opentelemetry.io/collector/component"

	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/shift"
)

// Config is the user's YAML of the connector.
type Config struct {
	// Settle is how long after the newest part of a run it is judged: executors on other nodes
	// report on their own time, so more than the longest window of their receivers and the delay of
	// their export.
	Settle time.Duration `mapstructure:"settle"`
	// SettleOpen is how long a run is waited for of which only executors have reported that left
	// before it was over. Then it is dropped, counted.
	SettleOpen time.Duration `mapstructure:"settle_open"`
	// Interval is the time between two looks for settled runs; what changed is stored then.
	Interval time.Duration `mapstructure:"interval"`
	// Repeat is the time between two deliveries of the same gauges, so that they do not go stale
	// between two runs.
	Repeat time.Duration `mapstructure:"repeat"`
	// Retain is how long after a run its operators' gauges are repeated. Those of standing shifts
	// are repeated until they are resolved.
	Retain time.Duration `mapstructure:"retain"`
	// MaxOpenRuns bounds the runs that are waited for, and likewise those of which there are
	// stacks.
	MaxOpenRuns int `mapstructure:"max_open_runs"`
	// Labels are the attributes of the resource that metrics and events carry.
	Labels []string `mapstructure:"labels"`
	// Storage is the id of a storage extension; without one histories are kept in memory and lost
	// with the process.
	Storage *component.ID `mapstructure:"storage"`

	// MinimumEffect is the shift that is to be found: 0.1 is ten per cent.
	MinimumEffect float64 `mapstructure:"minimum_effect"`
	// MinimumCoreHours is what a shift must cost in a week to be told.
	MinimumCoreHours float64 `mapstructure:"minimum_core_hours"`
	// AlarmsPerWeek is the budget of false alarms of all queries together.
	AlarmsPerWeek float64 `mapstructure:"alarms_per_week"`
	// MinimumRuns is the shortest history that is judged by.
	MinimumRuns int `mapstructure:"minimum_runs"`
	// BaselineRuns is the longest.
	BaselineRuns int `mapstructure:"baseline_runs"`
	// ReferenceRuns is the length of the frozen reference against which slow drift is seen.
	ReferenceRuns int `mapstructure:"reference_runs"`
	// AcceptAfter is the number of runs after which a shifted cost is taken as normal: the
	// operator's, or the query's while its plan did not run.
	AcceptAfter int `mapstructure:"accept_after_runs"`
	// AcceptAge is the time for which it has stood by then at least, or its plan not run.
	AcceptAge time.Duration `mapstructure:"accept_after_time"`
	// RowsMargin is how far beyond the history's rows an operator is judged.
	RowsMargin float64 `mapstructure:"rows_margin"`
	// HostWindow is the time in which a host's runs are looked at together.
	HostWindow time.Duration `mapstructure:"host_window"`
	// MaxQueries, MaxPlans, MaxOperators, MaxRuns and MaxHosts bound the histories.
	MaxQueries   int `mapstructure:"max_queries"`
	MaxPlans     int `mapstructure:"max_plans"`
	MaxOperators int `mapstructure:"max_operators"`
	MaxRuns      int `mapstructure:"max_runs"`
	MaxHosts     int `mapstructure:"max_hosts"`
	// DashboardURL and FlameGraphURL are where people reach Grafana and Pyroscope: events and the
	// gauge shifted_since have links there. Empty: none.
	DashboardURL  string `mapstructure:"dashboard_url"`
	FlameGraphURL string `mapstructure:"flame_graph_url"`
	// MaxStackNodes bounds the stacks that are kept, in nodes of call trees: 30 bytes each, 70 of
	// an open run. 0: none, and events tell of none.
	MaxStackNodes int `mapstructure:"max_stack_nodes"`
}

func defaultConfig() *Config {
	s := shift.DefaultSettings()
	return &Config{
		Settle: 30 * time.Second, SettleOpen: 30 * time.Minute, Interval: 5 * time.Second, Repeat: time.Minute, Retain: 15 * time.Minute, MaxOpenRuns: 10_000,
		Labels:        []string{semconv.ServiceName, "service.namespace", "k8s.namespace.name", "deployment.environment.name", "tenant", "team", "owner"},
		MinimumEffect: s.MinimumEffect, MinimumCoreHours: s.MinimumCoreHours, AlarmsPerWeek: s.AlarmsPerWeek, MinimumRuns: s.MinimumRuns,
		BaselineRuns: s.BaselineRuns, ReferenceRuns: s.ReferenceRuns, AcceptAfter: s.AcceptAfter, AcceptAge: s.AcceptAge, RowsMargin: s.RowsMargin, HostWindow: s.HostWindow,
		MaxQueries: s.MaxQueries, MaxPlans: s.MaxPlans, MaxOperators: s.MaxOperators, MaxRuns: s.MaxRuns, MaxHosts: s.MaxHosts,
		MaxStackNodes: 1_000_000,
	}
}

// settings are those of the histories.
func (c *Config) settings() shift.Settings {
	return shift.Settings{
		MinimumEffect: c.MinimumEffect, MinimumCoreHours: c.MinimumCoreHours, AlarmsPerWeek: c.AlarmsPerWeek, MinimumRuns: c.MinimumRuns,
		BaselineRuns: c.BaselineRuns, ReferenceRuns: c.ReferenceRuns, AcceptAfter: c.AcceptAfter, AcceptAge: c.AcceptAge, RowsMargin: c.RowsMargin, HostWindow: c.HostWindow,
		MaxQueries: c.MaxQueries, MaxPlans: c.MaxPlans, MaxOperators: c.MaxOperators, MaxRuns: c.MaxRuns, MaxHosts: c.MaxHosts,
	}
}

// keys are the YAML keys of shift.Settings' fields.
var keys = strings.NewReplacer(
	"MinimumEffect", "minimum_effect", "MinimumCoreHours", "minimum_core_hours", "AlarmsPerWeek", "alarms_per_week", "MinimumRuns", "minimum_runs",
	"BaselineRuns", "baseline_runs", "ReferenceRuns", "reference_runs", "AcceptAfter", "accept_after_runs", "AcceptAge", "accept_after_time", "RowsMargin", "rows_margin",
	"HostWindow", "host_window", "MaxQueries", "max_queries", "MaxPlans", "max_plans", "MaxOperators", "max_operators", "MaxRuns", "max_runs",
	"MaxHosts", "max_hosts")

// mostLabels bounds Labels: a run carries at most 32.
const mostLabels = 32

// Validate refuses what cannot work, naming the key.
func (c *Config) Validate() error {
	var errs []error
	between := func(key string, v, low, high time.Duration) {
		if v < low || v > high {
			errs = append(errs, fmt.Errorf("%s: %s, want %s to %s", key, v, low, high))
		}
	}
	between("settle", c.Settle, 0, time.Hour)
	between("settle_open", c.SettleOpen, 0, 24*time.Hour)
	between("interval", c.Interval, 10*time.Millisecond, 10*time.Minute)
	between("repeat", c.Repeat, c.Interval, time.Hour)
	between("retain", c.Retain, 0, 7*24*time.Hour)
	if c.MaxOpenRuns < 1 || c.MaxOpenRuns > 1_000_000 {
		errs = append(errs, fmt.Errorf("max_open_runs: %d, want 1 to 1000000", c.MaxOpenRuns))
	}
	if c.MaxStackNodes < 0 || c.MaxStackNodes > 100_000_000 {
		errs = append(errs, fmt.Errorf("max_stack_nodes: %d, want 0 to 100000000", c.MaxStackNodes))
	}
	errs = append(errs, validateURL("dashboard_url", c.DashboardURL), validateURL("flame_graph_url", c.FlameGraphURL))
	if len(c.Labels) > mostLabels {
		errs = append(errs, fmt.Errorf("labels: %d, at most %d", len(c.Labels), mostLabels))
	}
	seen := map[string]bool{}
	for i, l := range c.Labels {
		if l == "" || seen[l] {
			errs = append(errs, fmt.Errorf("labels[%d]: %q is empty or twice", i, l))
		}
		seen[l] = true
	}
	set := c.settings()
	if err := set.Validate(); err != nil {
		errs = append(errs, errors.New(keys.Replace(err.Error())))
	}
	return errors.Join(errs...)
}
