package main

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// variant is one way to run Spark.
type variant struct {
	Name string
	// JVM are options of the driver's JVM, which in local mode is the executor; {dir} is the
	// session's folder and {peers} the folder of the peers.
	JVM    []string
	Plugin bool   // with planflame's plugin
	Jars   bool   // which Spark copies (spark.jars), instead of finding it on the class path as config/spark-defaults.conf has it
	Hz     int    // a Collector samples at this rate; 0: none runs
	Mode   string // of the Collector
	Env    []string
	Writes string // file in the session's folder that is there and not empty when the profiler has worked; a peer that did not start costs nothing
	Pushes bool   // it pushes to /ingest
}

// Names of variants that figures are made of.
const (
	stock = "stock"
	null  = "null" // stock again: what the ratio of two equal sessions is
	flags = "flags"
)

// agentFlags are the JVM options that `planflame run` gives to a driver in local mode and that the
// plugin's driver side gives to executors.
var agentFlags = []string{"-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints"}

// framePointers are frame pointers besides, which the unwinder takes where they are.
var framePointers = append(slices.Clone(agentFlags), "-XX:+PreserveFramePointer")

// variants in the order of the report.
var variants = []variant{
	{Name: stock},
	{Name: null},
	{Name: flags, JVM: agentFlags},
	{Name: "flags-fp", JVM: framePointers},
	{Name: "planflame-0", JVM: agentFlags, Plugin: true},
	{Name: "planflame-20", JVM: agentFlags, Plugin: true, Hz: 20, Mode: "privileged"},
	{Name: "planflame-200", JVM: agentFlags, Plugin: true, Hz: 200, Mode: "privileged"},
	{Name: "planflame-200-fp", JVM: framePointers, Plugin: true, Hz: 200, Mode: "privileged"},
	{Name: "planflame-200-jars", JVM: agentFlags, Plugin: true, Jars: true, Hz: 200, Mode: "privileged"},
	{Name: "planflame-1000", JVM: agentFlags, Plugin: true, Hz: 1000, Mode: "privileged"},
	{Name: "planflame-20-self", JVM: agentFlags, Plugin: true, Hz: 20, Mode: "self"},
	{Name: "planflame-200-self", JVM: agentFlags, Plugin: true, Hz: 200, Mode: "self"},
	{Name: "planflame-1000-self", JVM: agentFlags, Plugin: true, Hz: 1000, Mode: "self"},
	{Name: "async-5ms", JVM: []string{"-agentpath:{peers}/libasyncProfiler.so=start,event=ctimer,interval=5ms,file={dir}/async.jfr"}, Writes: "async.jfr"},
	{Name: "async-50ms", JVM: []string{"-agentpath:{peers}/libasyncProfiler.so=start,event=ctimer,interval=50ms,file={dir}/async.jfr"}, Writes: "async.jfr"},
	{Name: "pyroscope-java", JVM: []string{"-javaagent:{peers}/pyroscope.jar"}, Pushes: true,
		Env: []string{"PYROSCOPE_APPLICATION_NAME=overhead", "PYROSCOPE_SERVER_ADDRESS={server}", "PYROSCOPE_LOG_LEVEL=warn"}},
	{Name: "jfr-default", JVM: []string{"-XX:StartFlightRecording=settings=default,filename={dir}/flight.jfr"}, Writes: "flight.jfr"},
	{Name: "jfr-profile", JVM: []string{"-XX:StartFlightRecording=settings=profile,filename={dir}/flight.jfr"}, Writes: "flight.jfr"},
}

// workload is what a session does: a script with its arguments.
type workload struct {
	Name string
	Args []string // {data}, {tiny}, {distinct}, {wide} and {repeat} are the options'
}

// startup is the workload that a figure is made of.
const startup = "startup"

var workloads = []workload{
	{"tpch", []string{"test/jobs/tpch.py", "--data", "{data}", "--queries", "1,3,6,9,18", "--repeat", "{repeat}"}},
	{"q6", []string{"test/jobs/tpch.py", "--data", "{data}", "--queries", "6", "--repeat", "{repeat}"}},
	{"tiny", []string{"test/jobs/shapes.py", "--shape", "tiny", "--size", "{tiny}"}},
	{"distinct", []string{"test/jobs/shapes.py", "--shape", "distinct", "--size", "{distinct}"}},
	{"wide", []string{"test/jobs/shapes.py", "--shape", "wide", "--size", "{wide}"}},
	{startup, []string{"test/jobs/shapes.py", "--shape", "empty"}},
}

// chosen returns the values whose names are listed, in the order of all. what is the flag's name,
// for errors.
func chosen[T any](what, list string, all []T, name func(T) string) ([]T, error) {
	if list == "all" {
		return all, nil
	}
	want := map[string]bool{}
	for n := range strings.SplitSeq(list, ",") {
		want[n] = true
	}
	var out []T
	var known []string
	for _, x := range all {
		known = append(known, name(x))
		if want[name(x)] {
			out = append(out, x)
			delete(want, name(x))
		}
	}
	for n := range want {
		return nil, fmt.Errorf("%s: there is no %q; there are %s", what, n, strings.Join(known, ", "))
	}
	return out, nil
}

// needsPeers reports whether files of scripts/fetch-peers are used.
func (v variant) needsPeers() bool { return strings.Contains(strings.Join(v.JVM, " "), "{peers}") }

// submit is the command line of a session of w in v, its files in dir.
func (b *bench) submit(v variant, w workload, dir string) command {
	fill := b.filler(dir)
	args := []string{filepath.Join(b.o.spark, "bin", "spark-submit"), "--master", b.o.master, "--driver-memory", b.o.memory,
		"--conf", "spark.ui.enabled=false", "--conf", "spark.ui.showConsoleProgress=false"}
	jvm := v.JVM
	if b.o.beside {
		jvm = append([]string{"-XX:ActiveProcessorCount=" + strconv.Itoa(runtime.NumCPU())}, jvm...)
	}
	if len(jvm) > 0 {
		args = append(args, "--driver-java-options", fill(strings.Join(jvm, " ")))
	}
	switch {
	case v.Jars:
		args = append(args, pluginClass, "--jars", b.o.plugin)
	case v.Plugin:
		args = append(args, b.plugin()...)
	}
	for _, a := range w.Args {
		args = append(args, fill(a))
	}
	c := command{args: args, env: b.sparkEnv(), said: filepath.Join(dir, "said.log")}
	for _, e := range v.Env {
		c.env = append(c.env, fill(e))
	}
	return c
}

// pluginClass is the setting that makes Spark load planflame.
const pluginClass = "--conf=spark.plugins=io.planflame.spark.PlanflamePlugin"

// plugin are the settings of config/spark-defaults.conf that make a driver and its executors load
// planflame.
func (b *bench) plugin() []string {
	return []string{pluginClass, "--driver-class-path", b.o.plugin, "--conf", "spark.executor.extraClassPath=" + b.o.plugin}
}

// sparkEnv makes Spark's scripts find their own Python.
func (b *bench) sparkEnv() []string {
	return []string{"PATH=" + pathWith(filepath.Join(b.o.spark, "bin"))}
}
