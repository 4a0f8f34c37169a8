package sparkprofile

import (
	"fmt"
	"maps"
	"slices"

	"github.com/planflame/planflame/internal/attributes"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/sampler/procfs"
	"github.com/planflame/planflame/sampler/selector"
)

// TrustedLabels give attributes to the JVMs of some users or cgroups. No JVM sets an attribute that
// is named here: its claim is left out and counted.
type TrustedLabels struct {
	// UID and Cgroup are as in Selector. Without both, all JVMs match.
	UID    []int    `mapstructure:"uid"`
	Cgroup []string `mapstructure:"cgroup"`
	// Labels are the attributes; one without a value is only kept from JVMs.
	Labels map[string]string `mapstructure:"labels"`
}

// trusted are rules of TrustedLabels, in their order. The zero value has none.
type trusted []trustedRule

type trustedRule struct {
	of     selector.Rules
	labels map[string]string
}

// trusted reads the key trusted_labels. An error names what is wrong in it.
func (c *Config) trusted() (all trusted, err error) {
	for i, l := range c.TrustedLabels {
		rule := trustedRule{labels: l.Labels}
		if len(l.UID)+len(l.Cgroup) > 0 {
			of, err := Selector{UID: l.UID, Cgroup: l.Cgroup}.rule()
			if err != nil {
				return nil, fmt.Errorf("trusted_labels[%d]::%w", i, err)
			}
			rule.of.Include = []selector.Rule{of}
		}
		if len(l.Labels) == 0 {
			return nil, fmt.Errorf("trusted_labels[%d]::labels: empty, want name: value", i)
		}
		for name, value := range l.Labels {
			if name == "" || name == semconv.ServiceName || attributes.Reserved(name) || len(name) > attributes.LongestKey || len(value) > attributes.LongestValue {
				return nil, fmt.Errorf("trusted_labels[%d]::labels: %q is no label that can be given, or too long", i, name)
			}
		}
		all = append(all, rule)
	}
	return all, nil
}

// names are the attributes that only the node gives, in order.
func (t trusted) names() (out []string) {
	for _, rule := range t {
		out = slices.AppendSeq(out, maps.Keys(rule.labels))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// give sets what the rules say of a process. The first rule that has a value for a name counts. A
// place that is not known matches rules for all JVMs alone.
func (t trusted) give(to map[string]string, p *procfs.Place) {
	process := selector.Process{UID: -1}
	if p != nil {
		process = selector.Process{UID: p.UID, Cgroups: p.Cgroups}
	}
	for _, rule := range slices.Backward(t) {
		if rule.of.Judge(process, nil) != selector.Yes {
			continue
		}
		for name, value := range rule.labels {
			if value != "" {
				to[name] = value
			}
		}
	}
}
