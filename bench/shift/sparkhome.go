package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// linkSpark makes a SPARK_HOME of links in dir, and sets it: a local cluster writes its work folder
// there, and not into the installation.
func linkSpark(venv, dir string) error {
	hits, err := filepath.Glob(filepath.Join(venv, "lib", "python3*", "site-packages", "pyspark"))
	if err != nil || len(hits) != 1 {
		return errors.Join(err, fmt.Errorf("-spark %s: %d pysparks in it, want one", venv, len(hits)))
	}
	home, err := filepath.Abs(hits[0])
	if err != nil {
		return err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	entries, err := os.ReadDir(home)
	if err = errors.Join(err, os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() != "work" {
			if err := os.Symlink(filepath.Join(home, e.Name()), filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return os.Setenv("SPARK_HOME", dir)
}
