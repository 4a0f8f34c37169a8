package main

import (
	"bytes"
	"os"
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

func TestCanSample(t *testing.T) {
	const own, kernel = "perf events on own threads", "perf events with kernel samples"
	for _, test := range []struct {
		works []string
		here  bool
		jvm   bool
	}{
		{nil, false, false},
		{[]string{"seccomp", "java"}, false, false},
		{[]string{own}, true, false},
		{[]string{kernel}, true, false},
		{[]string{own, "pid 7: planflame's memory"}, true, false},
		{[]string{own, "pid 7: privileged mode"}, true, false},
		{[]string{own, "pid 8: planflame's memory", "pid 8: self-opened mode"}, true, false},
		{[]string{own, "pid 7: planflame's memory", "pid 7: self-opened mode"}, true, true},
		{[]string{own, "pid 7: planflame's memory", "pid 7: privileged mode"}, true, true},
	} {
		checks := []sampler.Check{{Name: own}, {Name: kernel}}
		for _, name := range test.works {
			checks = append(checks, sampler.Check{Name: name, OK: true})
		}
		require.Equal(t, test.here, canSample(checks), "%q", test.works)
		require.Equal(t, test.jvm, canSampleProcess(checks, 7), "%q", test.works)
	}
}

// Whatever this machine allows, a line says one thing, mending aside, and the test's own process has no agent.
func TestDoctorOfAProcessWithoutTheAgent(t *testing.T) {
	t.Setenv("PLANFLAME_HOME", "/no/such/folder")
	root := newRoot()
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetArgs([]string{"doctor", "--pid", strconv.Itoa(os.Getpid())})
	require.Equal(t, exitError{1}, root.Execute())
	require.Contains(t, out.String(), "no    pid "+strconv.Itoa(os.Getpid())+": planflame's memory: this process runs no planflame agent\n")
	lines := 0
	for line := range strings.Lines(out.String()) {
		require.Regexp(t, `^(ok    |no    |      mend: )\S`, line)
		require.LessOrEqual(t, len(line), 240, "%s", line)
		lines++
	}
	require.Greater(t, lines, 10)
	require.ErrorContains(t, execute("doctor", "--pid", "-3"), "--pid -3: not a process id")
}
