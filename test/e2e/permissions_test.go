//go:build e2e

package e2e

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/procfs"
	"github.com/planflame/planflame/sampler/recording"
)

// TestPermissions runs a job under `planflame run` with what containers, other distributions and
// other users have, and have not. The job checks its own results, so its exit code 0 says that it
// was not disturbed; docs/use/permissions.md has a row for each of these.
func TestPermissions(t *testing.T) {
	if os.Geteuid() != 0 {
		lacks(t, "root: namespaces and users of their own")
	}
	confine := buildConfine(t)
	for _, tt := range permissions {
		t.Run(tt.name, func(t *testing.T) {
			run := tt.run(t, confine)
			s := run.summary
			t.Logf("mode %s, %d samples, %d lost, %d events not opened, raw %.2f s of %.2f s", s.Mode, s.Samples, s.LostSamples, run.stats.PerfOpenFailures,
				s.RawTaskCPUSeconds, s.TaskCPUSeconds)
			assert.Equal(t, tt.mode, s.Mode)
			assert.Positive(t, s.TaskCPUSeconds, "the tasks' own account")
			switch tt.sampled {
			case none:
				assert.Zero(t, s.Samples)
				assert.Contains(t, run.log, "planflame: no samples were taken of")
			case some:
				assert.Positive(t, s.Samples)
				assert.Less(t, s.RawTaskCPUSeconds+s.KernelUnsampledSeconds, 0.95*s.TaskCPUSeconds, "threads without a ring are missing from the samples, not from the account")
			case all:
				assert.Positive(t, s.Samples)
				assert.Greater(t, s.RawTaskCPUSeconds+s.KernelUnsampledSeconds, 0.85*s.TaskCPUSeconds)
				assert.Zero(t, run.stats.PerfOpenFailures)
			}
			if tt.refused {
				assert.Positive(t, run.stats.PerfOpenFailures, "events that could not be opened are counted")
			}
			for _, line := range tt.says {
				assert.Regexp(t, line, run.log)
			}
			for _, line := range tt.doctor {
				assert.Regexp(t, line, run.doctor)
			}
			if tt.sampled != some { // there the JVM's rings may or may not have left room for doctor's own event yet
				assert.Equal(t, tt.doctorFails, run.doctorErr != nil, "exit code of doctor: %v\n%s", run.doctorErr, run.doctor)
			}
		})
	}
}

// buildConfine builds the program that takes rights away, where every user may run it.
func buildConfine(t *testing.T) string {
	t.Helper()
	confine := filepath.Join(t.TempDir(), "confine")
	out, err := exec.Command("go", "build", "-o", confine, "./confine").CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.NoError(t, os.Chmod(filepath.Dir(confine), 0o755))
	require.NoError(t, os.Chmod(filepath.Dir(filepath.Dir(confine)), 0o755))
	return confine
}

// sampled says of how much of a job there are samples.
type sampled int

const (
	none sampled = iota
	some
	all
)

// permission is one situation.
type permission struct {
	name        string
	uid         int      // of planflame and the job
	everything  []string // how planflame, and so the job below it, is confined
	job         []string // how the job alone is
	private     bool     // the job has a folder for temporary files that planflame does not see
	mode        string
	sampled     sampled
	refused     bool     // perf events, in the JVM
	says        []string // in the run's log
	doctor      []string // lines of planflame doctor --pid, confined as planflame is
	doctorFails bool
}

var permissions = []permission{
	{
		name: "container, ordinary user", uid: ordinaryUID, // Docker's and containerd's default profile: perf_event_open is refused with EPERM
		everything: []string{"-refuse", "perf_event_open=EPERM"},
		mode:       "self-opened", sampled: none, refused: true,
		says: []string{`planflame: the JVM could not open its perf event.*operation not permitted`},
		doctor: []string{
			`(?m)^no    perf events on own threads: .*operation not permitted\n      mend: .*seccomp`,
			`(?m)^ok    seccomp: a filter is on`,
			`(?m)^ok    pid \d+: planflame's memory`,
			`(?m)^no    pid \d+: privileged mode: .*operation not permitted`,
			`(?m)^no    pid \d+: self-opened mode: the JVM's own perf_event_open.*operation not permitted\n      mend: .*seccomp`,
		},
		doctorFails: true,
	},
	{
		name: "container, privileged reader outside", uid: 0, private: true, // pids and files are not those that the reader sees
		job:  []string{"-pidns", "-refuse", "perf_event_open=EPERM", "-refuse", "pidfd_getfd=EPERM", "-refuse", "process_vm_readv=EPERM"},
		mode: "privileged", sampled: all,
		doctor: []string{`(?m)^ok    pid \d+: planflame's memory`, `(?m)^ok    pid \d+: privileged mode: works`, `(?m)^ok    pid \d+: clock: the same as here`},
	},
	{
		name: "perf_event_paranoid 4", uid: ordinaryUID, // Debian's and Ubuntu's patch: EACCES without CAP_PERFMON above 2
		everything: []string{"-sysctl", "kernel.perf_event_paranoid=4", "-refuse", "perf_event_open=EACCES"},
		mode:       "self-opened", sampled: none, refused: true,
		says: []string{`planflame: the JVM could not open its perf event.*permission denied`},
		doctor: []string{
			`(?m)^no    kernel.perf_event_paranoid: 4\n      mend: sudo sysctl kernel.perf_event_paranoid=2`,
			`(?m)^no    perf events on own threads: .*permission denied\n      mend: sudo sysctl kernel.perf_event_paranoid=2`,
			`(?m)^no    pid \d+: self-opened mode: the JVM's own perf_event_open.*permission denied\n      mend: .*kernel.perf_event_paranoid=2`,
		},
		doctorFails: true,
	},
	{
		name: "Yama 1, not an ancestor", uid: ordinaryUID, // ptrace access is refused: pidfd_getfd and process_vm_readv fail
		everything: []string{"-sysctl", "kernel.yama.ptrace_scope=1", "-refuse", "pidfd_getfd=EPERM", "-refuse", "process_vm_readv=EPERM"},
		mode:       "none", sampled: none,
		says: []string{`planflame: no samples of this JVM, task totals only .*pidfd_getfd: operation not permitted`},
		doctor: []string{
			`(?m)^ok    kernel.yama.ptrace_scope: 1: only JVMs that planflame run has started itself can be sampled`,
			`(?m)^no    pid \d+: self-opened mode: .*operation not permitted\n      mend: run as the JVM's user and as its ancestor \(planflame run\)`,
		},
		doctorFails: true,
	},
	{
		name: "memlock 64 KiB", uid: 1, // daemon: Hadoop wants a user with a name, and this one's locked memory no other test has used up (docs/use/permissions.md, "Locked memory")
		everything: []string{"-memlock", "65536"},
		mode:       "self-opened", sampled: some, refused: true,
		says:   []string{`planflame: the JVM could not open its perf event`},
		doctor: []string{`(?m)^(ok|no)    locked memory for rings: \d+ KiB: \d rings? of \d+ KiB; smaller rings where that is not enough`},
	},
}

// permissionRun is what came of one.
type permissionRun struct {
	summary   summary
	stats     sampler.Stats // over all JVMs
	log       string
	doctor    string
	doctorErr error
}

func (p permission) run(t *testing.T, confine string) (run permissionRun) {
	t.Helper()
	s, u := sparkNewest(t), user{uid: p.uid}
	dir := u.tempDir(t)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	job := []string{filepath.Join(s.venv, "bin", "spark-submit"), "--master", "local[4]", "--driver-memory", "1g"}
	flags := p.job
	if p.private {
		private := filepath.Join(dir, "private")
		require.NoError(t, os.Mkdir(private, 0o755))
		flags = append([]string{"-tmpfs", private}, flags...)
		job = append(job, "--driver-java-options", "-Djava.io.tmpdir="+private, "--conf", "spark.local.dir="+private)
	}
	if len(flags) > 0 {
		job = append(append(append([]string{confine}, flags...), "--"), job...)
	}
	job = append(job, filepath.Join(root(t), "test", "jobs", "churn.py"), "--seconds", "2", "--rows", "200000", "--log", filepath.Join(dir, "churn.jsonl"))
	planflame := append(append([]string{"-uid", strconv.Itoa(p.uid)}, p.everything...), "--", built(t, "planflame"))
	asRoot := user{uid: 0} // confine becomes the user
	cmd := asRoot.command(ctx, dir, confine, append(append(planflame, "run", "--out", filepath.Join(dir, "out"), "--"), job...)...)
	cmd.Env = append(append(cmd.Env, s.env(t, u, s.home(t))...), quickJava)
	log := &logBuffer{}
	cmd.Stdout, cmd.Stderr = log, log
	require.NoError(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()

	pid := waitForAgent(t, cmd.Process.Pid, log)
	if p.refused && p.sampled == none { // doctor shall see what became of the JVM's own events
		waitForRefusal(t, pid)
	}
	doctor := asRoot.command(ctx, dir, confine, append(planflame, "doctor", "--pid", strconv.Itoa(pid))...)
	run.doctor, run.doctorErr = output(t, doctor)
	require.NoError(t, <-ended, "%s", log)
	run.log = log.String()
	readJSON(t, filepath.Join(dir, "out", "summary.json"), &run.summary)
	run.stats = recordedStats(t, filepath.Join(dir, "out", "recording"))
	return run
}

// waitForAgent waits for a JVM with the agent below a process.
func waitForAgent(t *testing.T, ancestor int, log *logBuffer) (pid int) {
	t.Helper()
	eventually(t, patience, func() error {
		found, err := agentsBelow(ancestor)
		if err == nil && len(found) > 0 {
			pid = found[0]
			return nil
		}
		return fmt.Errorf("no agent below %d (error %v); log:\n%s", ancestor, err, log)
	})
	return pid
}

// waitForRefusal waits until a JVM could not open a perf event, which it tries when its first task
// runs.
func waitForRefusal(t *testing.T, pid int) {
	t.Helper()
	eventually(t, patience, func() error {
		return withLog(pid, func(log *jvmlog.Log) error {
			h, err := log.Header()
			if err == nil && h.PerfOpenFailures == 0 {
				err = errors.New("no perf event was refused")
			}
			return err
		})
	})
}

// agentsBelow lists the JVMs with the agent that descend from a process, itself included.
func agentsBelow(ancestor int) ([]int, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	var found []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid != ancestor && !(procfs.FS{}).Descends(pid, ancestor) {
			continue
		}
		_, ok, err := procfs.FS{}.Agent(pid)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ESRCH) {
			return found, err
		}
		if ok && ownLog(pid) {
			found = append(found, pid)
		}
	}
	return found, nil
}

// ownLog reports whether the memory is this process's own, and its agent at work: children hold
// their parent's descriptors for a moment.
func ownLog(pid int) bool {
	ids, err := procfs.FS{}.NSpid(pid, 0)
	return err == nil && withLog(pid, func(log *jvmlog.Log) error {
		h, err := log.Header()
		if err == nil && (h.State != jvmlog.StateLive || uint32(ids[len(ids)-1]) != h.PID) {
			err = errors.New("another process's, or not at work")
		}
		return err
	}) == nil
}

// openAgent opens the memory of a JVM's agent.
func openAgent(pid int) (*procfs.Memory, error) {
	p, ok, err := procfs.FS{}.Agent(pid)
	if err != nil || !ok {
		return nil, fmt.Errorf("agent of pid %d: found %v, error %v", pid, ok, err)
	}
	return p.Open()
}

// withLog reads the log of a JVM's agent.
func withLog(pid int, read func(*jvmlog.Log) error) error {
	memory, err := openAgent(pid)
	if err != nil {
		return err
	}
	log, err := jvmlog.Open(memory.Log)
	if err := errors.Join(err, memory.Close()); err != nil {
		return err
	}
	return errors.Join(read(log), log.Close())
}

// statsSink keeps the last counts of each JVM of a recording.
type statsSink map[sampler.JVMID]sampler.Stats

func (statsSink) JVMFound(sampler.JVM)                                 {}
func (statsSink) Thread(sampler.JVMID, jvmlog.Thread)                  {}
func (statsSink) Record(sampler.JVMID, jvmlog.MonoTime, jvmlog.Record) {}
func (statsSink) TaskEvent(sampler.JVMID, jvmlog.TaskEvent)            {}
func (statsSink) Sample(sampler.JVMID, sampler.Sample)                 {}
func (statsSink) Symbol(sampler.JVMID, codemap.Frame)                  {}
func (statsSink) Watermark(sampler.JVMID, jvmlog.MonoTime)             {}
func (statsSink) JVMGone(sampler.JVMID)                                {}
func (s statsSink) Stats(id sampler.JVMID, counts sampler.Stats)       { s[id] = counts }

// recordedStats are the sampler's own counts of a recording with one JVM.
func recordedStats(t *testing.T, path string) sampler.Stats {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	r, err := recording.NewReader(f)
	require.NoError(t, err)
	defer r.Close()
	counts := statsSink{}
	require.NoError(t, r.Replay(counts))
	require.Len(t, counts, 1, "JVMs with counts")
	for _, c := range counts {
		return c
	}
	return sampler.Stats{}
}
