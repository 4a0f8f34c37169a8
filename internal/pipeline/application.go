package pipeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// Application names the Spark application and executor of a JVM, and whose it is.
type Application struct {
	ID           string `json:"application_id"`
	Name         string `json:"application_name"`
	ExecutorID   string `json:"executor_id"`
	SparkVersion string `json:"spark_version"`
	User         string `json:"user"`
	// Attributes are what the user says of it: OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME (as service.name) of the JVM's environment, and over them
	// the labels of the Spark configuration. At most MostAttributes of LongestKey and LongestValue bytes; none of those that ReservedAttribute names.
	// nil: none.
	Attributes map[string]string `json:"-"`
}

// Bounds of Application.Attributes.
const (
	MostAttributes = 32
	LongestKey     = 64
	LongestValue   = 256
)

// OwnerAttributes are the names of Application.Attributes that become labels of series where nothing else is configured.
func OwnerAttributes() []string {
	return []string{"service.namespace", "k8s.namespace.name", "deployment.environment.name", "tenant", "team", "owner"}
}

// ReservedAttribute tells that a resource attribute says where the CPU was measured, so that no user sets it: host and process, this service's
// instance, and all that begin with "spark.".
func ReservedAttribute(key string) bool {
	switch key {
	case "host.name", "service.instance.id":
		return true
	}
	return strings.HasPrefix(key, "process.") || strings.HasPrefix(key, "spark.")
}

// parseApplication reads the JSON of an APPLICATION record (FORMAT.md). dropped counts labels and attributes that are beyond their bounds, those that the
// JVM left out among them.
func parseApplication(text []byte) (app Application, dropped uint64, err error) {
	var in struct {
		Application
		Labels      map[string]string `json:"labels"`
		Dropped     uint32            `json:"dropped_labels"`
		Environment map[string]string `json:"environment"`
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return Application{}, 0, fmt.Errorf("decode APPLICATION: %w", err)
	}
	dropped = uint64(in.Dropped)
	said := ownAttributes{by: map[string]string{}}
	said.add(in.Labels)
	if name := in.Environment["OTEL_SERVICE_NAME"]; name != "" {
		said.add(map[string]string{"service.name": name})
	}
	environment, err := ParseResourceAttributes(in.Environment["OTEL_RESOURCE_ATTRIBUTES"])
	if err != nil {
		dropped++ // as a whole; the record is good
	}
	said.add(environment)
	app = in.Application
	if len(said.by) > 0 {
		app.Attributes = said.by
	}
	return app, dropped + said.dropped, nil
}

// ownAttributes gathers attributes within their bounds; what came first stays.
type ownAttributes struct {
	by      map[string]string
	dropped uint64
}

func (o *ownAttributes) add(all map[string]string) {
	for _, key := range slices.Sorted(maps.Keys(all)) {
		value := all[key]
		_, there := o.by[key]
		switch {
		case there || value == "" || ReservedAttribute(key):
		case key == "" || len(key) > LongestKey || len(value) > LongestValue || len(o.by) >= MostAttributes:
			o.dropped++
		default:
			o.by[key] = value
		}
	}
}

// BoundedAttributes are those of attributes that Application.Attributes could have, and how many are beyond its bounds.
func BoundedAttributes(all map[string]string) (kept map[string]string, dropped uint64) {
	o := ownAttributes{by: map[string]string{}}
	o.add(all)
	return o.by, o.dropped
}

// errAttributes is what is wrong with a list of attributes.
var errAttributes = errors.New("want key=value pairs between commas, percent-encoded")

// ParseResourceAttributes reads the value of OTEL_RESOURCE_ATTRIBUTES: key=value pairs between commas, both percent-encoded (OpenTelemetry, resource SDK,
// "Specifying resource information via an environment variable"). Of equal keys the last counts. An error discards all, as it asks for there.
func ParseResourceAttributes(text string) (map[string]string, error) {
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
