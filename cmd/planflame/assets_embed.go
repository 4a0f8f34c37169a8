//go:build embed

package main

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
)

// embeddedJar is the Spark plugin with the agent's library inside; make copies it here before it
// builds with -tags embed.
//
//go:embed assets/planflame-spark.jar
var embeddedJar []byte

// pluginJar writes the plugin's jar into dir and returns its path.
func pluginJar(dir string) (string, error) {
	path := filepath.Join(dir, jarName)
	if err := os.WriteFile(path, embeddedJar, 0o644); err != nil {
		return "", fmt.Errorf("unpack the plugin: %w", err)
	}
	return path, nil
}

func jarOrigin() string { return fmt.Sprintf("inside the binary, %d bytes", len(embeddedJar)) }
