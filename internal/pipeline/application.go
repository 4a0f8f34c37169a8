package pipeline

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/planflame/planflame/internal/attributes"
	"github.com/planflame/planflame/internal/printable"
	"github.com/planflame/planflame/internal/semconv"
)

// longestName bounds the texts that name an application, in bytes. Consumers keep them.
const longestName = 1 << 10

// Application names the Spark application and executor of a JVM, and whose it is.
type Application struct {
	ID           string `json:"application_id"`
	Name         string `json:"application_name"`
	ExecutorID   string `json:"executor_id"`
	SparkVersion string `json:"spark_version"`
	User         string `json:"user"`
	// Attributes are what the user says of it: OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME (as
	// service.name) of the JVM's environment, and over them the labels of the Spark configuration.
	// Within the bounds of package attributes, none of them reserved. nil: none.
	Attributes map[string]string `json:"-"`
	// Claimed counts attributes of Settings.TrustedLabels that the user set: they are left out.
	Claimed int `json:"-"`
}

// ParseApplication reads the JSON of an APPLICATION record.
func ParseApplication(text []byte) (Application, error) {
	app, _, err := parseApplication(text, nil)
	return app, err
}

// parseApplication reads the JSON of an APPLICATION record (FORMAT.md). dropped counts labels and
// attributes that are beyond their bounds, those that the JVM left out among them, and names that
// are cut. The user may not set those that trusted names.
func parseApplication(text []byte, trusted []string) (app Application, dropped uint64, err error) {
	var in struct {
		Application
		Labels      map[string]string `json:"labels"`
		Dropped     uint32            `json:"dropped_labels"`
		Environment map[string]string `json:"environment"`
	}
	if err := json.Unmarshal(printable.JSON(text), &in); err != nil {
		return Application{}, 0, fmt.Errorf("decode APPLICATION: %w", err)
	}
	dropped = uint64(in.Dropped)
	said := attributes.NewSet()
	said.Add(in.Labels)
	if name := in.Environment["OTEL_SERVICE_NAME"]; name != "" {
		said.Add(map[string]string{semconv.ServiceName: name})
	}
	environment, err := attributes.Parse(in.Environment["OTEL_RESOURCE_ATTRIBUTES"])
	if err != nil {
		dropped++ // as a whole; the record is good
	}
	said.Add(environment)
	app = in.Application
	for _, name := range []*string{&app.ID, &app.Name, &app.ExecutorID, &app.SparkVersion, &app.User} {
		if len(*name) > longestName {
			*name = strings.ToValidUTF8((*name)[:longestName], "")
			dropped++
		}
	}
	for _, name := range trusted {
		if _, claimed := said.By[name]; claimed {
			app.Claimed++
			delete(said.By, name)
		}
	}
	if len(said.By) > 0 {
		app.Attributes = said.By
	}
	return app, dropped + said.Dropped, nil
}
