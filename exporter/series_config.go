package exporter

import (
	"fmt"
	"regexp"

	"github.com/planflame/planflame/exporter/convert"
	"github.com/planflame/planflame/exporter/push"
	"github.com/planflame/planflame/internal/refusal"
)

// labelName is what Pyroscope accepts as the name of a label.
var labelName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)

// reservedLabels may not be given by the user.
var reservedLabels = map[string]bool{
	push.LabelProfileName: true, "__profile_type__": true, "__service_name__": true, "__delta__": true, "__session_id__": true,
	"__period_type__": true, "__period_unit__": true, "__type__": true, "__unit__": true, "__order__": true, "__otel__": true,
}

// validate refuses labels that collide, that Pyroscope does not accept, or that are too many.
func (s *Series) validate() (errs []error) {
	refuse := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	owner, listed := map[string]string{}, map[string]bool{}
	claim := func(key, name string) {
		switch {
		case reservedLabels[name]:
			refuse("series::%s: %q is a label of Pyroscope's own", key, name)
		case owner[name] != "":
			refuse("series::%s: label %q is already made by series::%s", key, name, owner[name])
		default:
			owner[name] = key
		}
	}
	attributes := func(key string, list []string) {
		for i, a := range list {
			at := fmt.Sprintf("%s[%d]", key, i)
			if a == "" {
				refuse("series::%s: empty attribute name", at)
				continue
			}
			claim(at, s.labelName(a))
			listed[a] = true
		}
	}
	attributes("resource_attributes", s.ResourceAttributes)
	attributes("sample_attributes", s.SampleAttributes)
	for attribute, name := range s.LabelNames {
		if !listed[attribute] {
			refuse("series::label_names::%s: neither in resource_attributes nor in sample_attributes", attribute)
		}
		if !labelName.MatchString(name) {
			refuse("series::label_names::%s: %q is not a name of letters, digits and underscores", attribute, name)
		}
	}
	for name, value := range s.Static {
		at := "static::" + name
		if !labelName.MatchString(name) {
			refuse("series::%s: %q is not a name of letters, digits and underscores", at, name)
			continue
		}
		if len(value) > push.MaxLabelValueBytes {
			refuse("series::%s: value of %d bytes, Pyroscope takes %d", at, len(value), push.MaxLabelValueBytes)
		}
		claim(at, name)
	}
	if owner[push.LabelServiceName] == "" {
		refuse("series::resource_attributes: service.name is missing, and series::static has no service_name: Pyroscope needs one")
	}
	if n := len(owner) + 1; n > push.MaxLabelNames {
		refuse("series: %d labels with __name__, Pyroscope takes %d", n, push.MaxLabelNames)
	}
	return append(errs, refusal.Below("series::max_values", s.MaxValues, 1), refusal.Below("series::max_resources", s.MaxResources, 1))
}

// labelName is the label that an attribute becomes.
func (s *Series) labelName(attribute string) string {
	if name, ok := s.LabelNames[attribute]; ok {
		return name
	}
	return convert.LabelName(attribute)
}

// sampleLabels are the sample attributes with their labels.
func (s *Series) sampleLabels() []convert.Attribute {
	var out []convert.Attribute
	for _, a := range s.SampleAttributes {
		out = append(out, convert.Attribute{Key: a, Label: s.labelName(a)})
	}
	return out
}
