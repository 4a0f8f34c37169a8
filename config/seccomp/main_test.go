package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestProfilesAreCurrent holds the files of the repository against what this command writes.
func TestProfilesAreCurrent(t *testing.T) {
	dir, root := t.TempDir(), filepath.Join("..", "..")
	files := []string{"config/kubernetes/seccomp/planflame.json", "test/e2e/testdata/seccomp/runtime-default.json", "test/e2e/testdata/seccomp/older-runtime.json"}
	for _, file := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := write(dir); err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		want, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(root, file)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what config/seccomp writes (%v): go generate ./config", file, err)
		}
	}
}
