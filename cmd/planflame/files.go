package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// jarName is the file name of the Spark plugin.
const jarName = "planflame-spark.jar"

// envHome names a folder that holds the plugin's jar; only a binary built without it inside (-tags embed) looks there.
const envHome = "PLANFLAME_HOME"

// results are the files of a run's folder.
type results string

func (r results) recording() string { return filepath.Join(string(r), "recording") }
func (r results) profile() string   { return filepath.Join(string(r), "profile.pb.gz") }
func (r results) summary() string   { return filepath.Join(string(r), "summary.json") }

// prepare makes the folder and removes an earlier run's files, so that what stands there at the end is of this run.
func (r results) prepare() error {
	if err := os.MkdirAll(string(r), 0o755); err != nil {
		return fmt.Errorf("make folder of results: %w", err)
	}
	for _, path := range []string{r.recording(), r.profile(), r.summary()} {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("remove an earlier run's results: %w", err)
		}
	}
	return nil
}
