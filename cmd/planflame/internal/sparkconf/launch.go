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
	// UserConf is the configuration folder that was merged; "" if none was found.
	UserConf string
}

// Unseen says that the user's configuration was not found, "" where it was.
func (l Launch) Unseen() string {
	if l.UserConf != "" {
		return ""
	}
	return fmt.Sprintf("neither SPARK_HOME nor SPARK_CONF_DIR is set and %s does not tell where its Spark is: "+
		"settings of a spark-defaults.conf there were not seen; set SPARK_HOME", l.Command[0])
}

// submitters are the programs that take spark-submit's options.
var submitters = map[string]bool{
	"spark-submit": true, "spark-shell": true, "spark-sql": true, "pyspark": true, "sparkR": true,
	"spark-submit2": true, "spark-connect-shell": true,
}

const (
	envConfDir    = "SPARK_CONF_DIR"
	envHome       = "SPARK_HOME"
	envSubmitArgs = "PYSPARK_SUBMIT_ARGS"
)

// Launch arranges for every Spark that a command starts to have our additions. Generated files go
// into dir, which must outlive the job.
func (a Additions) Launch(ctx context.Context, command, environ []string, dir string) (Launch, error) {
	l := Launch{Command: slices.Clone(command), Env: slices.Clone(environ)}
	l.UserConf = userConf(ctx, command, environ)
	conf := filepath.Join(dir, "conf")
	if err := a.Folder(conf, l.UserConf); err != nil {
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
// found: "" otherwise.
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
