package sparkconf

import (
	"archive/zip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

var additions = Additions{
	Plugin: "io.planflame.spark.PlanflamePlugin", Jar: "/opt/our jars/planflame.jar", JarKey: "spark.planflame.jar",
	DriverOptions: []string{"-XX:+UnlockDiagnosticVMOptions", "-XX:+PreserveFramePointer", "-Da.b=true"},
}

// withJar returns the additions with a jar that exists.
func withJar(t *testing.T) Additions {
	a := additions
	a.Jar = filepath.Join(t.TempDir(), "our jars", "planflame.jar")
	require.NoError(t, os.MkdirAll(filepath.Dir(a.Jar), 0o755))
	writeJar(t, a.Jar, map[string]string{"META-INF/MANIFEST.MF": "a manifest", "io/planflame/A.class": "a class", "io/planflame/agent/l.so": "a library"})
	return a
}

func writeJar(t *testing.T, path string, files map[string]string) {
	t.Helper()
	f, err := os.Create(path)
	require.NoError(t, err)
	z := zip.NewWriter(f)
	for name, text := range files {
		w, err := z.Create(name)
		require.NoError(t, err)
		_, err = w.Write([]byte(text))
		require.NoError(t, err)
	}
	require.NoError(t, errors.Join(z.Close(), f.Close()))
}

func TestParseProperties(t *testing.T) {
	tests := []struct {
		name, text string
		want       map[string]string
	}{
		{"empty", "", map[string]string{}},
		{"blank, equals, colon, tab", "a  1\nb=2\nc:3\nd\t4\ne = 5\nf : 6\n", map[string]string{"a": "1", "b": "2", "c": "3", "d": "4", "e": "5", "f": "6"}},
		{"comments", "# a=1\n  ! b=2\n  c=3 # not a comment\n", map[string]string{"c": "3 # not a comment"}},
		{"no value, no newline", "a\nb=", map[string]string{"a": "", "b": ""}},
		{"the last one counts", "a=1\na=2", map[string]string{"a": "2"}},
		{"continued", "a=1,\\\n    2,\\\n\t3\nb=4", map[string]string{"a": "1,2,3", "b": "4"}},
		{"continued at the end", "a=1\\\n", map[string]string{"a": "1"}},
		{"an even number of backslashes continues nothing", "a=1\\\\\nb=2", map[string]string{"a": `1\`, "b": "2"}},
		{"a comment does not interrupt", "a=1\\\n# 2\nb=3", map[string]string{"a": "1# 2", "b": "3"}},
		{"escapes", `a\ b=c\td\u0041\:\q`, map[string]string{"a b": "c\tdA:q"}},
		{"surrogates", `a=\uD83D\uDD25 \uD83D`, map[string]string{"a": "🔥 \uFFFD"}},
		{"a second separator is value", "a==b\nc = :d", map[string]string{"a": "=b", "c": ":d"}},
		{"windows and mac", "a=1\r\nb=2\rc=3", map[string]string{"a": "1", "b": "2", "c": "3"}},
		{"quotes are characters", `spark.driver.defaultJavaOptions -Da="b c" -Xmx1g`, map[string]string{"spark.driver.defaultJavaOptions": `-Da="b c" -Xmx1g`}},
		{"trimmed", "a = 1 \t ", map[string]string{"a": "1"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := parseProperties(test.text)
			require.NoError(t, err)
			require.Equal(t, test.want, got)
		})
	}
	for _, bad := range []string{`a=\u12`, `a=\uzzzz`, `\u1=2`} {
		_, err := parseProperties(bad)
		require.ErrorContains(t, err, "malformed \\u escape", bad)
	}
}

func TestAppendProperties(t *testing.T) {
	const options = "-XX:+UnlockDiagnosticVMOptions -XX:+PreserveFramePointer -Da.b=true"
	tests := []struct {
		name, text             string
		plugins, jars, dOption string
	}{
		{"empty", "", additions.Plugin, additions.Jar, options},
		{"other settings stay", "spark.master local[2]\n", additions.Plugin, additions.Jar, options},
		{"appended to all", "spark.plugins.defaultList=a.B\nspark.jars: /x.jar,/y.jar\nspark.driver.defaultJavaOptions -Xss4m -Dx=\"y z\"",
			"a.B," + additions.Plugin, "/x.jar,/y.jar," + additions.Jar, `-Xss4m -Dx="y z" ` + options},
		{"not twice", "spark.plugins.defaultList=a.B, " + additions.Plugin + "\nspark.jars=" + additions.Jar,
			"a.B, " + additions.Plugin, additions.Jar, options},
		{"the user's opposite stays", "spark.driver.defaultJavaOptions=-XX:-PreserveFramePointer -Da.b=false",
			additions.Plugin, additions.Jar, "-XX:-PreserveFramePointer -Da.b=false -XX:+UnlockDiagnosticVMOptions"},
		{"a last line that is open", "spark.plugins.defaultList=a.B,\\\n  c.D\\", "a.B,c.D," + additions.Plugin, additions.Jar, options},
		{"a list with a comma at its end", "spark.plugins.defaultList=a.B,", "a.B," + additions.Plugin, additions.Jar, options},
		{"backslashes survive", `spark.driver.defaultJavaOptions=-Dp=C:\\x\\y`, additions.Plugin, additions.Jar, `-Dp=C:\x\y ` + options},
		{"the user's last line of a key counts", "spark.plugins.defaultList=a.B\nspark.plugins.defaultList=c.D", "c.D," + additions.Plugin, additions.Jar, options},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text, err := additions.appendProperties(test.text)
			require.NoError(t, err)
			got, err := parseProperties(text)
			require.NoError(t, err)
			require.Equal(t, test.plugins, got["spark.plugins.defaultList"])
			require.Equal(t, test.jars, got["spark.jars"])
			require.Equal(t, test.dOption, got["spark.driver.defaultJavaOptions"])
			before, err := parseProperties(test.text)
			require.NoError(t, err)
			for k, v := range before {
				if k != "spark.plugins.defaultList" && k != "spark.jars" && k != "spark.driver.defaultJavaOptions" {
					require.Equal(t, v, got[k])
				}
			}
			again, err := additions.appendProperties(text)
			require.NoError(t, err)
			twice, err := parseProperties(again)
			require.NoError(t, err)
			require.Equal(t, got, twice, "a second time changes nothing")
		})
	}
}

func TestPropertiesReplaceTheUsers(t *testing.T) {
	text, err := Additions{Properties: map[string]string{"spark.b": "false", "spark.a": "7"}}.appendProperties("spark.b true\n")
	require.NoError(t, err)
	require.Equal(t, "spark.b true\n\n\n# added by planflame run\nspark.a=7\nspark.b=false\n", text)
}

func TestSubmitArgs(t *testing.T) {
	a := Additions{Plugin: "P", Jar: "J", DriverOptions: []string{"-XX:+F", "-Dd=1"}, JarKey: "spark.planflame.jar", Properties: map[string]string{"spark.b": "false"}}
	copied := func(path string) (string, error) { return path + ".copy", nil }
	tests := []struct {
		name       string
		args, want []string
	}{
		{"nothing to hide ours", []string{"--master", "local[2]", "job.py", "--jars", "x"}, []string{"--master", "local[2]", "job.py", "--jars", "x"}},
		{"jars", []string{"--jars", "a,b", "job.py"}, []string{"--jars", "a,b,J", "job.py"}},
		{"jars joined", []string{"--jars=a", "job.py"}, []string{"--jars=a,J", "job.py"}},
		{"plugins by --conf", []string{"--conf", "spark.plugins.defaultList=a.B", "job.py"}, []string{"--conf", "spark.plugins.defaultList=a.B,P", "job.py"}},
		{"plugins by --conf=", []string{"--conf=spark.plugins.defaultList=a.B", "x.jar"}, []string{"--conf=spark.plugins.defaultList=a.B,P", "x.jar"}},
		{"plugins by -c", []string{"-c", "spark.plugins.defaultList=a.B"}, []string{"-c", "spark.plugins.defaultList=a.B,P"}},
		{"what Spark joins to ours stays", []string{"--driver-java-options", "-Xss1m", "--conf", "spark.plugins=a.B", "-c", "spark.driver.extraJavaOptions=-Xss2m", "x.jar"},
			[]string{"--driver-java-options", "-Xss1m", "--conf", "spark.plugins=a.B", "-c", "spark.driver.extraJavaOptions=-Xss2m", "x.jar"}},
		{"the jar's key", []string{"--conf", "spark.planflame.jar=/old.jar", "x"}, []string{"--conf", "spark.planflame.jar=J", "x"}},
		{"a property of ours", []string{"--conf", "spark.b=true", "x"}, []string{"--conf", "spark.b=false", "x"}},
		{"driver options by --conf", []string{"--conf", "spark.driver.defaultJavaOptions=-Xss1m"}, []string{"--conf", "spark.driver.defaultJavaOptions=-Xss1m -XX:+F -Dd=1"}},
		{"both places, each gets ours", []string{"--conf", "spark.jars=a", "--jars", "b", "x"}, []string{"--conf", "spark.jars=a,J", "--jars", "b,J", "x"}},
		{"other conf stays", []string{"--conf", "spark.x=a=b", "--conf", "odd", "x"}, []string{"--conf", "spark.x=a=b", "--conf", "odd", "x"}},
		{"properties file", []string{"--properties-file", "p.conf", "x"}, []string{"--properties-file", "p.conf.copy", "x"}},
		{"options without values", []string{"--verbose", "--supervise", "-v", "--conf", "spark.plugins.defaultList=a", "x", "--conf", "spark.plugins.defaultList=mine"},
			[]string{"--verbose", "--supervise", "-v", "--conf", "spark.plugins.defaultList=a,P", "x", "--conf", "spark.plugins.defaultList=mine"}},
		{"spark-sql's own", []string{"-S", "--conf", "spark.plugins.defaultList=a", "-e", "select 1", "--silent", "--jars", "b"},
			[]string{"-S", "--conf", "spark.plugins.defaultList=a,P", "-e", "select 1", "--silent", "--jars", "b,J"}},
		{"an option without its value", []string{"--jars"}, []string{"--jars"}},
		{"a value that looks like an option", []string{"--name", "--jars", "x", "--jars", "y"}, []string{"--name", "--jars", "x", "--jars", "y"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := a.SubmitArgs(test.args, copied)
			require.NoError(t, err)
			require.Equal(t, test.want, got)
		})
	}
	_, err := a.SubmitArgs([]string{"--properties-file", "p.conf"}, func(string) (string, error) { return "", errors.New("denied") })
	require.EqualError(t, err, "--properties-file p.conf: denied")
}

func TestSubmitArgsLine(t *testing.T) {
	a := Additions{Plugin: "P", Jar: "/my jars/J", DriverOptions: []string{"-XX:+F"}}
	got, err := a.submitArgsLine(`--jars a --conf "spark.driver.defaultJavaOptions=-Dx='y z'" --name 'it'"'"'s' pyspark-shell`, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"--jars", "a,/my jars/J", "--conf", "spark.driver.defaultJavaOptions=-Dx='y z' -XX:+F", "--name", "it's", "pyspark-shell"},
		splitShell(got))
}

func TestSplitOptions(t *testing.T) {
	tests := map[string][]string{
		"":                            nil,
		"  -a   -b\t-c ":              {"-a", "-b", "-c"},
		`-Da="b c" -Dd='e f'`:         {"-Da=b c", "-Dd=e f"},
		`-Da=\"b -Dc="d\"e"`:          {`-Da="b`, `-Dc=d"e`},
		`-Dopen="never closed -Xmx1g`: {"-Dopen=never closed -Xmx1g"},
	}
	for line, want := range tests {
		require.Equal(t, want, splitOptions(line), line)
	}
}

func TestFolder(t *testing.T) {
	user, path, classes := t.TempDir(), filepath.Join(t.TempDir(), "conf"), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(user, "spark-defaults.conf"), []byte("spark.plugins.defaultList a.B\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(user, "log4j2.properties"), []byte("level=warn\n"), 0o644))
	a := withJar(t)
	require.NoError(t, unpackJar(a.Jar, classes))
	require.NoError(t, a.Folder(path, user, classes))
	for file, want := range map[string]string{"A.class": "a class", "agent/l.so": "a library"} {
		text, err := os.ReadFile(filepath.Join(path, "io", "planflame", file))
		require.NoError(t, err)
		require.Equal(t, want, string(text), "the folder is on the class path of Spark's JVMs")
	}
	require.NoDirExists(t, filepath.Join(path, "META-INF"))
	merged, err := os.ReadFile(filepath.Join(path, "spark-defaults.conf"))
	require.NoError(t, err)
	require.Contains(t, string(merged), "spark.plugins.defaultList=a.B,"+additions.Plugin)
	other, err := os.ReadFile(filepath.Join(path, "log4j2.properties"))
	require.NoError(t, err)
	require.Equal(t, "level=warn\n", string(other))
	kept, err := os.ReadFile(filepath.Join(user, "spark-defaults.conf"))
	require.NoError(t, err)
	require.Equal(t, "spark.plugins.defaultList a.B\n", string(kept), "the user's own file is not touched")
}

// Classes are never written through a link into the user's folder.
func TestFolderRefusesAConfigurationThatHoldsItsPackage(t *testing.T) {
	user := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(user, "io"), 0o755))
	_, err := withJar(t).Launch(t.Context(), []string{"python"}, []string{"SPARK_CONF_DIR=" + user}, t.TempDir())
	require.ErrorContains(t, err, "file exists")
	entries, err := os.ReadDir(filepath.Join(user, "io"))
	require.NoError(t, err)
	require.Empty(t, entries)
}

func TestUnpackJarRefusesAPathOutside(t *testing.T) {
	jar := filepath.Join(t.TempDir(), "a.jar")
	writeJar(t, jar, map[string]string{"../b.class": "x"})
	require.ErrorContains(t, unpackJar(jar, t.TempDir()), `"../b.class" leaves the folder`)
}

func TestLaunch(t *testing.T) {
	additions := withJar(t)
	home, dir := t.TempDir(), t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(home, "conf"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(home, "conf", "spark-defaults.conf"), []byte("spark.jars=/h.jar\n"), 0o644))
	props := filepath.Join(home, "p.conf")
	require.NoError(t, os.WriteFile(props, []byte("spark.plugins.defaultList=u.P\n"), 0o644))
	environ := []string{"A=b", "SPARK_HOME=" + home, "PYSPARK_SUBMIT_ARGS=--jars /q.jar pyspark-shell"}
	command := []string{"/somewhere/spark-submit", "--properties-file", props, "job.py", "--jars", "/mine.jar"}
	l, err := additions.Launch(context.Background(), command, environ, dir)
	require.NoError(t, err)
	require.Equal(t, []string{"/somewhere/spark-submit", "--properties-file", filepath.Join(dir, "properties-1.conf"), "job.py", "--jars", "/mine.jar"}, l.Command)
	require.Equal(t, []string{"A=b", "SPARK_HOME=" + home, "SPARK_CONF_DIR=" + filepath.Join(dir, "conf"), "PYTHONPATH=" + filepath.Join(dir, "python"),
		"PYSPARK_SUBMIT_ARGS=--jars '/q.jar," + additions.Jar + "' pyspark-shell"}, l.Env)
	require.Equal(t, "/somewhere/spark-submit", command[0])
	for file, want := range map[string]string{
		"conf/spark-defaults.conf": "spark.jars=/h.jar," + additions.Jar,
		"properties-1.conf":        "spark.plugins.defaultList=u.P," + additions.Plugin,
	} {
		text, err := os.ReadFile(filepath.Join(dir, file))
		require.NoError(t, err)
		require.Contains(t, string(text), want)
	}
}

func TestLaunchLeavesAMissingPropertiesFileToSpark(t *testing.T) {
	l, err := withJar(t).Launch(context.Background(), []string{"spark-submit", "--properties-file", "/no/such/file", "x"}, nil, t.TempDir())
	require.NoError(t, err)
	require.Equal(t, []string{"spark-submit", "--properties-file", "/no/such/file", "x"}, l.Command)
}

func TestLaunchRefusesABrokenConfiguration(t *testing.T) {
	conf := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(conf, "spark-defaults.conf"), []byte(`spark.x=\u12`), 0o644))
	_, err := withJar(t).Launch(context.Background(), []string{"python"}, []string{"SPARK_CONF_DIR=" + conf}, t.TempDir())
	require.ErrorContains(t, err, filepath.Join(conf, "spark-defaults.conf"))
	require.ErrorContains(t, err, `spark.x`)
}

func FuzzProperties(f *testing.F) {
	f.Add("a=1\\\n b=\\u0041")
	f.Fuzz(func(t *testing.T, text string) {
		merged, err := additions.appendProperties(text)
		if err != nil {
			return
		}
		got, err := parseProperties(merged)
		if err != nil {
			t.Fatalf("%q does not parse any more: %v", merged, err)
		}
		if got["spark.plugins.defaultList"] == "" {
			t.Fatalf("%q lost the plugin", merged)
		}
	})
}

// The submitters of a package of pip's are scripts beside find-spark-home, which they source.
func TestHomeOfSubmitters(t *testing.T) {
	environ := []string{"PATH=" + os.Getenv("PATH")}
	pip := filepath.Join(t.TempDir(), "env", "bin")
	require.NoError(t, os.MkdirAll(pip, 0o755))
	submit := filepath.Join(pip, "spark-submit")
	require.NoError(t, os.WriteFile(submit, []byte("#!/bin/sh\n"), 0o755))
	require.Empty(t, userConf(t.Context(), []string{submit}, environ), "no find-spark-home, nothing to find")
	require.NoError(t, os.WriteFile(filepath.Join(pip, "find-spark-home"), []byte(`export SPARK_HOME="$(cd "$(dirname "$0")"; pwd)/site packages/pyspark"`), 0o644))
	require.Equal(t, filepath.Join(pip, "site packages", "pyspark", "conf"), userConf(t.Context(), []string{submit}, environ))

	unpacked := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(unpacked, "bin"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(unpacked, "jars"), 0o755))
	shell := filepath.Join(unpacked, "bin", "spark-shell")
	require.NoError(t, os.WriteFile(shell, []byte("#!/bin/sh\n"), 0o755))
	link := filepath.Join(t.TempDir(), "spark-shell")
	require.NoError(t, os.Symlink(shell, link))
	require.Equal(t, filepath.Join(unpacked, "conf"), userConf(t.Context(), []string{link}, environ), "a link to a Spark that was unpacked")
	wrapper := filepath.Join(t.TempDir(), "spark-shell")
	require.NoError(t, os.WriteFile(wrapper, []byte("#!/bin/bash\n. /usr/lib/detect-java\n  exec "+shell+" \"$@\"\n"), 0o755))
	require.Equal(t, filepath.Join(unpacked, "conf"), userConf(t.Context(), []string{wrapper}, environ), "a distribution's script in /usr/bin")
	require.Equal(t, "/set/conf", userConf(t.Context(), []string{link}, append(environ, "SPARK_HOME=/set")))
	require.Empty(t, userConf(t.Context(), []string{"true"}, environ), "no Spark")
}
