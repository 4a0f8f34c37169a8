package shift

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// Settings are what a user may choose. DefaultSettings has the defaults.
type Settings struct {
	// MinimumEffect is the size of a shift that is to be found: 0.1 is ten per cent dearer. What is
	// tested is that the ratio exceeds 1; what is reported must also be estimated at two thirds of
	// this (of its log) or more.
	MinimumEffect float64
	// MinimumCoreHours is what a shift must cost in a week, at the query's present frequency, to be
	// reported.
	MinimumCoreHours float64
	// AlarmsPerWeek is the budget of false alarms of the whole fleet.
	AlarmsPerWeek float64
	// MinimumRuns is the length of the shortest baseline that is tested against.
	MinimumRuns int
	// BaselineRuns is the length of the longest: the newest runs before those under test.
	BaselineRuns int
	// ReferenceRuns is how many runs the frozen reference of the drift test has.
	ReferenceRuns int
	// AcceptAfter is the number of runs after which a shifted cost is taken as normal: the
	// operator's, or the query's while its plan did not run.
	AcceptAfter int
	// AcceptAge is the time for which it has stood by then at least, or its plan not run: a query
	// that runs each second would have its shifts accepted before anybody looks.
	AcceptAge time.Duration
	// RowsMargin is how far beyond the baseline's range of rows an operator is still judged: 0.25
	// is a quarter.
	RowsMargin float64
	// HostWindow is the time in which runs on one host are looked at together.
	HostWindow time.Duration

	// MaxQueries, MaxPlans (of a query), MaxOperators (of a plan) and MaxRuns (of a query) bound
	// what is kept. What was used longest ago goes first, counted.
	MaxQueries, MaxPlans, MaxOperators, MaxRuns int
	// MaxHosts bounds the hosts kept.
	MaxHosts int

	// Without names rules of the judge that are switched off, separated by commas, to measure what
	// each is worth: one of Rules. No user's setting.
	Without string
}

// Rules are the names for Settings.Without.
func Rules() []string {
	return []string{"agreement", "again", "cold", "common", "correlation", "drift", "loading", "moderation", "moved", "pooling", "strays", "tails", "young"}
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

// DefaultSettings are the defaults.
func DefaultSettings() Settings {
	return Settings{
		MinimumEffect: 0.1, MinimumCoreHours: 0.1, AlarmsPerWeek: 1,
		MinimumRuns: 5, BaselineRuns: 40, ReferenceRuns: 20, AcceptAfter: 50, AcceptAge: 24 * time.Hour, RowsMargin: 0.25, HostWindow: time.Hour,
		MaxQueries: 2000, MaxPlans: 4, MaxOperators: 200, MaxRuns: 64, MaxHosts: 2000,
	}
}

// Validate refuses what cannot work. An error begins with the field's name.
func (s *Settings) Validate() error {
	var errs []error
	check := func(field string, v, low, high float64) {
		if !within(v, low, high) {
			errs = append(errs, fmt.Errorf("%s: %g, want %g to %g", field, v, low, high))
		}
	}
	check("MinimumEffect", s.MinimumEffect, 0.01, 10)
	check("MinimumCoreHours", s.MinimumCoreHours, 0, 1e9)
	check("AlarmsPerWeek", s.AlarmsPerWeek, 0.001, 1000)
	check("MinimumRuns", float64(s.MinimumRuns), 3, 50)
	check("BaselineRuns", float64(s.BaselineRuns), 10, 1000)
	check("ReferenceRuns", float64(s.ReferenceRuns), 5, 1000)
	check("AcceptAfter", float64(s.AcceptAfter), 10, 10_000)
	check("AcceptAge", s.AcceptAge.Seconds(), 0, 366*86400)
	check("RowsMargin", s.RowsMargin, 0, 10)
	check("HostWindow", s.HostWindow.Seconds(), 60, 7*86400)
	check("MaxQueries", float64(s.MaxQueries), 1, 1e6)
	check("MaxPlans", float64(s.MaxPlans), 1, 100)
	check("MaxOperators", float64(s.MaxOperators), 1, 10_000)
	check("MaxRuns", float64(s.MaxRuns), 20, 2000)
	check("MaxHosts", float64(s.MaxHosts), 1, 1e6)
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
