package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/cmd/planflame/internal/sparkconf"
	"github.com/planflame/planflame/sampler"
)

// What a run needs beside the JVM's memory. A recording of 10,000 samples and three queries has 10
// MB. Results of a long run are read back whole, with at most maxHeldOffline samples of a kilobyte
// each in memory.
const (
	leastDisk   = 1 << 30
	leastMemory = 1 << 30
)

// oldestSpark is the first Spark that the plugin works with.
const oldestSpark = "3.5"

// checkSpark looks for the Spark that spark-submit or python would start.
func checkSpark(ctx context.Context) sampler.Check {
	c := sampler.Check{Name: "spark"}
	home := os.Getenv("SPARK_HOME")
	for _, program := range []string{"spark-submit", "python3", "python"} {
		if home == "" {
			home = sparkconf.FindHome(ctx, []string{program}, os.Environ())
		}
	}
	if home == "" {
		c.Detail, c.Mend = "neither SPARK_HOME nor spark-submit nor a python with pyspark", "set SPARK_HOME, or pip install pyspark"
		return c
	}
	jars, _ := filepath.Glob(filepath.Join(home, "jars", "spark-core_*.jar")) // no error: the pattern is right
	if len(jars) == 0 {
		c.Detail, c.Mend = "no jars/spark-core_*.jar in "+home, "set SPARK_HOME to the folder that holds bin and jars"
		return c
	}
	_, version, _ := strings.Cut(strings.TrimSuffix(filepath.Base(jars[0]), ".jar"), "-core_")
	_, version, _ = strings.Cut(version, "-") // behind Scala's version
	c.Detail = version + " in " + home
	if c.OK = !olderThan(version, oldestSpark); !c.OK {
		c.Mend = "use Spark " + oldestSpark + " or newer"
	}
	return c
}

// olderThan compares versions by their first two numbers.
func olderThan(version, than string) bool {
	var a, b [2]int
	_, _ = fmt.Sscanf(version, "%d.%d", &a[0], &a[1]) // what is no number is 0
	_, _ = fmt.Sscanf(than, "%d.%d", &b[0], &b[1])
	return a[0] < b[0] || a[0] == b[0] && a[1] < b[1]
}

// checkPython looks at the Python that PySpark would start.
func checkPython() sampler.Check {
	c := sampler.Check{Name: "python"}
	program := os.Getenv("PYSPARK_PYTHON")
	if program == "" {
		program = "python3"
	}
	path, err := exec.LookPath(program)
	if err == nil {
		var out []byte
		out, err = exec.Command(path, "--version").CombinedOutput()
		c.Detail = strings.TrimPrefix(strings.TrimSpace(string(out)), "Python ") + " at " + path
	}
	if c.OK = err == nil; !c.OK {
		c.Detail, c.Mend = fmt.Sprintf("%s: %v; only PySpark needs one", program, err), "install python3, or set PYSPARK_PYTHON"
	}
	return c
}

// checkDisk looks at the room for results, here and for temporary files.
func checkDisk() sampler.Check {
	c := sampler.Check{Name: "disk", OK: true}
	var found []string
	for _, dir := range []string{".", os.TempDir()} {
		var s unix.Statfs_t
		if err := unix.Statfs(dir, &s); err != nil {
			c.OK = false
			found = append(found, fmt.Sprintf("%s: %v", dir, err))
			continue
		}
		free := s.Bavail * uint64(s.Bsize)
		c.OK = c.OK && free >= leastDisk
		found = append(found, fmt.Sprintf("%s free in %s", bytesText(free), dir))
	}
	c.Detail = strings.Join(found, ", ")
	if !c.OK {
		c.Mend = "make room for recordings: at least " + bytesText(leastDisk) + "; --out and TMPDIR name other folders"
	}
	return c
}

// checkMemory looks at the memory that is free on this machine, or in this control group.
func checkMemory() sampler.Check {
	c := sampler.Check{Name: "memory"}
	free, err := availableMemory()
	if err != nil {
		c.Detail = err.Error()
		return c
	}
	of := "this machine"
	if left, limited := memoryOfGroup("/sys/fs/cgroup"); limited && left < free {
		free, of = left, "this container"
	}
	c.Detail = fmt.Sprintf("%s free of %s", bytesText(free), of)
	if c.OK = free >= leastMemory; !c.OK {
		c.Mend = "leave " + bytesText(leastMemory) + " beside Spark: planflame reads the recording back when the job has ended"
	}
	return c
}

func availableMemory() (uint64, error) {
	b, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, "MemAvailable:"); ok {
			kib, err := strconv.ParseUint(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
			return kib << 10, err
		}
	}
	return 0, fmt.Errorf("/proc/meminfo has no MemAvailable")
}

// memoryOfGroup is what a control group of version 2 has left of its limit. The page cache that the
// kernel gives up counts as left. limited is false if it has no limit.
func memoryOfGroup(dir string) (left uint64, limited bool) {
	number := func(name string) (uint64, bool) {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return 0, false
		}
		n, err := strconv.ParseUint(strings.TrimSpace(string(b)), 10, 64)
		return n, err == nil // "max" is no number
	}
	most, ok := number("memory.max")
	used, known := number("memory.current")
	if !ok || !known {
		return 0, false
	}
	used -= min(inactiveFile(dir), used)
	return most - min(used, most), true
}

// inactiveFile is a control group's page cache that was not used lately; 0 if it is not known.
func inactiveFile(dir string) uint64 {
	b, err := os.ReadFile(filepath.Join(dir, "memory.stat"))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, "inactive_file "); ok {
			n, _ := strconv.ParseUint(strings.TrimSpace(rest), 10, 64) // what is no number is 0
			return n
		}
	}
	return 0
}

// bytesText is a number of bytes for people.
func bytesText(n uint64) string {
	if n < 1<<30 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
}
