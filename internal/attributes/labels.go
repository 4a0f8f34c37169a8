package attributes

import (
	"errors"
	"fmt"
	"slices"

	"github.com/planflame/planflame/internal/semconv"
)

// Distinct refuses the key labels if they are too many, or one is empty or twice there.
func Distinct(labels []string) error {
	var errs []error
	if len(labels) > Most {
		errs = append(errs, fmt.Errorf("labels: %d, at most %d", len(labels), Most))
	}
	for i, l := range labels {
		if l == "" || slices.Contains(labels[:i], l) {
			errs = append(errs, fmt.Errorf("labels[%d]: %q is empty or twice", i, l))
		}
	}
	return errors.Join(errs...)
}

// ValidLabels refuses, too, labels that are the receiver's own to give.
func ValidLabels(labels []string) error {
	errs := []error{Distinct(labels)}
	for i, l := range labels {
		if l == semconv.ServiceName || Reserved(l) {
			errs = append(errs, fmt.Errorf("labels[%d]: %q is not the user's to set: service.name and host.name are on every series, and no id of a run, a process, a container or a pod is on any", i, l))
		}
	}
	return errors.Join(errs...)
}
