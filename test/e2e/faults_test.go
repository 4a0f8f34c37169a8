//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// faultsSpec is how many faults TestFaults injects at least: as many as FAULTS says, which make
// faults sets.
func faultsSpec(t *testing.T) (least int, long bool) {
	t.Helper()
	v := os.Getenv("FAULTS")
	if v == "" {
		return 24, false
	}
	least, err := strconv.Atoi(v)
	require.NoError(t, err, "FAULTS")
	return least, true
}

// faultsRounding is by how much the server's task CPU may differ from the receivers': each value
// of a profile is rounded.
const faultsRounding = 0.005

// TestFaults runs a job while its server and its Collector fail at random moments. The server
// refuses, hangs, cuts connections, goes away, and stores what it then says it has not. The
// Collector is stopped for a while, or ended and started again. The job must not notice. The server
// must have the task CPU that each Collector delivered, no more, and each profile once. With what
// is counted as lost that is what the tasks' threads used. What may be stored twice is counted.
//
// Its sleeps are faults, or the time between two. TestCollectorKilled has Collectors that are
// killed.
func TestFaults(t *testing.T) {
	least, long := faultsSpec(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	u := user{uid: -1}
	f := &faultsRun{user: u, store: startFaultyStore(t, random.Uint64()), queue: u.tempDir(t), counts: map[string]int{}, totals: account{}}
	f.start(t)
	j := startJob(t, sparkNewest(t), u, jobSpec{plugin: true, seconds: 24 * 3600, data: "sf0.01", env: []string{quickJava}})
	f.watch = watchTasks(t, j)
	f.found(t)
	eventually(t, patience, func() error { // else faults would come before there is CPU to lose
		if used := f.watch.used(); used < 1 {
			return fmt.Errorf("the tasks' threads have used %.2f s", used)
		}
		return nil
	})
	repeats := func(faults map[string]int) bool { return faults["reset_after"]+faults["stored_then_503"] > 0 }
	for faults := f.store.counts(); sum(faults)+sum(f.counts) < least || !repeats(faults); faults = f.store.counts() {
		time.Sleep(time.Duration(1+random.IntN(3)) * time.Second)
		f.fault(t, random)
	}
	f.store.heal()
	j.end(t)
	assert.Equal(t, plainResults(t), j.wait(t), "results beside faults")
	quiet(t, j)
	f.end(t)
	figures := f.judge(t)
	if long {
		figures["seed"] = seed
		writeFaults(t, figures)
	}
}

// faultsRun is a store and the Collectors that push to it, one after the other, with one queue.
type faultsRun struct {
	user  user
	store *faultyStore
	queue string // folder
	watch *taskWatch

	c         *collector
	begun     []time.Time // of each Collector
	delivered []float64   // by each that has ended, in seconds; -1: it did not tell
	counts    map[string]int
	totals    account
	since     float64 // CPU that the tasks' threads had when c found the JVM, in seconds
	sampled   float64 // CPU that they used while a Collector had the JVM that has delivered all
	lost      float64 // CPU of samples that the kernel lost, as the Collectors count it
}

func (f *faultsRun) start(t *testing.T) {
	t.Helper()
	f.begun = append(f.begun, time.Now())
	f.c = startCollector(t, f.user, f.store.url, "--set=receivers::spark_profile::sampling_hz=1000", "--set=receivers::spark_profile::window=1s",
		"--set=exporters::pyroscope::timeout=1s", "--set=exporters::pyroscope::retry_on_failure::max_interval=2s",
		"--set=extensions::file_storage::directory="+f.queue)
}

func (f *faultsRun) found(t *testing.T) {
	t.Helper()
	waitForLine(t, f.c.log, "JVM found", patience)
	f.since = f.watch.used()
}

func (f *faultsRun) end(t *testing.T) {
	t.Helper()
	used := f.watch.used() - f.since
	f.totals.add(t, f.c)
	m, err := tryScrape(f.c.metrics) // one that has told no window yet has none
	require.NoError(t, err)
	f.lost += m.value("problems", `problem="lost"`) / 1000
	all := f.totals.ended(t, f.c)
	if all >= 0 {
		f.sampled += used
	}
	f.delivered = append(f.delivered, all)
}

// fault is one of a Collector, of the store as a whole, or none.
func (f *faultsRun) fault(t *testing.T, random *rand.Rand) {
	t.Helper()
	switch random.IntN(4) {
	case 0:
		f.counts["collector_restarted"]++
		f.end(t)
		f.start(t)
		f.found(t)
	case 1:
		f.counts["collector_stopped"]++
		require.NoError(t, syscall.Kill(f.c.cmd.Process.Pid, syscall.SIGSTOP))
		time.Sleep(time.Duration(random.IntN(3000)) * time.Millisecond)
		require.NoError(t, syscall.Kill(f.c.cmd.Process.Pid, syscall.SIGCONT))
	case 2:
		f.counts["server_away"]++
		f.store.away(t, func() {
			time.Sleep(time.Duration(random.IntN(3000)) * time.Millisecond)
			require.NoError(t, f.c.healthy(), "without a server")
		})
	default:
	}
}

// stored is the CPU of the profiles of one Collector that the store has, in seconds.
func (f *faultsRun) stored(i int) float64 { return f.store.told(f.begun[i], f.begun[i+1]) }

// judge has another Collector send what is left in the queue, and compares what the store has with
// what was delivered and with what the tasks' threads used. It returns what writeFaults writes.
func (f *faultsRun) judge(t *testing.T) map[string]any {
	t.Helper()
	used := f.watch.used()
	f.start(t)
	eventually(t, 2*time.Minute, func() error {
		for i, want := range f.delivered {
			if f.stored(i) < (1-faultsRounding)*want {
				return fmt.Errorf("the server has %.2f s of the %.2f s that Collector %d delivered", f.stored(i), want, i)
			}
		}
		return nil
	})
	f.totals.add(t, f.c)
	f.totals.ended(t, f.c)
	stored := 0.0
	for i, want := range f.delivered {
		stored += f.stored(i)
		t.Logf("Collector %d delivered %.3f s, and the server has %.3f s", i, want, f.stored(i))
		if want >= 0 {
			assert.InDelta(t, want, f.stored(i), faultsRounding*want, "Collector %d", i)
		}
	}
	assert.GreaterOrEqual(t, stored+f.lost, 0.95*f.sampled, "CPU that is neither told nor counted")
	assert.LessOrEqual(t, stored, 1.05*used, "CPU that is told twice")
	assert.Empty(t, f.store.doubled(), "profiles that are there twice, under two times")
	assert.Positive(t, f.totals["exporter_pyroscope_repeated_samples"], "samples that the server may have twice")
	for _, lost := range []string{"exporter_pyroscope_dropped_samples", "receiver_spark_profile_refused_windows", "receiver_spark_profile_missed_record_bytes"} {
		assert.Zero(t, f.totals[lost], lost)
	}
	counts := f.store.counts()
	maps.Copy(counts, f.counts)
	t.Logf("%d faults: %v; the tasks' threads used %.2f s, %.2f s of it while they were sampled; the server has %.2f s, %.2f s are counted as lost; %d profiles were stored again under the time they had; counted: %v",
		sum(counts), counts, used, f.sampled, stored, f.lost, f.store.again(), f.totals)
	return map[string]any{
		"faults": sum(counts), "kinds": counts, "delivered_cpu_seconds": f.delivered, "stored_cpu_seconds": stored,
		"used_cpu_seconds": used, "sampled_cpu_seconds": f.sampled, "lost_cpu_seconds": f.lost,
		"profiles_stored_again": f.store.again(), "profiles_doubled": len(f.store.doubled()), "counted": f.totals,
	}
}

// writeFaults writes build/bench/faults.json.
func writeFaults(t *testing.T, figures map[string]any) {
	t.Helper()
	out := filepath.Join(root(t), "build", "bench", "faults.json")
	require.NoError(t, os.MkdirAll(filepath.Dir(out), 0o755))
	b, err := json.MarshalIndent(figures, "", "  ")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(out, append(b, '\n'), 0o644))
}

func sum(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// account sums what the Collectors counted, one after the other.
type account map[string]float64

// add takes in what a Collector that ends now has counted.
func (a account) add(t *testing.T, c *collector) {
	t.Helper()
	text, err := get("http://127.0.0.1:" + strconv.Itoa(c.metrics) + "/metrics")
	require.NoError(t, err)
	for _, name := range []string{
		"exporter_pyroscope_pushed_samples", "exporter_pyroscope_repeated_samples", "exporter_pyroscope_dropped_samples",
		"receiver_spark_profile_sampled_cpu", "receiver_spark_profile_refused_windows", "receiver_spark_profile_missed_record_bytes",
	} {
		for _, line := range regexp.MustCompile(`(?m)^otelcol_`+name+`(?:\{.*\})? (\S+)$`).FindAllStringSubmatch(text, -1) {
			v, err := strconv.ParseFloat(line[1], 64)
			require.NoError(t, err, line[0])
			a[name] += v
		}
	}
	require.Contains(t, text, "\notelcol_exporter_pyroscope_pushed_samples", "metrics of the exporter")
}

// lastWindow is the line of a Collector that has delivered all, with the CPU of tasks in it.
var lastWindow = regexp.MustCompile(`the last window is handed on.*"task_cpu_seconds": ([0-9.e+-]+)`)

// ended ends a Collector and returns the CPU that it has delivered, in seconds, its last window
// included. On a busy machine it may not tell that in time, and says so: then -1.
func (a account) ended(t *testing.T, c *collector) float64 {
	t.Helper()
	require.NoError(t, c.cmd.Process.Signal(syscall.SIGTERM))
	err := <-c.done
	c.done <- err
	if err != nil {
		require.Contains(t, c.log.String(), "last window lost", "the Collector ended: %v", err)
		a["last_windows_lost"]++
		return -1
	}
	m := lastWindow.FindStringSubmatch(c.log.String())
	require.NotNil(t, m, "the Collector's last line:\n%s", c.log)
	cpu, err := strconv.ParseFloat(m[1], 64)
	require.NoError(t, err, m[0])
	return cpu
}

func (a account) String() string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(a)) {
		out = append(out, fmt.Sprintf("%s %.0f", name, a[name]))
	}
	return fmt.Sprint(out)
}
