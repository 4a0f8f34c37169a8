package main

import "path/filepath"

// jarName is the file name of the Spark plugin.
const jarName = "planflame-spark.jar"

// envHome names a folder that holds the plugin's jar; only a binary built without it inside (-tags
// embed) looks there.
const envHome = "PLANFLAME_HOME"

// results are the files of a run's folder.
type results string

func (r results) recording() string { return filepath.Join(string(r), "recording") }
func (r results) profile() string   { return filepath.Join(string(r), "profile.pb.gz") }
func (r results) summary() string   { return filepath.Join(string(r), "summary.json") }
func (r results) page() string      { return filepath.Join(string(r), "report.html") }
