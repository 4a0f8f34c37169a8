package main

import (
	"path/filepath"

	"github.com/planflame/planflame/internal/window"
)

// application is what a run found of one Spark application: a script may run several.
type application struct {
	name string // "" where the JVMs did not say
	// attributes are what its JVMs say of themselves; where they differ, the first one's.
	attributes map[string]string
	profile    window.Profile
}

// title names a run by its application, the first of several, or by its command if no application
// said its name.
func (a *analysis) title(command []string) string {
	for _, app := range a.applications() {
		if app.name != "" {
			return app.name
		}
	}
	return filepath.Base(command[0])
}

// applications are the profiles of a run by the name of their application, in the order in which
// their first JVM came.
func (a *analysis) applications() []application {
	var out []application
	at := map[string]int{}
	for _, j := range a.jvms {
		name := j.Application.Name
		i, ok := at[name]
		if !ok {
			i = len(out)
			at[name] = i
			out = append(out, application{name: name, attributes: map[string]string{}})
		}
		for key, value := range j.Application.Attributes {
			if out[i].attributes[key] == "" {
				out[i].attributes[key] = value
			}
		}
		out[i].profile.JVMs = append(out[i].profile.JVMs, j)
	}
	return out
}
