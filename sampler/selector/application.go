package selector

import (
	"encoding/json"
	"fmt"

	"github.com/planflame/planflame/internal/attributes"
)

// Application is what a JVM says of itself.
type Application struct {
	Name string
	// Labels are spark.planflame.label.NAME, over OTEL_RESOURCE_ATTRIBUTES of the JVM: what its
	// profiles have as attributes of their resource.
	Labels map[string]string
	// Unknown: the JVM will not say, and no rule that asks for an application matches.
	Unknown bool
}

// ParseApplication reads the JSON of an APPLICATION record (FORMAT.md).
func ParseApplication(text []byte) (Application, error) {
	var in struct {
		Name        string            `json:"application_name"`
		Labels      map[string]string `json:"labels"`
		Environment map[string]string `json:"environment"`
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return Application{}, fmt.Errorf("decode application: %w", err)
	}
	said := attributes.NewSet()
	said.Add(in.Labels)
	if environment, err := attributes.Parse(in.Environment["OTEL_RESOURCE_ATTRIBUTES"]); err == nil { // else it is discarded, as for profiles
		said.Add(environment)
	}
	return Application{Name: in.Name, Labels: said.By}, nil
}
