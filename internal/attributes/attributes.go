package attributes

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/planflame/planflame/internal/semconv"
)

// Bounds of a Set.
const (
	Most         = 32
	LongestKey   = 64
	LongestValue = 256
)

// OfOwners are the names of attributes that tell owners.
func OfOwners() []string {
	return []string{"service.namespace", "k8s.cluster.name", "k8s.namespace.name", "deployment.environment.name", "tenant", "team", "owner"}
}

// OfSeries are the default names of attributes that become labels of cumulative series: OfOwners
// and the trial. The trial keeps its re-runs from counting as the query's usual cost.
func OfSeries() []string { return append(OfOwners(), semconv.Trial) }

// Reserved reports whether a resource attribute says where CPU was measured, so that no application
// sets it. These are host, container, pod and process, this service's instance, and all names that
// begin with "spark.".
func Reserved(key string) bool {
	switch key {
	case semconv.HostName, semconv.ServiceInstanceID, semconv.ContainerID, semconv.PodUID:
		return true
	}
	return strings.HasPrefix(key, semconv.ProcessPrefix) || strings.HasPrefix(key, semconv.SparkPrefix)
}

// Set gathers attributes within the bounds; of a key what came first stays. Not safe for concurrent
// use.
type Set struct {
	By      map[string]string // key → value, neither empty
	Dropped uint64            // that were beyond the bounds
}

// NewSet returns an empty set.
func NewSet() *Set { return &Set{By: map[string]string{}} }

// Add takes attributes, by their keys' order. Reserved ones and those without a value are passed
// over.
func (s *Set) Add(all map[string]string) {
	for _, key := range slices.Sorted(maps.Keys(all)) {
		value := all[key]
		_, there := s.By[key]
		switch {
		case there || value == "" || Reserved(key):
		case key == "" || len(key) > LongestKey || len(value) > LongestValue || len(s.By) >= Most:
			s.Dropped++
		default:
			s.By[key] = value
		}
	}
}

// errAttributes is what is wrong with a list of attributes.
var errAttributes = errors.New("want key=value pairs between commas, percent-encoded")

// Parse reads the value of OTEL_RESOURCE_ATTRIBUTES: key=value pairs between commas, both
// percent-encoded (OpenTelemetry, resource SDK, "Specifying resource information via an environment
// variable"). Of equal keys the last counts. An error discards all, as it asks for there.
func Parse(text string) (map[string]string, error) {
	out := map[string]string{}
	for pair := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(pair) == "" {
			continue // of an empty list, or a comma at the end
		}
		key, value, found := strings.Cut(pair, "=")
		if !found {
			return nil, fmt.Errorf("attribute %q: %w", pair, errAttributes)
		}
		for _, part := range []*string{&key, &value} {
			plain, err := url.PathUnescape(strings.TrimSpace(*part))
			if err != nil || !utf8.ValidString(plain) {
				return nil, fmt.Errorf("attribute %q: %w", pair, errAttributes)
			}
			*part = plain
		}
		if key == "" {
			return nil, fmt.Errorf("attribute %q: %w", pair, errAttributes)
		}
		out[key] = value
	}
	return out, nil
}
