package attributes

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	"github.com/planflame/planflame/internal/semconv"
)

// EnvironmentVariable is OpenTelemetry's list of resource attributes.
const EnvironmentVariable = "OTEL_RESOURCE_ATTRIBUTES"

// Origin names the machine and the process that measure: what the operator says in this process's
// own environment, else the machine's host name.
//
// In a Kubernetes pod the host name is the pod's, which changes with every rollout. So the operator
// sets host.name to the node's name there.
type Origin struct {
	Host     string // host.name
	Instance string // service.instance.id of cumulative series; Host if the operator does not set it
}

// OriginOf reads host.name and service.instance.id from the value of OTEL_RESOURCE_ATTRIBUTES. A
// list that does not parse says nothing. An error names a variable that Kubernetes left unexpanded.
func OriginOf(text string) (Origin, error) {
	said, err := Parse(text)
	if err != nil {
		said = nil
	}
	for _, key := range []string{semconv.HostName, semconv.ServiceInstanceID} {
		if strings.Contains(said[key], "$(") {
			return Origin{}, fmt.Errorf("%s: %s: %q is not expanded: define the variable before this one", EnvironmentVariable, key, said[key])
		}
	}
	host := said[semconv.HostName]
	if host == "" {
		if host, err = os.Hostname(); err != nil {
			return Origin{}, fmt.Errorf("%s: %w; set it in %s", semconv.HostName, err, EnvironmentVariable)
		}
	}
	return Origin{Host: host, Instance: cmp.Or(said[semconv.ServiceInstanceID], host)}, nil
}
