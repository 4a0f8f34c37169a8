package selector

import "slices"

// Rules say which JVMs are taken: those that a rule of Include matches, or all if there is none,
// without those that a rule of Exclude matches. The zero value takes all.
type Rules struct {
	Include, Exclude []Rule
}

// Rule matches a JVM that has everything it names. One that names nothing matches every JVM.
type Rule struct {
	UIDs         []int              // one of these; the process's effective user
	Cgroups      []Pattern          // one of these matches one of the process's cgroups
	Applications []Pattern          // one of these matches the application's name
	Labels       map[string]Pattern // each matches the application's label of that name
}

// Process is what is known of a JVM before its memory is opened.
type Process struct {
	UID     int
	Cgroups []string // paths
}

// Verdict says what becomes of a JVM.
type Verdict int

// Verdicts.
const (
	No    Verdict = iota // it is left to others
	Later                // the application decides, and is not known yet
	Yes                  // it is taken
)

// Judge says whether a JVM is taken. app is nil if the application is not known yet.
func (r *Rules) Judge(p Process, app *Application) Verdict {
	if r == nil {
		return Yes
	}
	excluded, included := anyOf(r.Exclude, p, app), Yes
	if len(r.Include) > 0 {
		included = anyOf(r.Include, p, app)
	}
	switch {
	case excluded == Yes || included == No:
		return No
	case excluded == Later || included == Later:
		return Later
	}
	return Yes
}

// NeedApplication reports whether some rule asks for the application.
func (r *Rules) NeedApplication() bool {
	return r != nil && (slices.ContainsFunc(r.Include, Rule.needsApplication) || slices.ContainsFunc(r.Exclude, Rule.needsApplication))
}

// NeedLabels reports whether some rule asks for labels.
func (r *Rules) NeedLabels() bool {
	labels := func(one Rule) bool { return len(one.Labels) > 0 }
	return r != nil && (slices.ContainsFunc(r.Include, labels) || slices.ContainsFunc(r.Exclude, labels))
}

func anyOf(rules []Rule, p Process, app *Application) Verdict {
	best := No
	for i := range rules {
		best = max(best, rules[i].match(p, app))
	}
	return best
}

func (r Rule) needsApplication() bool { return len(r.Applications) > 0 || len(r.Labels) > 0 }

func (r Rule) match(p Process, app *Application) Verdict {
	if len(r.UIDs) > 0 && !slices.Contains(r.UIDs, p.UID) || len(r.Cgroups) > 0 && !anyMatches(r.Cgroups, p.Cgroups...) {
		return No
	}
	if !r.needsApplication() {
		return Yes
	}
	if app == nil {
		return Later
	}
	if app.Unknown || len(r.Applications) > 0 && !anyMatches(r.Applications, app.Name) {
		return No
	}
	for name, p := range r.Labels {
		if value, ok := app.Labels[name]; !ok || !p.Matches(value) {
			return No
		}
	}
	return Yes
}
