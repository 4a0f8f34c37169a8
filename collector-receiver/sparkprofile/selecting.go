package sparkprofile

import (
	"fmt"
	"math"

	"github.com/planflame/planflame/internal/attributes"
	"github.com/planflame/planflame/sampler/selector"
)

// Selector is one rule of include or exclude. All keys that it has must match.
type Selector struct {
	// UID lists effective users of the process.
	UID []int `mapstructure:"uid"`
	// Cgroup lists patterns of the process's cgroup paths, of cgroup v2 or v1. "*" stands for any
	// characters, "/" too, and "?" for one. Seen from a container, a path may begin with "/..".
	Cgroup []string `mapstructure:"cgroup"`
	// Application lists patterns of the Spark application's name.
	Application []string `mapstructure:"application"`
	// Label has a pattern for each label: what spark.planflame.label.NAME says, or else
	// OTEL_RESOURCE_ATTRIBUTES of the JVM.
	Label map[string]string `mapstructure:"label"`
}

// rules are include and exclude; nil if neither has a selector. An error names the key.
func (c *Config) rules() (*selector.Rules, error) {
	if len(c.Include) == 0 && len(c.Exclude) == 0 {
		return nil, nil
	}
	rules := &selector.Rules{}
	for _, list := range []struct {
		key  string
		from []Selector
		to   *[]selector.Rule
	}{{"include", c.Include, &rules.Include}, {"exclude", c.Exclude, &rules.Exclude}} {
		for i, s := range list.from {
			rule, err := s.rule()
			if err != nil {
				return nil, fmt.Errorf("%s[%d]::%w", list.key, i, err)
			}
			*list.to = append(*list.to, rule)
		}
	}
	return rules, nil
}

// rule reads a selector. An error begins with the key.
func (s Selector) rule() (r selector.Rule, err error) {
	if len(s.UID)+len(s.Cgroup)+len(s.Application)+len(s.Label) == 0 {
		return r, fmt.Errorf("uid: a selector needs at least one of uid, cgroup, application and label")
	}
	for i, uid := range s.UID {
		if uid < 0 || uid > math.MaxUint32 {
			return r, fmt.Errorf("uid[%d]: %d is not in 0 … %d", i, uid, uint32(math.MaxUint32))
		}
	}
	r.UIDs = s.UID
	if r.Cgroups, err = patterns("cgroup", s.Cgroup); err != nil {
		return r, err
	}
	if r.Applications, err = patterns("application", s.Application); err != nil {
		return r, err
	}
	for name, text := range s.Label {
		if name == "" || attributes.Reserved(name) {
			return r, fmt.Errorf("label: %q is no label that users can set", name)
		}
		p, err := selector.Parse(text)
		if err != nil {
			return r, fmt.Errorf("label::%s: %w", name, err)
		}
		if r.Labels == nil {
			r.Labels = map[string]selector.Pattern{}
		}
		r.Labels[name] = p
	}
	return r, nil
}

func patterns(key string, texts []string) (out []selector.Pattern, err error) {
	for i, text := range texts {
		p, err := selector.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("%s[%d]: %w", key, i, err)
		}
		out = append(out, p)
	}
	return out, nil
}
