package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler"
)

func TestProperty(t *testing.T) {
	const settings = "Property settings:\n    java.specification.version = 17\n    java.version.date = 2026 = odd\n"
	require.Equal(t, "17", property(settings, "java.specification.version"))
	require.Equal(t, "2026 = odd", property(settings, "java.version.date"))
	require.Equal(t, "", property(settings, "java.version"))
}

func TestVerdict(t *testing.T) {
	const jvm = "pid 7: "
	for _, test := range []struct {
		works []string
		pid   int
		want  string
		ok    bool
	}{
		{nil, 0, "You can profile: no, perf events on own threads: refused; mend: sysctl", false},
		{[]string{checkPluginJar, checkOfJava}, 0, "You can profile: no, perf events on own threads: refused; mend: sysctl", false},
		{[]string{checkOwnThreads, checkOfJava}, 0, "You can profile: no, plugin jar: missing", true},
		{[]string{checkOwnThreads, checkPluginJar}, 0, "You can profile: no, java: 11; mend: set JAVA_HOME", true},
		{[]string{checkOwnThreads, checkPluginJar, checkOfJava}, 0, "You can profile: yes, mode self; kernel time as a sum", true},
		{[]string{checkKernelTime, checkPluginJar, checkOfJava}, 0, "You can profile: yes, mode privileged; kernel time by operator", true},
		{[]string{checkOwnThreads}, 7, "This JVM can be profiled: no, pid 7: planflame's memory: not there", false},
		{[]string{checkOwnThreads, jvm + "planflame's memory"}, 7, "This JVM can be profiled: no, pid 7: self-opened mode: refused", false},
		{[]string{checkOwnThreads, jvm + "privileged mode"}, 7, "This JVM can be profiled: no, pid 7: planflame's memory: not there", false},
		{[]string{jvm + "planflame's memory", jvm + "self-opened mode"}, 7, "This JVM can be profiled: yes, mode self; kernel time as a sum", true},
		{[]string{jvm + "planflame's memory", jvm + "self-opened mode", jvm + "privileged mode"}, 7, "This JVM can be profiled: yes, mode privileged; kernel time by operator", true},
	} {
		checks := []sampler.Check{{Name: checkOwnThreads, Detail: "refused", Mend: "sysctl"}, {Name: checkKernelTime, Detail: "refused"}, {Name: checkPluginJar, Detail: "missing"},
			{Name: checkOfJava, Detail: "11", Mend: "set JAVA_HOME"}, {Name: jvm + "planflame's memory", Detail: "not there"}, {Name: jvm + "privileged mode"}, {Name: jvm + "self-opened mode", Detail: "refused"}}
		for i := range checks {
			checks[i].OK = slices.Contains(test.works, checks[i].Name)
		}
		text, ok := verdict(checks, test.pid)
		require.Equal(t, test.want, text, "%q", test.works)
		require.Equal(t, test.ok, ok, "%q", test.works)
	}
}

func TestCheckSpark(t *testing.T) {
	home := t.TempDir()
	t.Setenv("SPARK_HOME", home)
	require.Equal(t, sampler.Check{Name: "spark", Detail: "no jars/spark-core_*.jar in " + home, Mend: "set SPARK_HOME to the folder that holds bin and jars"}, checkSpark(t.Context()))
	require.NoError(t, os.Mkdir(filepath.Join(home, "jars"), 0o755))
	jar := filepath.Join(home, "jars", "spark-core_2.12-3.4.1.jar")
	require.NoError(t, os.WriteFile(jar, nil, 0o644))
	require.Equal(t, sampler.Check{Name: "spark", Detail: "3.4.1 in " + home, Mend: "use Spark 3.5 or newer"}, checkSpark(t.Context()))
	require.NoError(t, os.Rename(jar, filepath.Join(home, "jars", "spark-core_2.13-4.3.0.jar")))
	require.Equal(t, sampler.Check{Name: "spark", OK: true, Detail: "4.3.0 in " + home}, checkSpark(t.Context()))
	require.False(t, olderThan("10.0", "3.5"))
}

func TestMemoryOfGroup(t *testing.T) {
	dir := t.TempDir()
	_, limited := memoryOfGroup(dir)
	require.False(t, limited)
	for most, want := range map[string]uint64{"max": 0, "5000\n": 1000, "3000": 0} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "memory.max"), []byte(most), 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "memory.current"), []byte("4000\n"), 0o644))
		left, limited := memoryOfGroup(dir)
		require.Equal(t, want, left)
		require.Equal(t, most != "max", limited)
	}
	for name, text := range map[string]string{
		"memory.max": "4294967296\n", "memory.current": "4293918720\n", "memory.stat": "anon 1072693248\nfile 3221225472\ninactive_file 3221225472\nactive_file 5\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	left, limited := memoryOfGroup(dir)
	require.True(t, limited)
	require.EqualValues(t, 3<<30+1<<20, left, "the page cache gives way")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "memory.current"), []byte("7\n"), 0o644))
	left, _ = memoryOfGroup(dir)
	require.EqualValues(t, 4<<30, left, "both files are not read at once")
	require.Equal(t, "512 MiB", bytesText(512<<20))
	require.Equal(t, "1.5 GiB", bytesText(3<<29))
}

// Whatever this machine allows, a line says one thing, mending aside, and the test's own process
// has no agent.
func TestDoctorOfAProcessWithoutTheAgent(t *testing.T) {
	t.Setenv("PLANFLAME_HOME", "/no/such/folder")
	root := newRoot()
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetArgs([]string{"doctor", "--pid", strconv.Itoa(os.Getpid())})
	require.Equal(t, exitError{1}, root.Execute())
	require.Contains(t, out.String(), "no    pid "+strconv.Itoa(os.Getpid())+": planflame's memory: this process runs no planflame agent\n")
	verdict, rest, _ := strings.Cut(out.String(), "\n\n")
	require.Contains(t, verdict, "This JVM can be profiled: no, pid ")
	lines := 0
	for line := range strings.Lines(rest) {
		require.Regexp(t, `^(ok    |no    |      mend: )\S`, line)
		require.LessOrEqual(t, len(line), 300, "%s", line)
		lines++
	}
	require.Greater(t, lines, 10)
	require.ErrorContains(t, execute("doctor", "--pid", "-3"), "--pid -3: not a process id")
}
