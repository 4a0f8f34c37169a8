package sparkconf

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// MergeCommand is the command of this program that calls Merge with its arguments and prints the
// folder.
const MergeCommand = "merge-conf"

// What Launch makes in its folder for Merge.
const (
	classesFolder = "classes"        // the jar, unpacked
	additionsFile = "additions.json" // an Additions
)

// submitClass is the first argument of spark-class if it submits an application.
const submitClass = "org.apache.spark.deploy.SparkSubmit"

// envFile is what Spark's bin/load-spark-env.sh sources from SPARK_CONF_DIR (3.5 and 4.x). Then
// SPARK_HOME is known, no other file there has been read, and what envFile assigns is exported. If
// spark-class loads it, its arguments are known, too.
const envFile = "spark-env.sh"

// envScript is the envFile of the start folder. Its verbs are this program, the folder of Launch
// and the folder that Spark would read without us, as words of a shell.
const envScript = `# Written by planflame run: SPARK_CONF_DIR gets the configuration of the Spark that starts here.
SPARK_CONF_DIR=$(%[1]s ` + MergeCommand + ` %[2]s %[3]s "$@" </dev/null) || SPARK_CONF_DIR=%[3]s
if [ -f %[3]s/spark-env.sh ]; then
  . %[3]s/spark-env.sh
fi
`

// startFolder makes the configuration folder with which a launch starts. It holds the user's
// configuration as far as that was found, and a spark-env.sh that calls Merge.
func (a Additions) startFolder(dir, user string, environ []string) (string, error) {
	path := filepath.Join(dir, "conf")
	if strings.ContainsAny(path, " \t\n*?[") { // load-spark-env.sh does not quote it
		return "", fmt.Errorf("make spark configuration folder %q: Spark sources no %s there; set TMPDIR to a path without blanks", path, envFile)
	}
	classes := filepath.Join(dir, classesFolder)
	if err := unpackJar(a.Jar, classes); err != nil {
		return "", err
	}
	if err := a.Folder(path, user, classes); err != nil {
		return "", err
	}
	text, err := json.Marshal(a)
	if err != nil {
		return "", fmt.Errorf("write %s: %w", additionsFile, err)
	}
	if err := os.WriteFile(filepath.Join(dir, additionsFile), text, 0o600); err != nil {
		return "", fmt.Errorf("write %s: %w", additionsFile, err)
	}
	if err := writeEnvScript(path, dir, environ); err != nil {
		return "", err
	}
	return path, a.openToOthers(dir, path)
}

// openToOthers lets a job that changes its user read spark-env.sh. Merge fails for that user, so
// its Spark has the configuration that it would have without us.
//
// No other user can list the folders. Files with settings, which may be secrets, stay closed,
// whatever the mode of their originals: a folder above an original may be what protects it.
// The jar is open since PYSPARK_SUBMIT_ARGS may name it, and Spark fails if it cannot read it.
func (a Additions) openToOthers(dir, conf string) error {
	for _, open := range []struct {
		path string
		mode os.FileMode
	}{{dir, 0o711}, {conf, 0o711}, {filepath.Join(conf, envFile), 0o644}, {a.Jar, 0o644}} {
		if err := os.Chmod(open.path, open.mode); err != nil { // also against the umask
			return fmt.Errorf("open generated configuration to other users: %w", err)
		}
	}
	return nil
}

// writeEnvScript replaces the start folder's link to the user's spark-env.sh.
func writeEnvScript(path, dir string, environ []string) error {
	exe, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	user := `"$SPARK_HOME"/conf`
	if set, _ := getEnv(environ, envConfDir); set != "" {
		user = Quote(set)
	}
	file := filepath.Join(path, envFile)
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("replace link to %s: %w", envFile, err)
	}
	script := fmt.Sprintf(envScript, Quote(exe), Quote(dir), user)
	if err := os.WriteFile(file, []byte(script), 0o644); err != nil {
		return fmt.Errorf("write %s: %w", envFile, err)
	}
	return nil
}

// Merge makes the configuration folder of a Spark that starts below a Launch into dir. user is the
// folder that this Spark would read without us, args are the arguments of spark-class.
func Merge(dir, user string, args []string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, additionsFile))
	if err != nil {
		return "", fmt.Errorf("merge spark configuration %s: %w", user, err)
	}
	var a Additions
	if err := json.Unmarshal(text, &a); err != nil {
		return "", fmt.Errorf("read %s: %w", additionsFile, err)
	}
	if len(args) > 0 && args[0] == submitClass {
		if err := refuseCluster(args[1:], user, os.Environ()); err != nil {
			return "", err
		}
	}
	path, err := os.MkdirTemp(dir, "conf-")
	if err != nil {
		return "", fmt.Errorf("make spark configuration folder: %w", err)
	}
	return path, a.Folder(path, user, filepath.Join(dir, classesFolder))
}
