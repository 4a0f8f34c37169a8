package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/planflame/planflame/cmd/planflame/internal/child"
	"github.com/planflame/planflame/cmd/planflame/internal/sparkconf"
	"github.com/planflame/planflame/sampler"
)

// runOptions are the flags of planflame run.
type runOptions struct {
	out   string
	hz    int
	tiers tiers
	mode  string
	show  showing
	table bool
	// records says that the plugin is to name slow records.
	records bool
	// properties replace the user's settings of Spark.
	properties map[string]string
	hunt       *hunt      // of planflame debug
	server     *pyroscope // nil: nothing is pushed
}

// Limits of --hz: the agent takes periods from 100 µs to 60 s, and a run below 1 Hz shows nothing.
const (
	minHz     = 1
	maxHz     = 5000
	defaultHz = 200
)

const runExamples = `  planflame %[1]s -- spark-submit --master 'local[4]' job.py
  planflame %[1]s -- python job.py
  planflame %[1]s --out results -- ./nightly.sh     every Spark that a script starts

`

const runLong = `Runs a command and profiles the executors of every Spark that it starts on this machine.

Results go into a new folder in planflame-out, or into the folder of --out: recording,
profile.pb.gz (pprof), summary.json and report.html. The link planflame-out/latest leads to the newest folder.
Results of an earlier run stay until this one has ended. If no Spark appears, nothing is left.

Your Spark configuration is merged, never replaced. A temporary SPARK_CONF_DIR holds your files,
the plugin, and your spark-defaults.conf with the plugin's settings appended. Its spark-env.sh does
this again for each Spark that starts, and sources yours. Options of
spark-submit and of PYSPARK_SUBMIT_ARGS that would hide them are rewritten. Settings that a program
or Spark Connect makes in code stay. A folder in front of PYTHONPATH has a module that reports the
lines of PySpark's calls.

With deploy mode cluster Spark does not run here, and the job runs without being profiled.

--task-fraction selects part of each stage's partitions. Their tasks get --detail-hz more samples a
second, beside the --base-hz of every task. With --base-hz 0 only they are sampled. All figures are
estimates for all tasks, with their 95 % intervals.

--run-fraction samples part of the runs of queries, drawn at random. A run is one SQL execution. Of
the other runs only the CPU is known, in the bucket "run not sampled". summary.json has estimates
for all runs under "runs" of each query; their error holds the spread between runs.

If PYROSCOPE_URL is set, the profile is also pushed there. service_name is the application's name.
PYROSCOPE_TENANT, PYROSCOPE_USERNAME and PYROSCOPE_PASSWORD are for servers that want them.

The exit code is the job's own, or 128 + signal if a signal ended it. It is 127 or 126 if the
command is not there or cannot be run. It is 2, and the job does not run, if a flag, PYROSCOPE_URL
or the folder cannot be used. If profiling fails, stderr says why, and the job goes on.`

const tableLong = `

The table goes to stderr. --json prints the summary as one line on stdout after the job's output.
If no Spark was seen, it prints nothing.`

// rareRunFlags are few users' flags.
var rareRunFlags = []string{"mode", "base-hz", "detail-hz", "task-fraction", "min-tasks-per-stage", "seed", "run-fraction", "tail"}

func newRun() *cobra.Command {
	o := runOptions{table: true}
	cmd := &cobra.Command{
		Use: "run [--out DIR] [flags] -- COMMAND [ARGUMENT...]", Short: "Run a Spark job and show which operators use the CPU", Long: fmt.Sprintf(runExamples, "run") + runLong + tableLong,
		Args: needsCommand,
		RunE: func(cmd *cobra.Command, args []string) error { return run(cmd.Context(), o, args) },
	}
	o.flags(cmd)
	cmd.Flags().BoolVar(&o.show.json, "json", false, "print the summary as one line of JSON on stdout, instead of the table on stderr")
	o.show.flags(cmd.Flags())
	return cmd
}

func newRecord() *cobra.Command {
	o := runOptions{}
	cmd := &cobra.Command{
		Use: "record [--out DIR] [flags] -- COMMAND [ARGUMENT...]", Short: "Run and profile a Spark job as run does, without the table", Long: fmt.Sprintf(runExamples, "record") + runLong,
		Args: needsCommand,
		RunE: func(cmd *cobra.Command, args []string) error { return run(cmd.Context(), o, args) },
	}
	o.flags(cmd)
	return cmd
}

// needsCommand refuses a run of nothing.
func needsCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("%s: no command to run: %s", cmd.Name(), cmd.UseLine())
	}
	return nil
}

func (o *runOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.SetInterspersed(false)
	f.StringVar(&o.out, "out", "", "folder of the results; they replace the results of an earlier run there (default: a new folder in "+runsFolder+")")
	f.IntVar(&o.hz, "hz", defaultHz, fmt.Sprintf("samples per second of task CPU, %d to %d; above 1183 samples hold less of the stack", minHz, maxHz))
	f.BoolVar(&o.records, "records", false, "name the records at which tasks stand still")
	o.tiers.flags(f)
	f.StringVar(&o.mode, "mode", "auto", "who opens the perf events: auto, privileged (this process) or self (the JVM)")
	rarely(cmd, rareRunFlags...)
}

func (o *runOptions) validate() (sampler.Policy, error) {
	if o.hz < minHz || o.hz > maxHz {
		return 0, fmt.Errorf("--hz %d is not in %d to %d", o.hz, minHz, maxHz)
	}
	if err := o.tiers.settle(o.hz); err != nil {
		return 0, err
	}
	if err := o.show.validate(); o.table && err != nil {
		return 0, err
	}
	policy, err := sampler.ParsePolicy(o.mode)
	if err != nil {
		return 0, fmt.Errorf("--mode: %w", err)
	}
	return policy, nil
}

// run runs a job under the profiler. Its error carries the job's exit code.
//
// SIGPIPE does not end this process if no one reads stderr, as after Ctrl-C ended a tee. It
// is caught, since the job would inherit that it is ignored.
func run(ctx context.Context, o runOptions, command []string) error {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	policy, err := o.validate()
	if err != nil {
		return err
	}
	if o.server, err = serverOf(); err != nil {
		return err
	}
	ctx = orBackground(ctx)
	out, err := newFolder(o.out, time.Now())
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "planflame-run-")
	if err != nil {
		out.discard()
		return fmt.Errorf("make folder of generated configuration: %w", err)
	}
	keep := false
	defer func() {
		if !keep {
			_ = os.RemoveAll(dir)
		}
	}()
	launch, profiled := prepareLaunch(ctx, o, command, dir)
	var s *session
	if profiled {
		if s, err = startSession(out, o, policy, command); err != nil {
			say("%v: the job runs without being profiled", err)
		}
	}
	if s == nil && o.hunt != nil {
		out.discard()
		return errors.New("debug: the job did not run, since it would show nothing")
	}
	result, err := child.Run(ctx, child.Job{Command: launch.Command, Env: launch.Env}, func(int) {})
	if err != nil {
		say("%v", err)
	}
	if s == nil {
		out.discard()
	} else {
		s.finish(o, launch.Command, result)
		if keep = s.left > 0; keep { // it loads classes from there
			say("%d JVMs of the job still run and are sampled no more; remove %s when they have ended. Run a server in the foreground: SPARK_NO_DAEMONIZE=1", s.left, dir)
		}
	}
	if result.Code != 0 {
		return exitError{result.Code}
	}
	return nil
}

// prepareLaunch merges the configuration. Where that cannot be done the job runs as the user wrote
// it.
func prepareLaunch(ctx context.Context, o runOptions, command []string, dir string) (sparkconf.Launch, bool) {
	plain := sparkconf.Launch{Command: command, Env: os.Environ()}
	jar, err := pluginJar(dir)
	if err != nil {
		say("%v: the job runs without being profiled", err)
		return plain, false
	}
	additions := sparkconf.Additions{Plugin: pluginClass, Jar: jar, DriverOptions: o.driverOptions(), JarKey: "spark.planflame.jar", Properties: o.properties}
	launch, err := additions.Launch(ctx, command, os.Environ(), dir)
	if err != nil {
		say("%v: the job runs without being profiled", err)
		return plain, false
	}
	return launch, true
}

// pluginClass is the Spark plugin in the jar.
const pluginClass = "io.planflame.spark.PlanflamePlugin"

// driverOptions are what the driver's JVM needs in local mode, where it is the executor; elsewhere
// they do no harm. The first unlocks the second, which keeps debug information between safepoints.
var driverOptions = []string{"-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints"}

// recordsOption sets a Spark property: SparkConf takes Java's system properties whose names begin
// with spark, and executors have the driver's.
const recordsOption = "-Dspark.planflame.records=true"

// pythonBufferOption makes a Python worker of Spark 4 hand rows back sooner than each 64 KiB: what
// it keeps cannot be told apart. The user's own setting is before it.
const pythonBufferOption = "-Dspark.sql.execution.python.udf.buffer.size=1024"

func (o *runOptions) driverOptions() []string {
	if o.records {
		return append(slices.Clone(driverOptions), recordsOption, pythonBufferOption)
	}
	return driverOptions
}

// say tells the user one line.
func say(format string, args ...any) { fmt.Fprintf(os.Stderr, "planflame: "+format+"\n", args...) }

// print prints a summary if the options want it.
func (o *runOptions) print(a *analysis) error {
	switch {
	case o.hunt != nil:
		return o.hunt.print(a)
	case o.show.json:
		return asJSON(os.Stdout, a.summary, "")
	case o.table:
		fmt.Fprintln(os.Stderr) // Spark's progress bar leaves its line open
		return o.show.table(os.Stderr, a.summary)
	}
	return nil
}

// orBackground is ctx, or where a command was executed without one (nil) a context that never ends.
func orBackground(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}
