package sparkconf

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// findTimeout bounds the search for SPARK_HOME, which may start a Python.
const findTimeout = 10 * time.Second

// FindHome finds the SPARK_HOME that a command would use when the environment does not say: the
// folder above spark-submit's real path, or what pyspark's own find_spark_home says. "" where it
// cannot be found: then there is no configuration folder to merge.
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
		if real, err := filepath.EvalSymlinks(path); err == nil {
			if home := filepath.Dir(filepath.Dir(real)); isDir(filepath.Join(home, "jars")) {
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
