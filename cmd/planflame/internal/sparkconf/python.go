package sparkconf

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
)

const envPythonPath = "PYTHONPATH"

// callLines is the module that tells the plugin the lines of a Python program's DataFrame calls.
// Python imports it by this name at its start.
//
//go:embed python/sitecustomize.py
var callLines []byte

// pythonPath writes the module into a folder and returns PYTHONPATH with it in front of the user's.
func pythonPath(folder string, environ []string) (string, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", fmt.Errorf("make folder of python module: %w", err)
	}
	if err := os.WriteFile(filepath.Join(folder, "sitecustomize.py"), callLines, 0o644); err != nil {
		return "", fmt.Errorf("write python module: %w", err)
	}
	if users, ok := getEnv(environ, envPythonPath); ok && users != "" {
		return folder + string(os.PathListSeparator) + users, nil
	}
	return folder, nil
}
