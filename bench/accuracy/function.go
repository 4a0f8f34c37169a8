package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// function is the user-defined function of the families of group "udf", as SQL knows it, and functionClass what it is.
const (
	function      = "planflame_burn"
	functionClass = "io.planflame.bench.Burn"
	functionFile  = "bench/accuracy/harness/io/planflame/bench/Burn.java"
)

// compileFunction compiles the function against a Spark and returns the folder to put on its class path.
func compileFunction(ctx context.Context, spark, dir string) (string, error) {
	jars, err := filepath.Glob(filepath.Join(spark, "lib", "python3*", "site-packages", "pyspark", "jars"))
	if err != nil || len(jars) != 1 {
		return "", fmt.Errorf("jars of Spark in %s: %d folders: %w", spark, len(jars), errors.Join(err))
	}
	classes, err := filepath.Abs(filepath.Join(dir, "classes"))
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(classes, 0o755); err != nil {
		return "", err
	}
	said, err := exec.CommandContext(ctx, "javac", "-nowarn", "-proc:none", "-cp", filepath.Join(jars[0], "*"), "-d", classes, functionFile).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("compile %s: %w\n%s", functionFile, err, said)
	}
	return classes, nil
}
