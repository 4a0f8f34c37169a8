package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/planflame/planflame/sampler"
)

func newDoctor() *cobra.Command {
	var pid int
	cmd := &cobra.Command{
		Use: "doctor", Short: "Say what this machine, this user and this JVM allow", Args: cobra.NoArgs,
		Long: "Tries what profiling needs and prints a line for each: what was found and, where it is not as it should be, what mends it.\n" +
			"With --pid it also tries what needs a running JVM with the planflame agent. Exit code 1 where no mode of sampling works, here or\n" +
			"with that JVM; 0 where one does, whatever else is amiss.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if pid < 0 {
				return fmt.Errorf("--pid %d: not a process id", pid)
			}
			checks := append(sampler.Capabilities(pid), checkJar(), checkJava())
			for _, c := range checks {
				mark, mend := "ok  ", ""
				if !c.OK {
					mark = "no  "
				}
				if c.Mend != "" {
					mend = "\n      mend: " + c.Mend
				}
				if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s  %s: %s%s\n", mark, c.Name, c.Detail, mend); err != nil {
					return err
				}
			}
			if !canSample(checks) || pid != 0 && !canSampleProcess(checks, pid) {
				return exitError{1}
			}
			return nil
		},
	}
	cmd.Flags().IntVar(&pid, "pid", 0, "a running JVM to try with; 0 none")
	return cmd
}

// canSample says whether some way of sampling was found to work: events on own threads, which the self-opened mode needs and a
// privileged process has too.
func canSample(checks []sampler.Check) bool {
	for _, c := range checks {
		if strings.HasPrefix(c.Name, "perf events") && c.OK {
			return true
		}
	}
	return false
}

// canSampleProcess says the same of one JVM: its agent's memory can be read, and one of the modes works.
func canSampleProcess(checks []sampler.Check, pid int) bool {
	ok := map[string]bool{}
	for _, c := range checks {
		if name, of := strings.CutPrefix(c.Name, fmt.Sprintf("pid %d: ", pid)); of {
			ok[name] = c.OK
		}
	}
	return ok["planflame's memory"] && (ok["privileged mode"] || ok["self-opened mode"])
}

func checkJar() sampler.Check {
	dir, err := os.MkdirTemp("", "planflame-doctor-")
	if err != nil {
		return sampler.Check{Name: "plugin jar", Detail: err.Error(), Mend: "make the folder for temporary files writable"}
	}
	defer os.RemoveAll(dir)
	if _, err := pluginJar(dir); err != nil {
		return sampler.Check{Name: "plugin jar", Detail: err.Error(), Mend: "make plugin, or set " + envHome + " to its folder"}
	}
	return sampler.Check{Name: "plugin jar", OK: true, Detail: jarOrigin()}
}

// checkJava looks at the java that Spark would start.
func checkJava() sampler.Check {
	const name = "java"
	java := "java"
	if home := os.Getenv("JAVA_HOME"); home != "" {
		java = home + "/bin/java"
	}
	out, err := exec.Command(java, "-XshowSettings:properties", "-version").CombinedOutput()
	if err != nil {
		return sampler.Check{Name: name, Detail: fmt.Sprintf("%s: %v", java, err), Mend: "set JAVA_HOME to a JDK 17 or newer"}
	}
	version, spec := property(string(out), "java.runtime.version"), property(string(out), "java.specification.version")
	arch := property(string(out), "os.arch")
	c := sampler.Check{Name: name, Detail: fmt.Sprintf("%s %s on %s", java, version, arch)}
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
