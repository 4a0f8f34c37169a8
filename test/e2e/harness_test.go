//go:build e2e

package e2e

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/loopback"
)

// Tests that call t.Parallel run when all others have ended, two at a time. They start no
// Collector, which would take the JVMs of the other test. No figure of theirs needs a quiet
// machine or all of a user's locked memory.

// runLabel is a label of every Spark application that these tests start, and runID its value, which
// no other process of tests has. Collectors of the tests take these alone, whatever else runs on
// the machine.
const runLabel = "e2e_run"

var runID = fmt.Sprintf("%d-%x", os.Getpid(), time.Now().UnixNano())

// ordinaryUID is the user that the unprivileged halves run as when the tests themselves run as
// root.
const ordinaryUID = 65534

// user is who a scenario runs as.
type user struct {
	name string
	uid  int // -1: the user who runs the tests
	// become is the command line by which root becomes the user; nil: it only changes ids.
	become []string
}

// The two halves of what depends on who runs it.
var (
	rootUser     = user{name: "root", uid: 0}
	ordinaryUser = user{name: "ordinary", uid: ordinaryUID}
	users        = []user{rootUser, ordinaryUser}
)

// asUsers runs a scenario once as root and once as an ordinary user.
func asUsers(t *testing.T, scenario func(t *testing.T, u user)) {
	t.Helper()
	for _, u := range users {
		asUser(t, u.name, u, scenario)
	}
}

// asUser runs a scenario as one of the users.
func asUser(t *testing.T, name string, u user, scenario func(t *testing.T, u user)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		switch {
		case os.Geteuid() == 0:
			scenario(t, u)
		case u.uid == 0:
			lacks(t, "root: the privileged half needs CAP_PERFMON and CAP_SYS_PTRACE")
		default:
			scenario(t, user{name: u.name, uid: -1})
		}
	})
}

// onBothSparks runs a scenario on both lines of Spark, each as one of the users: all four pairs
// would say little more than two do, and take twice as long.
func onBothSparks(t *testing.T, old, newest user, scenario func(t *testing.T, s spark, u user)) {
	t.Helper()
	for _, pair := range []struct {
		s spark
		u user
	}{{sparkOld(t), old}, {sparkNewest(t), newest}} {
		asUser(t, "spark-"+pair.s.version+" "+pair.u.name, pair.u, func(t *testing.T, u user) { scenario(t, pair.s, u) })
	}
}

// lacks skips a test that this machine cannot run and says why; in CI that is a failure.
func lacks(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf("this machine lacks %s", what)
	}
	t.Skipf("this machine lacks %s", what)
}

// root is the top of the source tree.
func root(t *testing.T) string {
	t.Helper()
	wd, err := os.Getwd()
	require.NoError(t, err)
	return filepath.Dir(filepath.Dir(wd))
}

// built is the path of something that make has built, relative to build/.
func built(t *testing.T, parts ...string) string {
	t.Helper()
	p := filepath.Join(append([]string{root(t), "build"}, parts...)...)
	if _, err := os.Stat(p); err != nil {
		t.Fatalf("%s is missing: run this through make test-e2e", p)
	}
	return p
}

// tempDir is a folder that the scenario's user may write to.
func (u user) tempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "planflame-e2e-")
	require.NoError(t, err)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("kept for a look: %s", dir)
			return
		}
		_ = os.RemoveAll(dir)
	})
	require.NoError(t, os.Chmod(dir, 0o755))
	u.own(t, dir)
	return dir
}

// own hands a path to the scenario's user.
func (u user) own(t *testing.T, path string) {
	t.Helper()
	if u.uid > 0 {
		require.NoError(t, os.Chown(path, u.uid, u.uid))
	}
}

// command prepares a process of the scenario's user in a process group of its own, which ends with
// the test.
func (u user) command(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	if len(u.become) > 0 {
		name, args = u.become[0], append(append(slices.Clone(u.become[1:]), name), args...)
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if u.uid > 0 && len(u.become) == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(u.uid), Gid: uint32(u.uid)}
	}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 10 * time.Second
	cmd.Env = append(os.Environ(), "HOME="+dir, "TMPDIR="+dir)
	return cmd
}

// spark is one Spark installation.
type spark struct {
	version string
	venv    string
}

func sparkNewest(t *testing.T) spark {
	return spark{"4.3.0", built(t, "spark", "4.3.0")}
}

func sparkOld(t *testing.T) spark {
	return spark{"3.5.7", built(t, "spark", "3.5.7")}
}

// home is SPARK_HOME.
func (s spark) home(t *testing.T) string {
	t.Helper()
	hits, err := filepath.Glob(filepath.Join(s.venv, "lib", "python3*", "site-packages", "pyspark"))
	require.NoError(t, err)
	require.Len(t, hits, 1, "pyspark in %s", s.venv)
	return hits[0]
}

// writableHome is a SPARK_HOME of links, for local-cluster writes its work folder there.
func (s spark) writableHome(t *testing.T, u user) string {
	t.Helper()
	dir := filepath.Join(u.tempDir(t), "spark")
	require.NoError(t, os.Mkdir(dir, 0o755))
	entries, err := os.ReadDir(s.home(t))
	require.NoError(t, err)
	for _, e := range entries {
		if e.Name() == "work" {
			continue
		}
		require.NoError(t, os.Symlink(filepath.Join(s.home(t), e.Name()), filepath.Join(dir, e.Name())))
	}
	u.own(t, dir)
	return dir
}

// env is the environment in which a user runs this Spark, with a Python that the user may execute.
// A virtual environment links to the Python that made it, which can lie in a home that others must
// not enter.
func (s spark) env(t *testing.T, u user, home string) []string {
	t.Helper()
	packages := filepath.Dir(s.home(t))
	for _, python := range []string{filepath.Join(s.venv, "bin", "python"), "/usr/bin/python3", "/usr/local/bin/python3"} {
		cmd := u.command(t.Context(), "/", python, "-c", "import pyspark")
		cmd.Env = append(cmd.Env, "PYTHONPATH="+packages)
		if cmd.Run() != nil {
			continue
		}
		return []string{
			"SPARK_HOME=" + home,
			"SPARK_CONF_DIR=" + labelled(t, u),
			"PYSPARK_PYTHON=" + python,
			"PYTHONPATH=" + packages,
			"SPARK_LOCAL_IP=127.0.0.1",
		}
	}
	t.Fatalf("uid %d finds no Python that it may run with %s", u.uid, packages)
	return nil
}

// labelled is a folder with a spark-defaults.conf that labels applications as this run's.
func labelled(t *testing.T, u user) string {
	t.Helper()
	dir := u.tempDir(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "spark-defaults.conf"), []byte(labelLine), 0o644))
	return dir
}

// labelLine is the line of a Spark configuration that labels applications as this run's.
var labelLine = "spark.planflame.label." + runLabel + " " + runID + "\n"

func freePort(t *testing.T) int {
	t.Helper()
	ports, err := loopback.Ports(1)
	require.NoError(t, err)
	return ports[0]
}

// summary is DIR/summary.json, as documented in the README.
type summary struct {
	SparkVersion           string         `json:"spark_version"`
	JDKVersion             string         `json:"jdk_version"`
	Mode                   string         `json:"mode"`
	Hz                     float64        `json:"hz"`
	Samples                int64          `json:"samples"`
	LostSamples            int64          `json:"lost_samples"`
	TruncatedStacks        int64          `json:"truncated_stacks"`
	RawTaskCPUSeconds      float64        `json:"raw_task_cpu_seconds"`
	TaskCPUSeconds         float64        `json:"task_cpu_seconds"`
	KernelUnsampledSeconds float64        `json:"kernel_unsampled_seconds"`
	AttributedShare        float64        `json:"attributed_share"`
	DisputedShare          float64        `json:"disputed_share"`
	UnknownShare           float64        `json:"unknown_share"`
	Queries                []summaryQuery `json:"queries"`
	Applications           []struct {
		ID             string  `json:"id"`
		Name           string  `json:"name"`
		Tasks          int     `json:"tasks"`
		TaskCPUSeconds float64 `json:"task_cpu_seconds"`
	} `json:"applications"`
	Buckets []struct {
		Name       string  `json:"name"`
		CPUSeconds float64 `json:"cpu_seconds"`
	} `json:"buckets"`
}

type summaryQuery struct {
	Query           string            `json:"query"`
	QueryName       string            `json:"query_name"`
	Plan            string            `json:"plan"`
	Applications    []string          `json:"applications"`
	SQLExecutionIDs []int64           `json:"sql_execution_ids"`
	CPUSeconds      float64           `json:"cpu_seconds"`
	Operators       []summaryOperator `json:"operators"`
	Runs            *summaryRuns      `json:"runs"`
}

type summaryRuns struct {
	All               uint64  `json:"all"`
	Sampled           uint64  `json:"sampled"`
	CPUSeconds        float64 `json:"cpu_seconds"`
	SampledCPUSeconds float64 `json:"sampled_cpu_seconds"`
	Operators         []struct {
		Stage      string     `json:"stage"`
		Operator   string     `json:"operator"`
		Name       string     `json:"name"`
		CPUSeconds float64    `json:"cpu_seconds"`
		CI95       [2]float64 `json:"ci95"`
		Valid      bool       `json:"valid"`
		Why        string     `json:"why"`
	} `json:"operators"`
}

type summaryOperator struct {
	Stage      string  `json:"stage"`
	Operator   string  `json:"operator"`
	Name       string  `json:"name"`
	CPUSeconds float64 `json:"cpu_seconds"`
	Share      float64 `json:"share"`
	Samples    int64   `json:"samples"`
	WeakShare  float64 `json:"weak_share"`
}

// bucket is the CPU seconds of a named bucket, 0 if there is none.
func (s summary) bucket(name string) float64 {
	for _, b := range s.Buckets {
		if b.Name == name {
			return b.CPUSeconds
		}
	}
	return 0
}

// placedShare is the share with a plan node in the task CPU that could have one. It leaves out what
// a JVM does once, however long the job runs: compiling generated code, loading classes. That would
// be a tenth of a short run. It also leaves out kernel time that has no samples, and the buckets
// named.
func (s summary) placedShare(without ...string) float64 {
	none := 0.0
	for _, name := range append(without, "codegen", "class loading", "jit", "kernel (not sampled)") {
		none += s.bucket(name)
	}
	return s.AttributedShare / (1 - none/s.TaskCPUSeconds)
}

// query is the query with the most CPU among the queries whose name has the part. Several plans may
// share a name.
func (s summary) query(t *testing.T, part string) summaryQuery {
	t.Helper()
	var names []string
	var named []summaryQuery
	for _, q := range s.Queries {
		if strings.Contains(q.QueryName, part) {
			named = append(named, q)
		}
		names = append(names, q.QueryName)
	}
	require.NotEmpty(t, named, "no query named %q among %q", part, names)
	return slices.MaxFunc(named, func(a, b summaryQuery) int { return cmp.Compare(a.CPUSeconds, b.CPUSeconds) })
}

// role sums the CPU of the operators of one role (the part of the stable name before the @).
func (q summaryQuery) role(role string) float64 {
	var sum float64
	for _, o := range q.Operators {
		if strings.HasPrefix(o.Operator, role+"@") {
			sum += o.CPUSeconds
		}
	}
	return sum
}

// readJSON decodes a file.
func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, into), "decode %s", path)
}

// output runs a command to its end and returns what it wrote, both streams together.
func output(t *testing.T, cmd *exec.Cmd) (string, error) {
	t.Helper()
	var buf bytes.Buffer
	cmd.Stdout, cmd.Stderr = &buf, &buf
	err := cmd.Run()
	return buf.String(), err
}

// patience is how long a test waits for what must come. Spark starts in 10 s on an idle machine of
// two cores and has taken three minutes on a busy one; what comes in time costs nothing.
const patience = 6 * time.Minute

// jobTime bounds a job that a test runs to its end. The longest takes three minutes on an idle
// machine of two cores.
const jobTime = 20 * time.Minute

// eventually polls until cond says yes; the last complaint is the failure.
func eventually(t *testing.T, within time.Duration, cond func() error) {
	t.Helper()
	deadline := time.Now().Add(within)
	for {
		err := cond()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("not within %s: %v", within, err)
		}
		<-time.After(250 * time.Millisecond)
	}
}

// hasParquet says whether a TPC-H folder is complete.
func hasParquet(dir string) error {
	var n int
	err := filepath.WalkDir(dir, func(p string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(p, ".parquet") {
			n++
		}
		return err
	})
	if err == nil && n < 8 {
		err = fmt.Errorf("%s has %d parquet files, want the 8 tables of TPC-H", dir, n)
	}
	return err
}
