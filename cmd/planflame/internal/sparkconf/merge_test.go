package sparkconf

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// The generated spark-env.sh calls the program that made it, which is the test binary here.
func TestMain(m *testing.M) {
	if len(os.Args) > 3 && os.Args[1] == MergeCommand {
		conf, err := Merge(os.Args[2], os.Args[3], os.Args[4:])
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		fmt.Println(conf)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// Spark's scripts as far as they find the configuration (3.5.7 and 4.3.0). In the place of a JVM
// spark-class prints what one would read.
var sparkScripts = map[string]string{
	"spark-submit": `if [ -z "${SPARK_HOME}" ]; then
  export SPARK_HOME="$(cd "$(dirname "$0")"/..; pwd)"
fi
exec "${SPARK_HOME}"/bin/spark-class org.apache.spark.deploy.SparkSubmit "$@"
`,
	"spark-class": `. "${SPARK_HOME}"/bin/load-spark-env.sh
env | grep ^FROM_SPARK_ENV=
cat "$SPARK_CONF_DIR"/log4j2.properties "$SPARK_CONF_DIR"/spark-defaults.conf
ls "$SPARK_CONF_DIR"/io/planflame >&2
`,
	"load-spark-env.sh": `if [ -z "$SPARK_ENV_LOADED" ]; then
  export SPARK_ENV_LOADED=1
  export SPARK_CONF_DIR="${SPARK_CONF_DIR:-"${SPARK_HOME}"/conf}"
  SPARK_ENV_SH="${SPARK_CONF_DIR}/spark-env.sh"
  if [[ -f "${SPARK_ENV_SH}" ]]; then
    set -a
    . ${SPARK_ENV_SH}
    set +a
  fi
fi
`,
}

// sparkHome is an unpacked Spark with a configuration.
func sparkHome(t *testing.T, defaults string) string {
	t.Helper()
	home := filepath.Join(t.TempDir(), "my spark")
	for _, folder := range []string{"bin", "conf", "jars"} {
		require.NoError(t, os.MkdirAll(filepath.Join(home, folder), 0o755))
	}
	for name, text := range sparkScripts {
		script(t, filepath.Join(home, "bin", name), text)
	}
	for name, text := range map[string]string{
		"spark-defaults.conf": defaults, "log4j2.properties": "level=warn\n",
		"spark-env.sh": `FROM_SPARK_ENV="$(basename "$(dirname "$BASH_SOURCE")") of $(basename "$SPARK_HOME")"` + "\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(home, "conf", name), []byte(text), 0o644))
	}
	return home
}

func script(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte("#!/usr/bin/env bash\n"+text), 0o755))
}

// launched runs a command as Launch arranges it, and returns what it prints.
func launched(t *testing.T, environ []string, command ...string) (stdout, stderr string) {
	t.Helper()
	l, err := withJar(t).Launch(t.Context(), command, append([]string{"PATH=" + os.Getenv("PATH")}, environ...), t.TempDir())
	require.NoError(t, err)
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(t.Context(), l.Command[0], l.Command[1:]...)
	cmd.Env, cmd.Stdout, cmd.Stderr = l.Env, &out, &errs
	require.NoError(t, cmd.Run(), "%s", &errs)
	return out.String(), errs.String()
}

// A Spark has its own configuration and the additions, whatever was known of it before it started.
func TestMergeOfTheSparkThatStarts(t *testing.T) {
	home := sparkHome(t, "spark.master yarn\nspark.plugins.defaultList a.B\n")
	other := sparkHome(t, "spark.master local[9]\n")
	bin := t.TempDir()
	submit := filepath.Join(bin, "spark-submit")
	script(t, submit, "LIB="+Quote(home)+"\nexec \"$LIB\"/bin/spark-submit \"$@\"\n")
	nightly := filepath.Join(bin, "nightly.sh")
	script(t, nightly, "export SPARK_HOME="+Quote(home)+"\n\"$SPARK_HOME\"/bin/spark-submit job.py\n")
	tests := []struct {
		name    string
		environ []string
		command []string
	}{
		{"a wrapper on PATH", nil, []string{submit, "job.py"}},
		{"a script that calls the wrapper", nil, []string{"bash", "-c", submit + " job.py"}},
		{"a script that chooses a Spark", nil, []string{nightly}},
		{"a script that chooses another Spark", []string{"SPARK_HOME=" + other}, []string{nightly}},
		{"the environment", []string{"SPARK_HOME=" + home}, []string{submit, "job.py"}},
		{"a folder of the user's", []string{"SPARK_HOME=" + other, "SPARK_CONF_DIR=" + filepath.Join(home, "conf")}, []string{submit, "job.py"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			stdout, stderr := launched(t, test.environ, test.command...)
			got, err := parseProperties(stdout)
			require.NoError(t, err)
			require.Equal(t, "yarn", got["spark.master"])
			require.Equal(t, "a.B,"+additions.Plugin, got["spark.plugins.defaultList"])
			require.NotEmpty(t, got["spark.planflame.jar"])
			require.Equal(t, "warn", got["level"])
			require.Equal(t, "conf of my spark", got["FROM_SPARK_ENV"], "the user's spark-env.sh, from its own folder")
			require.Equal(t, "A.class\nagent\n", stderr)
		})
	}
}

// A Spark that cannot have the additions has the user's configuration.
func TestMergeThatFailsLeavesTheUsersConfiguration(t *testing.T) {
	for name, test := range map[string]struct{ defaults, args, says string }{
		"broken":            {"spark.master=yarn\nspark.x=\\u12\n", "job.py", "spark-defaults.conf: value of property \"spark.x\""},
		"a cluster":         {"spark.master=yarn\n", "--deploy-mode cluster job.py", "--deploy-mode cluster: Spark runs in the cluster"},
		"a cluster, always": {"spark.master=yarn\nspark.submit.deployMode=cluster\n", "job.py", "spark.submit.deployMode=cluster in "},
	} {
		t.Run(name, func(t *testing.T) {
			home := sparkHome(t, test.defaults)
			nightly := filepath.Join(t.TempDir(), "nightly.sh")
			script(t, nightly, Quote(home+"/bin/spark-submit")+" "+test.args+" 2>&1 || true\n")
			stdout, _ := launched(t, nil, nightly)
			require.Contains(t, stdout, test.says)
			require.Contains(t, stdout, "FROM_SPARK_ENV=conf of my spark\nlevel=warn\n"+test.defaults)
			require.NotContains(t, stdout, additions.Plugin)
		})
	}
}

// A job that changes its user has its own configuration, and no user can read another's settings.
func TestLaunchOfAJobThatChangesItsUser(t *testing.T) {
	home := sparkHome(t, "spark.master=yarn\nspark.password=1\n")
	properties := filepath.Join(t.TempDir(), "p.conf")
	require.NoError(t, os.WriteFile(properties, []byte("spark.password=2\n"), 0o644))
	a, dir := withJar(t), t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o700))
	require.NoError(t, os.Chmod(a.Jar, 0o600))
	defer syscall.Umask(syscall.Umask(0o077))
	l, err := a.Launch(t.Context(), []string{"pyspark", "--properties-file", properties}, []string{"PATH=" + os.Getenv("PATH"), "SPARK_HOME=" + home}, dir)
	require.NoError(t, err)
	for file, want := range map[string]os.FileMode{
		dir: os.ModeDir | 0o711, dir + "/conf": os.ModeDir | 0o711, dir + "/conf/spark-env.sh": 0o644, a.Jar: 0o644,
		dir + "/conf/spark-defaults.conf": 0o600, dir + "/additions.json": 0o600, dir + "/properties-1.conf": 0o600,
	} {
		info, err := os.Stat(file)
		require.NoError(t, err)
		require.Equal(t, want, info.Mode(), file)
	}

	var out bytes.Buffer
	cmd := exec.CommandContext(t.Context(), home+"/bin/spark-submit", "job.py")
	cmd.Env, cmd.Dir, cmd.Stdout = l.Env, "/", &out
	if os.Geteuid() == 0 { // else the job's user is this one
		require.NoError(t, os.Chmod(filepath.Dir(dir), 0o711)) // of all folders of this test
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	_ = cmd.Run() // there may be no classes
	require.Contains(t, out.String(), "FROM_SPARK_ENV=conf of my spark\nlevel=warn\nspark.master=yarn\nspark.password=1\n")
}

// Spark's scripts do not quote the path of spark-env.sh.
func TestLaunchRefusesAFolderWithABlank(t *testing.T) {
	_, err := withJar(t).Launch(t.Context(), []string{"true"}, nil, filepath.Join(t.TempDir(), "a b"))
	require.ErrorContains(t, err, `/a b/conf": Spark sources no spark-env.sh there; set TMPDIR`)
}
