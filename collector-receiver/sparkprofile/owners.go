package sparkprofile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/planflame/planflame/internal/attributes"
)

// validLabels refuses labels that are too many, twice there, or the receiver's own to give.
func validLabels(labels []string) (errs []error) {
	if len(labels) > attributes.Most {
		errs = append(errs, fmt.Errorf("labels: %d, at most %d", len(labels), attributes.Most))
	}
	for i, l := range labels {
		switch {
		case l == "" || slices.Contains(labels[:i], l):
			errs = append(errs, fmt.Errorf("labels[%d]: %q is empty or twice", i, l))
		case l == "service.name" || attributes.Reserved(l):
			errs = append(errs, fmt.Errorf("labels[%d]: %q is not the user's to set: service.name and host.name are on every series, and no id of a run or a process is on any", i, l))
		}
	}
	return errs
}

// owner is whose the CPU of a JVM is, as the cumulative series tell owners apart. Comparable.
type owner struct {
	service string
	labels  string // key NUL value NUL …, as configured; keys without a value are left out
}

// ownerOf picks the labels from a JVM's own attributes.
func ownerOf(service string, labels []string, own map[string]string) owner {
	var b strings.Builder
	for _, l := range labels {
		if v := own[l]; v != "" {
			b.WriteString(clean(l) + "\x00" + clean(v) + "\x00")
		}
	}
	return owner{service, b.String()}
}

// clean keeps the separator out of a text.
func clean(s string) string { return strings.ReplaceAll(s, "\x00", "") }

// each calls f with every label.
func (o owner) each(f func(key, value string)) {
	parts := strings.Split(o.labels, "\x00")
	for i := 0; i+1 < len(parts); i += 2 {
		f(parts[i], parts[i+1])
	}
}
