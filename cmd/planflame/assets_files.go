//go:build !embed

package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
)

// pluginJar finds the plugin's jar and copies it into dir: a JVM must not see it change when it is
// built again.
func pluginJar(dir string) (string, error) {
	found, err := findJar()
	if err != nil {
		return "", err
	}
	bytes, err := os.ReadFile(found)
	if err != nil {
		return "", fmt.Errorf("copy the plugin: %w", err)
	}
	path := filepath.Join(dir, jarName)
	if err := os.WriteFile(path, bytes, 0o644); err != nil {
		return "", fmt.Errorf("copy the plugin: %w", err)
	}
	return path, nil
}

// findJar finds the plugin's jar beside the binary, above it in build/plugin, or in PLANFLAME_HOME.
func findJar() (string, error) {
	for _, dir := range jarFolders() {
		path := filepath.Join(dir, jarName)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s is neither in %s (%s) nor beside this binary nor in build/plugin above it", jarName, envHome, cmp.Or(os.Getenv(envHome), "not set"))
}

func jarFolders() []string {
	var dirs []string
	if home := os.Getenv(envHome); home != "" {
		dirs = append(dirs, home, filepath.Join(home, "build", "plugin"))
	}
	exe, err := os.Executable()
	if err != nil {
		return dirs
	}
	if real, err := filepath.EvalSymlinks(exe); err == nil {
		exe = real
	}
	for dir := filepath.Dir(exe); ; dir = filepath.Dir(dir) {
		dirs = append(dirs, dir, filepath.Join(dir, "plugin"), filepath.Join(dir, "build", "plugin"))
		if len(dirs) > 12 || dir == filepath.Dir(dir) {
			return dirs
		}
	}
}

func jarOrigin() string {
	path, err := findJar()
	if err != nil {
		return err.Error()
	}
	return path
}
