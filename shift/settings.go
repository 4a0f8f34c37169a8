package shift

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// Settings are what a user may choose, by the keys of their tags, and what code alone sets: fields
// without a key. DefaultSettings has the defaults, Validate the ranges.
type Settings struct {
	// MinimumEffect is the size of a shift that is to be found: 0.1 is ten per cent more expensive.
	// What is tested is that the ratio exceeds 1; what is reported must also be estimated at two
	// thirds of this (of its log) or more.
	MinimumEffect float64 `mapstructure:"minimum_effect"`
	// MinimumCoreHours is what a shift must cost in a week, at the query's present frequency, to be
	// reported.
	MinimumCoreHours float64 `mapstructure:"minimum_core_hours"`
	// AlarmsPerWeek is the budget of false alarms of the whole fleet.
	AlarmsPerWeek float64 `mapstructure:"alarms_per_week"`
	// AcceptAfter is the number of runs after which a shifted cost is taken as normal: the
	// operator's, or the query's while its plan did not run. A query that does not run counts as
	// missing runs at its frequency.
	AcceptAfter int `mapstructure:"accept_after_runs"`
	// AcceptAge is the least time for which a shift stood, or its plan or query did not run, before
	// it is accepted. Without it, a query that runs each second would have its shifts accepted
	// before anyone looks.
	AcceptAge time.Duration `mapstructure:"accept_after_time"`
	// MaxQueries and MaxHosts bound what is kept. What was used longest ago goes first, counted.
	MaxQueries int `mapstructure:"max_queries"`
	MaxHosts   int `mapstructure:"max_hosts"`

	// MinimumRuns is the length of the shortest baseline that is tested against.
	MinimumRuns int `mapstructure:"-"`
	// BaselineRuns is the length of the longest: the newest runs before those under test.
	BaselineRuns int `mapstructure:"-"`
	// ReferenceRuns is how many runs the frozen reference of the drift test has.
	ReferenceRuns int `mapstructure:"-"`
	// RowsMargin is how far beyond the baseline's range of rows an operator is still judged: 0.25
	// is a quarter.
	RowsMargin float64 `mapstructure:"-"`
	// HostWindow is the time in which runs on one host are looked at together.
	HostWindow time.Duration `mapstructure:"-"`
	// MaxPlans (of a query), MaxOperators (of a plan) and MaxRuns (of a query) bound a history.
	MaxPlans     int `mapstructure:"-"`
	MaxOperators int `mapstructure:"-"`
	MaxRuns      int `mapstructure:"-"`
	// Without names rules of the judge that are switched off, separated by commas, to measure what
	// each is worth: one of Rules.
	Without string `mapstructure:"-"`
}

// Rules are the names for Settings.Without.
func Rules() []string {
	return []string{"agreement", "again", "cold", "common", "correlation", "drift", "groups", "huber", "leaning", "loading", "long", "moderation", "moved", "pooling", "satterthwaite", "strays", "tails", "young"}
}

// without reports whether a rule is switched off.
func (s *Settings) without(rule string) bool {
	return s.Without != "" && slices.Contains(strings.Split(s.Without, ","), rule)
}

// least is the log of the smallest estimate that is reported. A shift of exactly the minimum effect
// would be estimated below it half of the time, so two thirds are asked for.
func (s *Settings) least() float64 { return 2. / 3 * math.Log1p(s.MinimumEffect) }

// unreported reports whether a change of a size, known to a standard error, may be smaller than the
// minimum effect.
func (s *Settings) unreported(size, se float64) bool {
	return size-se < math.Log1p(s.MinimumEffect)
}

// DefaultSettings are the settings of a connector whose configuration has none.
func DefaultSettings() Settings {
	return Settings{
		MinimumEffect: 0.1, MinimumCoreHours: 0.1, AlarmsPerWeek: 1,
		MinimumRuns: 5, BaselineRuns: 40, ReferenceRuns: 20, AcceptAfter: 50, AcceptAge: 24 * time.Hour, RowsMargin: 0.25, HostWindow: time.Hour,
		MaxQueries: 2000, MaxPlans: 4, MaxOperators: 200, MaxRuns: 64, MaxHosts: 2000,
	}
}

// Validate refuses what cannot work. An error begins with the key, or with the field's name where
// there is none.
func (s *Settings) Validate() error {
	var errs []error
	check := func(key string, v, low, high float64) {
		if !within(v, low, high) {
			errs = append(errs, fmt.Errorf("%s: %g, want %g to %g", key, v, low, high))
		}
	}
	check("minimum_effect", s.MinimumEffect, 0.01, 10)
	check("minimum_core_hours", s.MinimumCoreHours, 0, 1e9)
	check("alarms_per_week", s.AlarmsPerWeek, 0.001, 1000)
	check("accept_after_runs", float64(s.AcceptAfter), 10, 10_000)
	if most := 366 * 24 * time.Hour; s.AcceptAge < 0 || s.AcceptAge > most {
		errs = append(errs, fmt.Errorf("accept_after_time: %s, want 0s to %s", s.AcceptAge, most))
	}
	check("max_queries", float64(s.MaxQueries), 1, 1e6)
	check("max_hosts", float64(s.MaxHosts), 1, 1e6)
	check("MinimumRuns", float64(s.MinimumRuns), 3, 50)
	check("BaselineRuns", float64(s.BaselineRuns), 10, 1000)
	check("ReferenceRuns", float64(s.ReferenceRuns), 5, 1000)
	check("RowsMargin", s.RowsMargin, 0, 10)
	check("HostWindow", s.HostWindow.Seconds(), 60, 7*86400)
	check("MaxPlans", float64(s.MaxPlans), 1, 100)
	check("MaxOperators", float64(s.MaxOperators), 1, 10_000)
	check("MaxRuns", float64(s.MaxRuns), 20, 2000)
	for rule := range strings.SplitSeq(s.Without, ",") {
		if rule != "" && !slices.Contains(Rules(), rule) {
			errs = append(errs, fmt.Errorf("%s: %q, want one of %v", "Without", rule, Rules()))
		}
	}
	if len(errs) == 0 {
		if least := s.BaselineRuns + pooledRuns; s.MaxRuns < least {
			errs = append(errs, fmt.Errorf("MaxRuns: %d, want at least %d: BaselineRuns and the runs under test", s.MaxRuns, least))
		}
		if s.ReferenceRuns > s.BaselineRuns {
			errs = append(errs, fmt.Errorf("ReferenceRuns: %d, more than BaselineRuns: %d", s.ReferenceRuns, s.BaselineRuns))
		}
		if s.MinimumRuns > s.ReferenceRuns {
			errs = append(errs, fmt.Errorf("MinimumRuns: %d, more than ReferenceRuns: %d", s.MinimumRuns, s.ReferenceRuns))
		}
	}
	return errors.Join(errs...)
}
