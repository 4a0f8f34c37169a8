package sparkconf

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// findTimeout bounds the search for SPARK_HOME, which may start a Python.
const findTimeout = 10 * time.Second

// wrapper matches the line with which a distribution's spark-submit in /usr/bin starts Spark's own.
var wrapper = regexp.MustCompile(`(?m)^\s*exec\s+"?(/[^\s"$]+)`)

// FindHome finds the SPARK_HOME that a command would use when the environment does not say. That is
// the folder above spark-submit's real path or above the script that it executes, or what pyspark's
// own find_spark_home says; "" if it cannot be found.
func FindHome(ctx context.Context, command, environ []string) string {
	path, err := exec.LookPath(command[0])
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, findTimeout)
	defer cancel()
	base := filepath.Base(path)
	switch {
	case submitters[base]:
		if home := homeAbove(path); home != "" {
			return home
		}
		text, _ := os.ReadFile(path) // a script that cannot be read executes nothing
		if m := wrapper.FindSubmatch(text); m != nil {
			if home := homeAbove(string(m[1])); home != "" {
				return home
			}
		}
		// As the submitters themselves do: find-spark-home is sourced, goes by the folder of $0,
		// and prints nothing.
		return output(ctx, environ, "bash", "-c", `. "$(dirname "$0")/find-spark-home" && printf '%s\n' "$SPARK_HOME"`, path)
	case strings.HasPrefix(base, "python"):
		return output(ctx, environ, path, "-c", "from pyspark.find_spark_home import _find_spark_home as f; print(f())")
	}
	return ""
}

// homeAbove is the SPARK_HOME whose bin holds a script, "" if the folder there has no jars.
func homeAbove(script string) string {
	real, err := filepath.EvalSymlinks(script)
	if err != nil {
		return ""
	}
	home := filepath.Dir(filepath.Dir(real))
	if !isDir(filepath.Join(home, "jars")) {
		return ""
	}
	return home
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// output is the first line that a program prints, "" if it fails.
func output(ctx context.Context, environ []string, name string, args ...string) string {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = environ
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return strings.TrimSpace(line)
}
