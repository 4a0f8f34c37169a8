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
		return 40, false
	}
	least, err := strconv.Atoi(v)
	require.NoError(t, err, "FAULTS")
	return least, true
}

// faultsRounding is by how much the server's task CPU may be less than the receivers': each value
// of a profile is rounded.
const faultsRounding = 0.005

// TestFaults runs a job while its server and its Collector fail at random moments. The server
// refuses, hangs, cuts connections, goes away, and stores what it then says it has not. The
// Collector is stopped for a while, or ended and started again. The job must not notice. The server
// must have all task CPU that the receivers delivered, each profile once, and what may be stored
// twice is counted.
//
// Its sleeps are faults, or the time between two. TestCollectorKilled has Collectors that are
// killed.
func TestFaults(t *testing.T) {
	least, long := faultsSpec(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	u := user{uid: -1}
	s := startFaultyStore(t, random.Uint64())
	queue := u.tempDir(t)
	start := func() *collector {
		return startCollector(t, u, s.url, "--set=receivers::spark_profile::sampling_hz=1000", "--set=receivers::spark_profile::window=1s",
			"--set=exporters::pyroscope::timeout=1s", "--set=exporters::pyroscope::retry_on_failure::max_interval=2s",
			"--set=extensions::file_storage::directory="+queue)
	}
	c := start()
	j := startJob(t, sparkNewest(t), u, jobSpec{plugin: true, seconds: 24 * 3600, data: "sf0.01"})
	waitForLine(t, c.log, "JVM found", patience)
	counts := map[string]int{}
	totals := account{}
	for s.faults()+sum(counts) < least {
		time.Sleep(time.Duration(1+random.IntN(3)) * time.Second)
		switch random.IntN(4) {
		case 0:
			counts["collector_restarted"]++
			totals.add(t, c)
			totals.ended(t, c)
			c = start()
		case 1:
			counts["collector_stopped"]++
			require.NoError(t, syscall.Kill(c.cmd.Process.Pid, syscall.SIGSTOP))
			time.Sleep(time.Duration(random.IntN(3000)) * time.Millisecond)
			require.NoError(t, syscall.Kill(c.cmd.Process.Pid, syscall.SIGCONT))
		case 2:
			counts["server_away"]++
			s.away(t, func() {
				time.Sleep(time.Duration(random.IntN(3000)) * time.Millisecond)
				require.NoError(t, c.healthy(), "without a server")
			})
		default:
		}
	}
	s.heal()
	j.end(t)
	assert.Equal(t, plainResults(t), j.wait(t), "results beside faults")
	quiet(t, j)
	var told float64
	delivered := func() float64 { return totals["receiver_spark_profile_sampled_cpu"] }
	totals.add(t, c)
	eventually(t, 2*time.Minute, func() error {
		if told = s.told(); told < (1-faultsRounding)*delivered() {
			return fmt.Errorf("the server has %.2f s of the %.2f s that were delivered", told, delivered())
		}
		return nil
	})
	totals.ended(t, c)
	maps.Copy(counts, s.counts())
	t.Logf("%d faults: %v; the server has %.2f s, %.2f s were delivered before the Collectors' last windows; %d profiles were stored again under the time they had; counted: %v",
		sum(counts), counts, told, delivered(), s.again(), totals)
	assert.Empty(t, s.doubled(), "profiles that are there twice, under two times")
	assert.Positive(t, totals["exporter_pyroscope_repeated_samples"], "samples that the server may have twice")
	for _, lost := range []string{"exporter_pyroscope_dropped_samples", "receiver_spark_profile_refused_windows", "receiver_spark_profile_missed_record_bytes"} {
		assert.Zero(t, totals[lost], lost)
	}
	if long {
		writeFaults(t, map[string]any{"seed": seed, "faults": sum(counts), "kinds": counts, "delivered_cpu_seconds": delivered(), "stored_cpu_seconds": told,
			"profiles_stored_again": s.again(), "profiles_doubled": len(s.doubled()), "counted": totals})
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

// ended ends a Collector. On a busy machine it may not tell its last window in time, and says so.
func (a account) ended(t *testing.T, c *collector) {
	t.Helper()
	require.NoError(t, c.cmd.Process.Signal(syscall.SIGTERM))
	err := <-c.done
	c.done <- err
	if err != nil {
		require.Contains(t, c.log.String(), "last window lost", "the Collector ended: %v", err)
		a["last_windows_lost"]++
	}
}

func (a account) String() string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(a)) {
		out = append(out, fmt.Sprintf("%s %.0f", name, a[name]))
	}
	return fmt.Sprint(out)
}
