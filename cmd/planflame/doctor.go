package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/planflame/planflame/sampler"
)

const doctorLong = `Says in its first line whether you can profile here. Then it tries what that needs and prints a
line for each: what it found and, if something is wrong, what fixes it. With --pid it also tries
what needs a running JVM with the planflame agent, and the first line is about that JVM.

The exit code is 1 if no mode of sampling works, here or with that JVM. Else it is 0.`

func newDoctor() *cobra.Command {
	var pid int
	cmd := &cobra.Command{
		Use: "doctor", Short: "Say whether this machine, this user and this JVM allow profiling", Long: doctorLong, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if pid < 0 {
				return fmt.Errorf("--pid %d: not a process id", pid)
			}
			checks := sampler.Capabilities(pid)
			checks = append(checks, checkJar(), checkJava(), checkSpark(orBackground(cmd.Context())), checkPython(), checkDisk(), checkMemory())
			text, ok := verdict(checks, pid)
			if err := writeChecks(cmd.OutOrStdout(), text, checks); err != nil {
				return err
			}
			if !ok {
				return exitError{1}
			}
			return nil
		},
	}
	cmd.Flags().IntVar(&pid, "pid", 0, "pid of a running JVM to try with; 0: none")
	return cmd
}

// writeChecks writes a verdict, and a line or two for each check.
func writeChecks(w io.Writer, verdict string, checks []sampler.Check) error {
	lines := []string{verdict, ""}
	for _, c := range checks {
		mark := "ok  "
		if !c.OK {
			mark = "no  "
		}
		lines = append(lines, fmt.Sprintf("%s  %s: %s", mark, c.Name, c.Detail))
		if c.Mend != "" {
			lines = append(lines, "      mend: "+c.Mend)
		}
	}
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}

func checkJar() sampler.Check {
	dir, err := os.MkdirTemp("", "planflame-doctor-")
	if err != nil {
		return sampler.Check{Name: checkPluginJar, Detail: err.Error(), Mend: "make the folder for temporary files writable"}
	}
	defer os.RemoveAll(dir)
	if _, err := pluginJar(dir); err != nil {
		return sampler.Check{Name: checkPluginJar, Detail: err.Error(), Mend: "make plugin, or set " + envHome + " to its folder"}
	}
	return sampler.Check{Name: checkPluginJar, OK: true, Detail: jarOrigin()}
}

// checkJava looks at the java that Spark would start.
func checkJava() sampler.Check {
	java := "java"
	if home := os.Getenv("JAVA_HOME"); home != "" {
		java = home + "/bin/java"
	}
	out, err := exec.Command(java, "-XshowSettings:properties", "-version").CombinedOutput()
	if err != nil {
		return sampler.Check{Name: checkOfJava, Detail: fmt.Sprintf("%s: %v", java, err), Mend: "set JAVA_HOME to a JDK 17 or newer"}
	}
	version, spec := property(string(out), "java.runtime.version"), property(string(out), "java.specification.version")
	arch := property(string(out), "os.arch")
	c := sampler.Check{Name: checkOfJava, Detail: fmt.Sprintf("%s %s on %s", java, version, arch)}
	feature := 0
	if _, err := fmt.Sscanf(spec, "%d", &feature); err != nil || feature < oldestJDK {
		c.Mend = fmt.Sprintf("set JAVA_HOME to a JDK %d or newer", oldestJDK)
		return c
	}
	if runtime.GOARCH != "amd64" {
		c.Mend = "the agent is built for x86-64"
		return c
	}
	c.OK = true
	return c
}

// oldestJDK is the first Java version that the agent works with.
const oldestJDK = 17

// property finds a line "    key = value" of -XshowSettings.
func property(settings, key string) string {
	for line := range strings.Lines(settings) {
		if k, v, ok := strings.Cut(line, "="); ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return ""
}
