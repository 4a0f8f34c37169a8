package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/planflame/planflame/bench/internal/session"
)

// function is the user-defined function of the families of group "udf", as SQL knows it, and
// functionClass what it is.
const (
	function      = "planflame_burn"
	functionClass = "io.planflame.bench.Burn"
	functionFile  = "bench/accuracy/harness/io/planflame/bench/Burn.java"
)

// compileFunction compiles the function against a Spark and returns the folder to put on its class
// path.
func compileFunction(ctx context.Context, spark, dir string) (string, error) {
	jars, err := session.Jars(spark)
	if err != nil {
		return "", err
	}
	classes, err := filepath.Abs(filepath.Join(dir, "classes"))
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(classes, 0o755); err != nil {
		return "", err
	}
	said, err := exec.CommandContext(ctx, "javac", "-nowarn", "-proc:none", "-cp", filepath.Join(jars, "*"), "-d", classes, functionFile).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("compile %s: %w\n%s", functionFile, err, said)
	}
	return classes, nil
}
