package attributes

import (
	"fmt"
	"slices"

	"github.com/planflame/planflame/internal/semconv"
)

// ValidLabels refuses labels that are too many, twice there, or the receiver's own to give.
func ValidLabels(labels []string) (errs []error) {
	if len(labels) > Most {
		errs = append(errs, fmt.Errorf("labels: %d, at most %d", len(labels), Most))
	}
	for i, l := range labels {
		switch {
		case l == "" || slices.Contains(labels[:i], l):
			errs = append(errs, fmt.Errorf("labels[%d]: %q is empty or twice", i, l))
		case l == semconv.ServiceName || Reserved(l):
			errs = append(errs, fmt.Errorf("labels[%d]: %q is not the user's to set: service.name and host.name are on every series, and no id of a run, a process, a container or a pod is on any", i, l))
		}
	}
	return errs
}
