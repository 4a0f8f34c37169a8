package costmetrics

import "strings"

// Owner is whose the CPU of a JVM is, as the cumulative series tell owners apart. Comparable; the
// zero value is no one.
type Owner struct {
	Service string // service.name
	labels  string // key NUL value NUL …, as configured; keys without a value are left out
}

// OwnerOf picks the labels from a JVM's own attributes.
func OwnerOf(service string, labels []string, own map[string]string) Owner {
	var b strings.Builder
	for _, l := range labels {
		if v := own[l]; v != "" {
			b.WriteString(clean(l) + "\x00" + clean(v) + "\x00")
		}
	}
	return Owner{service, b.String()}
}

// String tells the owner from all others.
func (o Owner) String() string { return o.Service + "\x00" + o.labels }

// clean keeps the separator out of a text.
func clean(s string) string { return strings.ReplaceAll(s, "\x00", "") }

// Each calls f with every label.
func (o Owner) Each(f func(key, value string)) {
	parts := strings.Split(o.labels, "\x00")
	for i := 0; i+1 < len(parts); i += 2 {
		f(parts[i], parts[i+1])
	}
}
