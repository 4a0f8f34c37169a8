package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/cmd/planflame/internal/outcome"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/recording"
	"github.com/planflame/planflame/tasksample"
)

// withJar gives the command a plugin jar, which no JVM of these tests loads.
func withJar(t *testing.T) {
	home := t.TempDir()
	var jar bytes.Buffer
	require.NoError(t, zip.NewWriter(&jar).Close())
	require.NoError(t, os.WriteFile(filepath.Join(home, jarName), jar.Bytes(), 0o644))
	t.Setenv("PLANFLAME_HOME", home)
}

// captured runs f and returns what it wrote to standard output and error.
func captured(t *testing.T, f func()) (stdout, stderr string) {
	t.Helper()
	files := [2]*os.File{}
	for i := range files {
		file, err := os.CreateTemp(t.TempDir(), "")
		require.NoError(t, err)
		files[i] = file
	}
	oldOut, oldErr := os.Stdout, os.Stderr
	os.Stdout, os.Stderr = files[0], files[1]
	defer func() { os.Stdout, os.Stderr = oldOut, oldErr }()
	f()
	text := [2]string{}
	for i, file := range files {
		_, err := file.Seek(0, io.SeekStart)
		require.NoError(t, err)
		b, err := io.ReadAll(file)
		require.NoError(t, err)
		text[i] = string(b)
		require.NoError(t, file.Close())
	}
	return text[0], text[1]
}

func execute(args ...string) error {
	root := newRoot()
	root.SetArgs(args)
	return root.Execute()
}

func TestRunKeepsTheJobsExitCodeAndOutput(t *testing.T) {
	withJar(t)
	t.Chdir(t.TempDir())
	var err error
	stdout, stderr := captured(t, func() {
		err = execute("run", "--", "sh", "-c", "echo result; echo complaint >&2; ls planflame-out; exit 7")
	})
	require.Equal(t, exitError{7}, err)
	require.Regexp(t, `^result\n\d{8}-\d{6}-unfinished\n$`, stdout, "stdout is the job's")
	require.Contains(t, stderr, "complaint\n")
	require.Contains(t, stderr, "planflame: no JVM with the planflame agent appeared below the job")
	require.Empty(t, names(t, "."), "nothing is left")
}

func TestRunGivesTheJobItsConfiguration(t *testing.T) {
	withJar(t)
	t.Setenv("SPARK_CONF_DIR", "")
	t.Setenv("SPARK_HOME", t.TempDir())
	var err error
	stdout, _ := captured(t, func() {
		err = execute("run", "--out", t.TempDir(), "--", "sh", "-c", `cat "$SPARK_CONF_DIR/spark-defaults.conf"; echo "$SPARK_CONF_DIR"`)
	})
	require.NoError(t, err)
	require.Contains(t, stdout, "spark.plugins.defaultList=io.planflame.spark.PlanflamePlugin\n")
	require.Regexp(t, `(?m)^spark.jars=/.*/`+jarName+"$", stdout)
	require.Contains(t, stdout, "spark.driver.defaultJavaOptions=-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints\n")
	require.Regexp(t, `(?m)^spark.planflame.jar=/.*/`+jarName+"$", stdout)
	require.NotContains(t, stdout, "FramePointer", "dear, and not needed")
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	require.NoDirExists(t, lines[len(lines)-1], "what was generated is gone after the job")
}

func TestRunWithoutTheJarRunsTheJob(t *testing.T) {
	if strings.HasPrefix(jarOrigin(), "inside the binary") {
		t.Skip("requires a build without -tags embed")
	}
	t.Setenv("PLANFLAME_HOME", "/no/such/folder")
	conf := os.Getenv("SPARK_CONF_DIR")
	var err error
	stdout, stderr := captured(t, func() { err = execute("run", "--out", t.TempDir(), "--", "sh", "-c", `echo "conf=$SPARK_CONF_DIR"`) })
	require.NoError(t, err)
	require.Equal(t, "conf="+conf+"\n", stdout, "the environment is as it was")
	require.Equal(t, "planflame: planflame-spark.jar is neither in PLANFLAME_HOME (/no/such/folder) nor beside this binary nor in build/plugin above it: "+
		"the job runs without being profiled\n", stderr)
}

// A Spark whose home is known only when it starts has its own configuration, merged, or alone if it
// submits to a cluster.
func TestRunMergesTheConfigurationOfTheSparkThatStarts(t *testing.T) {
	withJar(t)
	t.Setenv(envAsPlanflame, "1")
	t.Setenv("SPARK_CONF_DIR", "")
	t.Setenv("SPARK_HOME", "")
	home := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(home, "conf"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(home, "conf", "spark-defaults.conf"), []byte("spark.master yarn\n"), 0o644))
	started := func(args ...string) (stdout, stderr string) {
		return captured(t, func() {
			script := "SPARK_HOME=" + home + `; . "$SPARK_CONF_DIR/spark-env.sh"; cat "$SPARK_CONF_DIR/spark-defaults.conf"`
			require.NoError(t, execute(append([]string{"run", "--out", t.TempDir(), "--", "bash", "-c", script, "spark-class"}, args...)...))
		})
	}
	stdout, _ := started("org.apache.spark.deploy.SparkSubmit", "--help")
	require.Contains(t, stdout, "spark.master yarn\n")
	require.Contains(t, stdout, "spark.plugins.defaultList=io.planflame.spark.PlanflamePlugin\n")
	stdout, stderr := started("org.apache.spark.deploy.SparkSubmit", "--deploy-mode", "cluster", "job.py")
	require.Equal(t, "spark.master yarn\n", stdout)
	require.Contains(t, stderr, "planflame: --deploy-mode cluster: Spark runs in the cluster, where a Collector can profile it (docs/use/fleet.md): this Spark runs without being profiled\n")
}

func TestRunInAClusterRunsTheJob(t *testing.T) {
	withJar(t)
	submit := filepath.Join(t.TempDir(), "spark-submit")
	require.NoError(t, os.WriteFile(submit, []byte("#!/bin/sh\necho \"conf=$SPARK_CONF_DIR $*\"\n"), 0o755))
	t.Setenv("SPARK_CONF_DIR", "/my/conf")
	stdout, stderr := captured(t, func() {
		require.NoError(t, execute("run", "--out", t.TempDir(), "--", submit, "--deploy-mode", "cluster", "job.py"))
	})
	require.Equal(t, "conf=/my/conf --deploy-mode cluster job.py\n", stdout, "as the user wrote it")
	require.Equal(t, "planflame: --deploy-mode cluster: Spark runs in the cluster, where a Collector can profile it (docs/use/fleet.md): the job runs without being profiled\n", stderr)
}

// Ctrl-C ends the tee that reads stderr before the job ends.
func TestRunOutlivesTheReaderOfStderr(t *testing.T) {
	withJar(t)
	for script, want := range map[string]string{
		"exit 7":        "exit status 7",
		"kill -PIPE $$": "exit status 141", // the job does not ignore the signal
	} {
		dir := t.TempDir()
		cmd := command(t, "run", "--out", t.TempDir(), "--", "sh", "-c", script)
		cmd.Env = append(cmd.Env, "TMPDIR="+dir)
		reader, writer, err := os.Pipe()
		require.NoError(t, err)
		require.NoError(t, reader.Close())
		cmd.Stderr = writer
		require.EqualError(t, cmd.Run(), want, script)
		require.NoError(t, writer.Close())
		require.Empty(t, names(t, dir))
	}
}

func TestRunOfAMissingProgram(t *testing.T) {
	withJar(t)
	var err error
	_, stderr := captured(t, func() { err = execute("run", "--out", t.TempDir(), "--", "/no/such/program") })
	require.Equal(t, exitError{127}, err)
	require.Contains(t, stderr, "planflame: start /no/such/program")
}

func TestRunWithoutSparkLeavesAnEarlierRunsResults(t *testing.T) {
	withJar(t)
	out := results(t.TempDir())
	for _, path := range []string{out.recording(), out.profile(), out.summary(), out.page()} {
		require.NoError(t, os.WriteFile(path, []byte("of yesterday"), 0o644))
	}
	captured(t, func() { require.NoError(t, execute("record", "--out", string(out), "--", "true")) })
	require.Equal(t, []string{"profile.pb.gz", "recording", "report.html", "summary.json"}, names(t, string(out)))
	got, err := os.ReadFile(out.recording())
	require.NoError(t, err)
	require.Equal(t, "of yesterday", string(got))
}

// names are the entries of a folder.
func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestUsage(t *testing.T) {
	withJar(t)
	t.Chdir(t.TempDir())
	ran := filepath.Join(t.TempDir(), "ran")
	tests := []struct {
		args []string
		want string
	}{
		{[]string{"run", "--hz", "0", "--", "touch", ran}, "--hz 0 is not in 1 to 5000"},
		{[]string{"run", "--hz", "5001", "--", "touch", ran}, "--hz 5001 is not in 1 to 5000"},
		{[]string{"run", "--base-hz", "5001", "--", "touch", ran}, "--base-hz 5001 is not in 0 to 5000"},
		{[]string{"run", "--base-hz", "0", "--", "touch", ran}, "--base-hz 0 samples selected tasks only, and --task-fraction is 0"},
		{[]string{"run", "--task-fraction", "1.5", "--", "touch", ran}, "--task-fraction 1.5 is not in 0 to 1"},
		{[]string{"run", "--detail-hz", "0", "--task-fraction", "0.1", "--", "touch", ran}, "--detail-hz 0 is not in 1 to 5000"},
		{[]string{"run", "--tail", "0.5", "--", "touch", ran}, "--tail 0.5 is not 0, or 1 or more"},
		{[]string{"run", "--mode", "magic", "--", "touch", ran}, `--mode: mode "magic" is not auto, privileged or self`},
		{[]string{"run"}, "run: no command to run: planflame run [--out DIR] [flags] -- COMMAND [ARGUMENT...]"},
		{[]string{"record", "--hz", "7"}, "record: no command to run: planflame record [--out DIR]"},
		{[]string{"run", "--out", ran + "/under/a/file", "--frequency", "1", "--", "true"}, "unknown flag: --frequency: see planflame run --help"},
		{[]string{"report", "--json", "--counts", "/no/such/folder"}, "none of the others can be"},
		{[]string{"report"}, "report: no DIR was given, and there is no last run in planflame-out here: stat planflame-out/latest: no such file or directory"},
		{[]string{"report", "--sort", "name", "/no/such/folder"}, `--sort "name": not plan or cpu`},
		{[]string{"view"}, "view: no DIR was given"},
		{[]string{"sh", "my job", "--frequency"}, "sh is no command: did you mean `planflame run -- sh 'my job' --frequency`?"},
		{[]string{"--", "sh"}, "sh is no command: did you mean `planflame run -- sh`?"},
		{[]string{"reprot"}, "reprot is no command: did you mean `planflame report`?"},
		{[]string{"no-such-program"}, "no-such-program is no command: see planflame --help"},
		{[]string{"report", "/no/such/folder"}, "open recording: open /no/such/folder/recording: no such file or directory"},
		{[]string{"view", "/no/such/folder"}, "view: folder of results: stat /no/such/folder: no such file or directory"},
	}
	for _, test := range tests {
		require.ErrorContains(t, execute(test.args...), test.want, "%v", test.args)
	}
	require.NoFileExists(t, ran, "no job ran with wrong flags")
	require.Empty(t, names(t, "."), "nothing is left")
}

func foundJVM() sampler.JVM {
	header := jvmlog.Header{
		Major: 1, JDKVersion: "21.0.1", State: jvmlog.StateLive, Flags: jvmlog.FlagPreserveFramePointer, TotalBytes: 1 << 20, ThreadsOffset: 4096,
		ThreadSlots: 8, EventsOffset: 8192, EventSlots: 16, RecordsOffset: 16384, RecordsBytes: 1<<20 - 16384,
	}
	return sampler.JVM{ID: 1, Mode: sampler.ModeSelfOpened, Header: header, FoundAt: 1e9}
}

// recordRun writes a recording of one JVM whose only task read a table for 80 ms; whole says
// whether with its end.
func recordRun(t *testing.T, w io.Writer, whole bool) {
	rec, err := recording.NewWriter(w, recording.Meta{Version: "test", Hz: 100, Started: time.Unix(1_700_000_000, 0), ClockOffset: 1_700_000_000e9 - 1e9})
	require.NoError(t, err)
	rec.JVMFound(foundJVM())
	rec.Record(1, 1e9, &jvmlog.Application{JSON: []byte(`{"application_name": "nightly", "spark_version": "4.3.0"}`)})
	rec.Record(1, 1e9, &jvmlog.Dictionary{Execution: 5, JSON: []byte(`{"version": 1, "execution_id": 5, "update": 0, "query": "q1-77", "query_name": "read all", "plan": "p1-78", "nodes": [
		{"parent": -1, "class": "org.apache.spark.sql.execution.FileSourceScanExec", "name": "Scan parquet", "text": "FileScan", "operator": "scan@1",
		 "operator_name": "Scan t", "role": "scan", "codegen": -1, "stage": "result", "metrics": [{"id": 9, "name": "number of output rows", "type": "sum"}]}]}`)})
	rec.Record(1, 1e9, &jvmlog.Stage{Stage: 2, Execution: 5, Accumulators: []tasksample.AccumulatorID{9}})
	rec.Record(1, 1e9, &jvmlog.Method{ID: 1, Class: "org.apache.spark.sql.execution.datasources.FileScanRDD$$anon$1", Name: "hasNext"})
	rec.Record(1, 1e9, &jvmlog.CodeLoad{Address: 0x1000, Size: 0x100, Level: 4, Method: 1})
	event := jvmlog.TaskEvent{Index: 0, Time: 2e9, Kind: jvmlog.TaskStart, TID: 41, Task: 3, Stage: 2, Execution: 5, InclusionProbability: 1}
	rec.TaskEvent(1, event)
	rec.Symbol(1, codemap.Frame{Addr: 0x7f0000000010, Kind: codemap.Native, Method: "inflate", File: "libz.so.1"})
	for i := range 6 {
		rec.Sample(1, sampler.Sample{Time: 2e9 + jvmlog.MonoTime(i)*1e7, TID: 41, Period: 10 * time.Millisecond, Addrs: []uint64{0x7f0000000010, 0x1009}})
	}
	event.Index, event.Kind, event.Time, event.ThreadCPUNanos, event.SystemNanos = 1, jvmlog.TaskEnd, 3e9, 80e6, 5e6
	rec.TaskEvent(1, event)
	rec.Stats(1, sampler.Stats{Samples: 6, Lost: 1, Overrun: 1, AgentDroppedRecords: 3, AgentDroppedBytes: 5 << 10, AgentDroppedSources: 7, AgentDroppedThreads: 11, AgentCPUNanos: 13e6})
	account, err := pipeline.Account{Process: 150e6, Threads: map[string]time.Duration{"Executor task l": 80e6, "GC Thread": 70e6}}.Record()
	require.NoError(t, err)
	rec.Record(1, 3_500_000_000, account)
	rec.Watermark(1, 4e9)
	if !whole {
		require.NoError(t, rec.Flush())
		return
	}
	rec.JVMGone(1)
	require.NoError(t, rec.Close())
}

func TestReport(t *testing.T) {
	out := results(t.TempDir())
	var file bytes.Buffer
	recordRun(t, &file, true)
	require.NoError(t, os.WriteFile(out.recording(), file.Bytes(), 0o644))
	var err error
	stdout, _ := captured(t, func() { err = execute("report", "--json", "--write", string(out)) })
	require.NoError(t, err)
	// All six samples are the scan's, so what is not it has at most 1 - 0.05^(1/6) of the task: the
	// interval reaches down to 0.607 of 75 ms.
	require.JSONEq(t, `{"spark_version": "4.3.0", "jdk_version": "21.0.1", "mode": "self-opened", "hz": 100, "samples": 6, "lost_samples": 2,
		"truncated_stacks": 0, "raw_task_cpu_seconds": 0.06, "cpu_seconds": 0.08, "task_cpu_seconds": 0.08, "kernel_unsampled_seconds": 0.005, "attributed_share": 0.9375,
		"disputed_share": 0, "unknown_share": 0, "applications": [{"id": "", "name": "nightly", "task_cpu_seconds": 0.08, "tasks": 1}],
		"queries": [{"query": "q1-77", "query_name": "read all", "plan": "p1-78", "applications": [""], "sql_execution_ids": [5],
		"cpu_seconds": 0.075, "jvm_cpu_seconds": 0.075, "python_cpu_seconds": 0, "operators": [{"stage": "result", "operator": "scan@1", "name": "Scan t", "order": 0, "depth": 0, "subplan": "d2ab40421d12778e", "spark_stages": [2], "tasks": 1,
		"cpu_seconds": 0.075, "jvm_cpu_seconds": 0.075, "python_cpu_seconds": 0, "share": 1, "samples": 6,
		"weak_share": 0, "cpu_seconds_se": 0.007885501, "ci95": [0.045522167, 0.075], "valid": true}], "buckets": [{"name": "kernel (not sampled)", "cpu_seconds": 0.005}]}],
		"buckets": [{"name": "kernel (not sampled)", "cpu_seconds": 0.005}],
		"process_cpu_seconds": 0.15, "task_thread_seconds": 0.08, "outside": [{"name": "gc", "cpu_seconds": 0.07}],
		"python": {"worker_cpu_seconds": 0, "unplaced_seconds": 0, "feed_cpu_seconds": 0, "outside_queries_seconds": 0, "daemon_cpu_seconds": 0, "other_cpu_seconds": 0}}`, stdout)
	written, err := os.ReadFile(out.summary())
	require.NoError(t, err)
	require.JSONEq(t, stdout, string(written))
	f, err := os.Open(out.profile())
	require.NoError(t, err)
	defer f.Close()
	p, err := profile.Parse(f)
	require.NoError(t, err)
	require.EqualValues(t, 3*time.Second, p.DurationNanos)
	require.EqualValues(t, 10*time.Millisecond, p.Period)
	names := []string{}
	for _, l := range p.Sample[2].Location { // after the driver's and the kernel's
		names = append(names, l.Line[0].Function.Name)
	}
	require.Equal(t, []string{"inflate", "org.apache.spark.sql.execution.datasources.FileScanRDD$$anon$1.hasNext", "Scan t"}, names, "native code was named by the recording")

	table, _ := captured(t, func() { err = execute("report", string(out)) })
	require.NoError(t, err)
	require.Contains(t, table, "    0.07    0.03 100.0 % ████     2  Scan t\n")
	counts, _ := captured(t, func() { err = execute("report", "--counts", string(out)) })
	require.NoError(t, err)
	require.Contains(t, counts, "ByRule:map[scan:6]")
	require.Contains(t, counts, " AgentDroppedRecords:3 AgentDroppedBytes:5120 AgentDroppedThreads:11 AgentDroppedSources:7 ")
	require.Contains(t, counts, " AgentCPUNanos:13000000 ")

	// As if its run had not been drawn: no sample, and its CPU is known.
	table, _ = captured(t, func() { err = execute("report", "--run-fraction", "1e-9", "--seed", "5", string(out)) })
	require.NoError(t, err)
	require.Contains(t, table, " 0 of its 1 runs were drawn, 0.00 s of 0.07 s")
	require.Contains(t, table, "run not sampled")
	require.Contains(t, table, " · 0 samples at ")
	require.ErrorContains(t, execute("report", "--run-fraction", "1.5", string(out)), "--run-fraction 1.5")
	require.ErrorContains(t, execute("report", "--run-fraction", "0.5", "--write", string(out)), "run-fraction")
}

func TestAdviceNamesWhatMends(t *testing.T) {
	path := filepath.Join(t.TempDir(), "recording")
	var file bytes.Buffer
	recordRun(t, &file, true)
	require.NoError(t, os.WriteFile(path, file.Bytes(), 0o644))
	a, err := analyze(path, pipeline.Without{}, drawing{})
	require.NoError(t, err)
	_, said := captured(t, a.advise)
	require.Equal(t, `planflame: 2 of 6 samples were lost, because a ring was full or too many waited: lower --hz, or raise ulimit -l
planflame: 3 records of code and plans (5 KiB) found no room in the JVM's memory, so their frames have no names: raise spark.planflame.log.mib
planflame: the source of 7 generated classes was gone before it was read, so their operators are not known: raise spark.sql.codegen.cache.maxEntries
planflame: 11 threads found no slot in the JVM's memory and were not sampled
planflame: a JVM ran without -XX:+DebugNonSafepoints, so lines are coarse: its own options switch that off
`, said)
}

func TestReportOfARecordingThatIsCutOff(t *testing.T) {
	out := results(t.TempDir())
	var file bytes.Buffer
	recordRun(t, &file, false)
	require.NoError(t, os.WriteFile(out.recording(), file.Bytes(), 0o644))
	var err error
	stdout, _ := captured(t, func() { err = execute("report", "--json", string(out)) })
	require.ErrorIs(t, err, recording.ErrTruncated)
	require.ErrorContains(t, err, out.recording())
	s := outcome.Summary{}
	require.NoError(t, json.Unmarshal([]byte(stdout), &s))
	require.EqualValues(t, 6, s.Samples, "what is there is shown")
	require.NoError(t, os.WriteFile(out.recording(), []byte("PLFLM"), 0o644))
	require.ErrorIs(t, execute("report", string(out)), recording.ErrTruncated)
}

// symbolNames is a symbolizer that counts how often it is asked.
type symbolNames struct{ asked map[uint64]int }

func (s symbolNames) Symbol(addr uint64) (codemap.Frame, bool) {
	s.asked[addr]++
	return codemap.Frame{Kind: codemap.Native, Method: "f"}, addr >= 0x7f0000000000
}

func TestRecorderNamesEachAddressOnceAheadOfItsSample(t *testing.T) {
	var file bytes.Buffer
	w, err := recording.NewWriter(&file, recording.Meta{})
	require.NoError(t, err)
	names := symbolNames{map[uint64]int{}}
	rec := newRecorder(w, func(sampler.JVM) symbolizer { return names })
	header := jvmlog.Header{Major: 1, TotalBytes: 1 << 20, ThreadsOffset: 4096, ThreadSlots: 8, EventsOffset: 8192, EventSlots: 16, RecordsOffset: 16384, RecordsBytes: 1<<20 - 16384}
	rec.JVMFound(sampler.JVM{ID: 1, Header: header})
	for range 3 {
		rec.Sample(1, sampler.Sample{Addrs: []uint64{0x7f0000000010, 0x1000}})
	}
	require.Zero(t, rec.unnamed)
	rec.limit = 2
	rec.Sample(1, sampler.Sample{Addrs: []uint64{0x7f0000000020, 0x1000, 0x7f0000000030}})
	require.EqualValues(t, 2, rec.unnamed, "beyond the limit no one is asked")
	rec.JVMGone(1)
	require.NoError(t, rec.Close())
	require.Equal(t, map[uint64]int{0x7f0000000010: 1, 0x1000: 1}, names.asked)
	r, err := recording.NewReader(&file)
	require.NoError(t, err)
	defer r.Close()
	order := &orderOf{}
	require.NoError(t, r.Replay(order))
	require.Equal(t, []string{"symbol", "sample", "sample", "sample", "sample"}, order.calls)
}

// orderOf notes samples and symbols.
type orderOf struct {
	replayNothing
	calls []string
}

func (o *orderOf) Sample(sampler.JVMID, sampler.Sample) { o.calls = append(o.calls, "sample") }
func (o *orderOf) Symbol(sampler.JVMID, codemap.Frame)  { o.calls = append(o.calls, "symbol") }

// replayNothing is a Sink that ignores everything.
type replayNothing struct{}

func (replayNothing) JVMFound(sampler.JVM)                                 {}
func (replayNothing) Thread(sampler.JVMID, jvmlog.Thread)                  {}
func (replayNothing) Record(sampler.JVMID, jvmlog.MonoTime, jvmlog.Record) {}
func (replayNothing) TaskEvent(sampler.JVMID, jvmlog.TaskEvent)            {}
func (replayNothing) Stats(sampler.JVMID, sampler.Stats)                   {}
func (replayNothing) Watermark(sampler.JVMID, jvmlog.MonoTime)             {}
func (replayNothing) JVMGone(sampler.JVMID)                                {}
