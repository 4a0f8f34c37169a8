//go:build e2e && soak

package e2e

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/exporter/pyroscopetest"
)

// soakRest is how long a Collector rests at the end of each round. Meanwhile it tells and lets go
// of what the round left behind.
const soakRest = 20 * time.Second

// Bounds of TestSoak.
const (
	soakSlope       = 1 << 20 // bytes an hour of the Collector's own memory
	soakWarm        = 0.25    // of the rounds, which tell nothing of growth
	soakLeastRounds = 6       // after those, for a slope that is more than noise
)

// TestSoak keeps one Collector of the shipped configuration beside JVMs that come and go. A real
// Pyroscope stands behind it. One JVM runs queries, one has executors of its own, one loads and
// unloads classes. Rounds alternate between the lines of Spark and are the same otherwise. So a
// Collector that holds nothing looks the same after each. Results must be right and samples told
// to the end.
func TestSoak(t *testing.T) {
	seconds := 3600
	if v := os.Getenv("SOAK_SECONDS"); v != "" {
		var err error
		seconds, err = strconv.Atoi(v)
		require.NoError(t, err, "SOAK_SECONDS")
	}
	u := user{uid: -1}
	server := pyroscopetest.Start(t)
	c := startCollector(t, u, server.URL)
	begin := time.Now()
	var looks []soakLook
	before := scrapeSoak(t, c)
	for time.Since(begin) < time.Duration(seconds)*time.Second {
		for _, spec := range []jobSpec{{executors: 2}, {}, {}} {
			s := sparkNewest(t)
			if len(looks)%2 == 1 {
				s = sparkOld(t)
			}
			spec.plugin, spec.seconds, spec.data = true, 30, "sf0.01"
			j := startJob(t, s, u, spec)
			require.Equal(t, plainResults(t), j.wait(t), "results in round %d", len(looks)+1)
			quiet(t, j)
		}
		churn := startChurn(t, sparkNewest(t), u, javaHome(t, newestJDK), 30)
		churn.check(t, 30)
		time.Sleep(soakRest)
		looks = append(looks, lookAt(t, c, begin))
		now := scrapeSoak(t, c)
		round := now.less(before)
		before = now
		t.Logf("round %d: %s; %s", len(looks), looks[len(looks)-1], round)
		assert.Greater(t, round.sampled, 0.85*round.tasks, "sampled CPU of task threads against /proc's account in round %d", len(looks))
		assert.Less(t, round.lost, 0.01*round.samples, "lost samples in round %d", len(looks))
	}
	warm := looks[int(soakWarm*float64(len(looks))):]
	slope, low, high := slopeOf(warm)
	t.Logf("own memory grows by %.2f MB an hour, 95 %% in [%.2f, %.2f]", slope/(1<<20), low/(1<<20), high/(1<<20))
	if len(warm) >= soakLeastRounds {
		assert.LessOrEqual(t, low, float64(soakSlope), "growth of the Collector's own memory an hour")
	}
	first, last := warm[0], warm[len(warm)-1]
	assert.LessOrEqual(t, last.Descriptors, first.Descriptors+2, "descriptors")
	assert.LessOrEqual(t, last.Threads, first.Threads+4, "threads of the Go runtime")
	m := scrape(t, c.metrics)
	assert.Zero(t, m.value("problems", `problem="bad_record"`)+m.value("problems", `problem="bad_sample"`))
	goroutines := goroutinesAtEnd(t, c)
	t.Logf("%d goroutines at the end", goroutines)
	assert.Less(t, goroutines, 200, "goroutines without a JVM")
	writeSoak(t, map[string]any{"seconds": time.Since(begin).Seconds(), "rounds": looks, "goroutines": goroutines, "problems": m.String(),
		"soak_memory_mb_per_hour": slope / (1 << 20), "soak_memory_low_mb_per_hour": low / (1 << 20), "soak_memory_high_mb_per_hour": high / (1 << 20)})
}

// soakLook is what a Collector holds at the end of a round.
type soakLook struct {
	Hours       float64 `json:"hours"` // since the begin
	Own         int64   `json:"anonymous_bytes"`
	Descriptors int     `json:"descriptors"`
	Threads     int     `json:"threads"`
}

func (l soakLook) String() string {
	return fmt.Sprintf("%.1f MB its own, %d descriptors, %d threads", float64(l.Own)/(1<<20), l.Descriptors, l.Threads)
}

// lookAt takes the least of its memory in ten seconds: between two of Go's collections it grows.
func lookAt(t *testing.T, c *collector, begin time.Time) soakLook {
	t.Helper()
	proc := fmt.Sprintf("/proc/%d", c.cmd.Process.Pid)
	l := soakLook{Own: math.MaxInt64}
	for range 10 {
		l.Own = min(l.Own, statusOf(t, proc, "RssAnon")<<10)
		time.Sleep(time.Second)
	}
	files, err := os.ReadDir(proc + "/fd")
	require.NoError(t, err)
	l.Hours, l.Descriptors, l.Threads = time.Since(begin).Hours(), len(files), int(statusOf(t, proc, "Threads"))
	return l
}

// statusOf is a number of /proc/PID/status.
func statusOf(t *testing.T, proc, key string) int64 {
	t.Helper()
	b, err := os.ReadFile(proc + "/status")
	require.NoError(t, err)
	for line := range strings.Lines(string(b)) {
		if value, ok := strings.CutPrefix(line, key+":"); ok {
			n, err := strconv.ParseInt(strings.Fields(value)[0], 10, 64)
			require.NoError(t, err, line)
			return n
		}
	}
	t.Fatalf("no %s in %s/status", key, proc)
	return 0
}

// slopeOf is the median of the slopes between all pairs of looks, in bytes an hour (Theil and
// Sen). low and high hold the true slope in 95 of 100 cases, by the variance of Kendall's
// statistic (Sen 1968).
func slopeOf(looks []soakLook) (slope, low, high float64) {
	var slopes []float64
	for i, a := range looks {
		for _, b := range looks[i+1:] {
			slopes = append(slopes, float64(b.Own-a.Own)/(b.Hours-a.Hours))
		}
	}
	if len(slopes) == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	slices.Sort(slopes)
	n := float64(len(looks))
	half := 1.96 * math.Sqrt(n*(n-1)*(2*n+5)/18)
	at := func(i float64) float64 { return slopes[min(max(int(i), 0), len(slopes)-1)] }
	m := float64(len(slopes))
	return at(m / 2), at((m - half) / 2), at((m + half) / 2)
}

// soakCounts is what a Collector has counted.
type soakCounts struct{ samples, lost, sampled, tasks float64 }

func scrapeSoak(t *testing.T, c *collector) soakCounts {
	t.Helper()
	m, err := tryScrape(c.metrics)
	require.NoError(t, err)
	return soakCounts{m.value("samples", ""), m.value("problems", `problem="lost"`), m.value("sampled_cpu", ""), m.value("jvm_cpu", `part="tasks"`)}
}

func (s soakCounts) less(o soakCounts) soakCounts {
	return soakCounts{s.samples - o.samples, s.lost - o.lost, s.sampled - o.sampled, s.tasks - o.tasks}
}

func (s soakCounts) String() string {
	return fmt.Sprintf("%.0f samples, %.0f lost, %.1f s sampled of %.1f s", s.samples, s.lost, s.sampled, s.tasks)
}

// goroutinesAtEnd ends a Collector by SIGQUIT, at which Go prints each goroutine.
func goroutinesAtEnd(t *testing.T, c *collector) int {
	t.Helper()
	require.NoError(t, c.cmd.Process.Signal(syscall.SIGQUIT))
	err := <-c.done
	c.done <- err
	return strings.Count(c.log.String(), "\ngoroutine ")
}

// writeSoak writes build/bench/soak.json.
func writeSoak(t *testing.T, figures map[string]any) {
	t.Helper()
	out := filepath.Join(root(t), "build", "bench", "soak.json")
	require.NoError(t, os.MkdirAll(filepath.Dir(out), 0o755))
	b, err := json.MarshalIndent(figures, "", "  ")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(out, append(b, '\n'), 0o644))
}
