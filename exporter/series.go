package exporter

import (
	"maps"
	"slices"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/planflame/planflame/exporter/convert"
	"github.com/planflame/planflame/exporter/push"
)

// other is the value of labels whose own value found no room.
const other = "other"

// unknownService is Pyroscope's own word for a missing service name.
const unknownService = "unknown_service"

// resourceLabels makes the labels that all samples of a resource share. A set is the values of
// Series.ResourceAttributes.
type resourceLabels struct {
	attributes []string
	names      []string
	static     []push.Label
}

func newResourceLabels(s Series) *resourceLabels {
	r := &resourceLabels{attributes: s.ResourceAttributes}
	for _, a := range s.ResourceAttributes {
		r.names = append(r.names, s.labelName(a))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Static)) {
		r.static = append(r.static, push.Label{Name: name, Value: s.Static[name]})
	}
	return r
}

// set reads the listed attributes; cut counts the values that were too long.
func (r *resourceLabels) set(attributes pcommon.Map) (set convert.Set, cut int64) {
	values := make([]string, len(r.attributes))
	for i, a := range r.attributes {
		v, ok := attributes.Get(a)
		if !ok {
			continue
		}
		value, wasCut := convert.LabelValue(v.AsString(), push.MaxLabelValueBytes)
		if wasCut {
			cut++
		}
		values[i] = value
	}
	return convert.NewSet(values), cut
}

// labels are the labels of a series of the named profile.
func (r *resourceLabels) labels(profileName string, set convert.Set) []push.Label {
	labels := append([]push.Label{{Name: push.LabelProfileName, Value: profileName}}, r.static...)
	named := false
	for _, l := range r.static {
		named = named || l.Name == push.LabelServiceName
	}
	if len(r.names) > 0 {
		for i, v := range set.Values() {
			if v == "" {
				continue
			}
			labels = append(labels, push.Label{Name: r.names[i], Value: v})
			named = named || r.names[i] == push.LabelServiceName
		}
	}
	if !named {
		labels = append(labels, push.Label{Name: push.LabelServiceName, Value: unknownService})
	}
	return labels
}

// folded is a set with every value that is there replaced by "other".
func folded(set convert.Set) convert.Set {
	values := set.Values()
	for i, v := range values {
		if v != "" {
			values[i] = other
		}
	}
	return convert.NewSet(values)
}

// isEmpty tells that none of the listed attributes is there.
func isEmpty(set convert.Set) bool { return strings.Trim(string(set), "\x00") == "" }

// seriesText is labels as one string, equal for equal labels in one order.
func seriesText(labels []push.Label) string {
	var b strings.Builder
	for _, l := range labels {
		b.WriteString(l.Name)
		b.WriteByte(0)
		b.WriteString(l.Value)
		b.WriteByte(0)
	}
	return b.String()
}
