package sparkconf

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Launch is a command with the environment it is to run in.
type Launch struct {
	Command []string
	Env     []string // as os.Environ
}

// submitters are the programs that take spark-submit's options; those with a 3 are Cloudera's.
var submitters = map[string]bool{
	"spark-submit": true, "spark-shell": true, "spark-sql": true, "pyspark": true, "sparkR": true,
	"spark-submit2": true, "spark-connect-shell": true,
	"spark3-submit": true, "spark3-shell": true, "pyspark3": true,
}

const (
	envConfDir    = "SPARK_CONF_DIR"
	envHome       = "SPARK_HOME"
	envSubmitArgs = "PYSPARK_SUBMIT_ARGS"
)

// Launch arranges for every Spark that a command starts to have our additions. Generated files go
// into dir, which must outlive the job. Other users can pass through dir. A submission to a cluster
// is refused: its driver would look for files of dir on another machine.
func (a Additions) Launch(ctx context.Context, command, environ []string, dir string) (Launch, error) {
	l := Launch{Command: slices.Clone(command), Env: slices.Clone(environ)}
	user := userConf(ctx, command, environ)
	conf, err := a.startFolder(dir, user, environ)
	if err != nil {
		return l, err
	}
	l.Env = setEnv(l.Env, envConfDir, conf)
	python, err := pythonPath(filepath.Join(dir, "python"), environ)
	if err != nil {
		return l, err
	}
	l.Env = setEnv(l.Env, envPythonPath, python)
	copies := 0
	copyFile := func(path string) (string, error) {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return path, nil // Spark's own message is the best one
		}
		copies++
		to := filepath.Join(dir, fmt.Sprintf("properties-%d.conf", copies))
		return to, a.File(to, path, false)
	}
	if submitters[filepath.Base(command[0])] {
		if err := refuseCluster(command[1:], user, environ); err != nil {
			return l, err
		}
		args, err := a.SubmitArgs(command[1:], copyFile)
		if err != nil {
			return l, err
		}
		l.Command = append([]string{command[0]}, args...)
	}
	if line, ok := getEnv(environ, envSubmitArgs); ok {
		merged, err := a.submitArgsLine(line, copyFile)
		if err != nil {
			return l, fmt.Errorf("%s: %w", envSubmitArgs, err)
		}
		l.Env = setEnv(l.Env, envSubmitArgs, merged)
	}
	return l, nil
}

// userConf is the configuration folder that the command's Spark would read, as far as it can be
// found before Spark starts: "" otherwise.
func userConf(ctx context.Context, command, environ []string) string {
	if dir, ok := getEnv(environ, envConfDir); ok && dir != "" {
		return dir
	}
	home, ok := getEnv(environ, envHome)
	if !ok || home == "" {
		home = FindHome(ctx, command, environ)
	}
	if home == "" {
		return ""
	}
	return filepath.Join(home, "conf")
}

func getEnv(environ []string, key string) (string, bool) {
	for _, kv := range slices.Backward(environ) {
		if k, v, ok := strings.Cut(kv, "="); ok && k == key {
			return v, true
		}
	}
	return "", false
}

// setEnv replaces every setting of a key.
func setEnv(environ []string, key, value string) []string {
	out := slices.DeleteFunc(environ, func(kv string) bool { return strings.HasPrefix(kv, key+"=") })
	return append(out, key+"="+value)
}
