package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/planflame/planflame/bench/internal/report"
	"github.com/planflame/planflame/bench/internal/session"
)

// spec is what test/jobs/lines.py runs; it documents it.
type spec struct {
	Tables     map[string]string   `json:"tables"`
	Statements []session.Statement `json:"statements"`
	Mutations  int                 `json:"mutations"`
}

// harness examines statements in a Spark of its own.
type harness struct {
	spark  string    // virtual environment of a Spark
	plugin string    // planflame's jar: plans are read by its classes
	source string    // folder of the harness's Java
	job    string    // test/jobs/lines.py
	dir    string    // for everything it writes
	say    io.Writer // for what the job prints
}

// jars is the class path of the Spark.
func (h harness) jars() (string, error) {
	found, err := session.Jars(h.spark)
	if err != nil {
		return "", fmt.Errorf("-spark: %w", err)
	}
	return filepath.Abs(found)
}

// build compiles the harness against the Spark at hand, whose Scala it must share, into a jar that
// is a Java agent.
func (h harness) build(ctx context.Context, jars string) (string, error) {
	sources, err := filepath.Glob(filepath.Join(h.source, "io/planflame/spark/*.java"))
	if err != nil || len(sources) == 0 {
		return "", fmt.Errorf("harness: no source in %s", h.source)
	}
	classes, jar, manifest := filepath.Join(h.dir, "classes"), filepath.Join(h.dir, "harness.jar"), filepath.Join(h.dir, "manifest")
	if err := os.WriteFile(manifest, []byte("Premain-Class: io.planflame.spark.SigningAgent\n"), 0o644); err != nil {
		return "", err
	}
	for _, command := range [][]string{
		append([]string{"javac", "-nowarn", "-d", classes, "-cp", h.plugin + ":" + jars + "/*"}, sources...),
		{"jar", "cfm", jar, manifest, "-C", classes, "."},
	} {
		if said, err := exec.CommandContext(ctx, command[0], command[1:]...).CombinedOutput(); err != nil {
			return "", fmt.Errorf("harness: %s: %w\n%s", command[0], err, said)
		}
	}
	return filepath.Abs(jar)
}

// examine runs the statements and returns the folder with a file a statement.
func (h harness) examine(ctx context.Context, s spec, conf []string) (string, error) {
	if err := os.RemoveAll(h.dir); err != nil {
		return "", err
	}
	out := filepath.Join(h.dir, "cases")
	if err := os.MkdirAll(out, 0o755); err != nil {
		return "", err
	}
	file := filepath.Join(h.dir, "spec.json")
	if err := report.Write(file, s); err != nil {
		return "", err
	}
	jars, err := h.jars()
	if err != nil {
		return "", err
	}
	if h.plugin, err = filepath.Abs(h.plugin); err != nil {
		return "", err
	}
	jar, err := h.build(ctx, jars)
	if err != nil {
		return "", err
	}
	args := []string{"--master", "local[2]", "--driver-memory", "4g", "--driver-class-path", jar + ":" + h.plugin, "--driver-java-options", "-javaagent:" + jar,
		"--conf", "spark.ui.enabled=false", "--conf", "spark.log.level=ERROR"}
	for _, c := range conf {
		args = append(args, "--conf", c)
	}
	return out, h.submit(ctx, append(args, h.job, "--spec", file, "--out", out))
}

func (h harness) submit(ctx context.Context, args []string) error {
	log := filepath.Join(h.dir, "stderr.log")
	stderr, err := os.Create(log)
	if err != nil {
		return err
	}
	defer stderr.Close()
	cmd := exec.CommandContext(ctx, filepath.Join(h.spark, "bin", "spark-submit"), args...)
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(h.spark, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	cmd.Stdout, cmd.Stderr = h.say, stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("harness: spark-submit: %w; see %s", err, log)
	}
	return nil
}
