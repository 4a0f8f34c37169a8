package keep

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"go.uber.org/zap"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/recording"
	"github.com/planflame/planflame/tasksample"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// began is when the tests' Collector starts.
var began = time.Date(2026, 11, 25, 3, 4, 5, 0, time.UTC)

// desk is a Keeper and its clock.
type desk struct {
	*Keeper
	t   *testing.T
	dir string
	now time.Time
}

func open(t *testing.T, dir string, change func(*Settings)) *desk {
	t.Helper()
	d := &desk{t: t, dir: dir, now: began}
	s := Settings{
		Directory: dir, MaxBytes: MinBytes, Log: zap.NewNop(), Now: func() time.Time { return d.now },
		Service: func(a pipeline.Application) string { return a.Name },
		Symbols: func(sampler.JVMID) pipeline.Symbolizer { return libc{} },
		Meta:    recording.Meta{Version: "1.2.3", Hz: 20, DetailHz: 200, Mode: "self"},
	}
	if change != nil {
		change(&s)
	}
	k, err := Open(s)
	require.NoError(t, err)
	d.Keeper = k
	return d
}

func (d *desk) end() {
	d.t.Helper()
	require.NoError(d.t, d.Close(context.Background()))
}

// libc names one native address.
type libc struct{}

func (libc) Symbol(addr uint64) (codemap.Frame, bool) {
	return codemap.Frame{Kind: codemap.Native, Method: "memcpy", File: "libc.so.6"}, addr == nativeAddr
}

const nativeAddr = 0x7f0000000040

// run is one application on one JVM.
type run struct {
	*desk
	id    sampler.JVMID
	clock jvmlog.MonoTime
}

// found finds a JVM with code and an application.
func (d *desk) found(id sampler.JVMID, app string) *run {
	r := &run{desk: d, id: id}
	h := jvmlog.Header{Major: 1, PID: 41, State: jvmlog.StateLive, TotalBytes: 1 << 20, ThreadsOffset: 4096, ThreadSlots: 8, EventsOffset: 8192, EventSlots: 16,
		RecordsOffset: 16384, RecordsBytes: 1<<20 - 16384}
	d.JVMFound(sampler.JVM{ID: id, PID: 4711, Header: h, Mode: sampler.ModePrivileged, FoundAt: 1})
	r.record(&jvmlog.CodeHeap{Low: 0x1000, High: 0x9000, Name: "heap"})
	r.application(app)
	d.Thread(id, jvmlog.Thread{Slot: 2, TID: 13, StartTime: 1, Flags: jvmlog.ThreadTask, Name: "Executor task launch worker-0"})
	for m, class := range map[jvmlog.MethodID]string{1: "Hit", 2: "Later", 3: "Never"} {
		r.record(&jvmlog.Method{ID: m, Class: class, Name: "next"})
		r.record(&jvmlog.CodeLoad{Address: 0x1000 * uint64(m), Size: 0x100, Method: m})
	}
	return r
}

func (r *run) at() jvmlog.MonoTime { r.clock += 10; return r.clock }

func (r *run) record(of jvmlog.Record) { r.Record(r.id, r.at(), of) }

func (r *run) application(id string) {
	r.record(&jvmlog.Application{JSON: fmt.Appendf(nil, `{"application_id": %q, "application_name": "ETL job/1", "executor_id": "5"}`, id)})
}

func (r *run) plan(execution int, name string) {
	r.record(&jvmlog.Dictionary{Execution: tasksample.ExecutionID(execution), JSON: fmt.Appendf(nil, `{"query": "q1-%d", "query_name": %q, "nodes": []}`, execution, name)})
}

func (r *run) task(kind jvmlog.TaskEventKind, execution int) {
	r.TaskEvent(r.id, jvmlog.TaskEvent{Time: r.at(), Kind: kind, TID: 13, Task: 17, Stage: tasksample.StageID(execution), Execution: tasksample.ExecutionID(execution)})
}

func (r *run) sample(addrs ...uint64) {
	r.Sample(r.id, sampler.Sample{Time: r.at(), Slot: 2, TID: 13, Period: time.Millisecond, Addrs: addrs})
}

// ran runs one task with one sample.
func (r *run) ran(execution int, addrs ...uint64) {
	r.task(jvmlog.TaskStart, execution)
	r.sample(addrs...)
	r.task(jvmlog.TaskEnd, execution)
	r.record(&jvmlog.ExecutionEnd{ExecutionID: tasksample.ExecutionID(execution)})
}

func (r *run) watermark() { r.Watermark(r.id, r.at()) }

func (r *run) gone() { r.JVMGone(r.id) }

// contents is what a recording holds.
type contents struct {
	meta    recording.Meta
	found   []jvmlog.MonoTime
	classes []string
	plans   []tasksample.ExecutionID
	samples []uint64 // their leaves
	events  []jvmlog.TaskEvent
	stats   []sampler.Stats
	symbols []string
	threads int
	records []jvmlog.Record
}

func (c *contents) JVMFound(v sampler.JVM)                        { c.found = append(c.found, v.FoundAt) }
func (c *contents) Thread(sampler.JVMID, jvmlog.Thread)           { c.threads++ }
func (c *contents) TaskEvent(_ sampler.JVMID, e jvmlog.TaskEvent) { c.events = append(c.events, e) }
func (c *contents) Sample(_ sampler.JVMID, s sampler.Sample) {
	c.samples = append(c.samples, s.Addrs[0])
}
func (c *contents) Stats(_ sampler.JVMID, s sampler.Stats)   { c.stats = append(c.stats, s) }
func (c *contents) Watermark(sampler.JVMID, jvmlog.MonoTime) {}
func (c *contents) JVMGone(sampler.JVMID)                    {}
func (c *contents) Symbol(_ sampler.JVMID, f codemap.Frame)  { c.symbols = append(c.symbols, f.Method) }
func (c *contents) Record(_ sampler.JVMID, _ jvmlog.MonoTime, r jvmlog.Record) {
	c.records = append(c.records, r)
	switch r := r.(type) {
	case *jvmlog.Method:
		c.classes = append(c.classes, r.Class)
	case *jvmlog.Dictionary:
		c.plans = append(c.plans, r.Execution)
	}
}

// read reads the recording of a folder below the directory.
func (d *desk) read(folder string) *contents {
	d.t.Helper()
	file, err := os.Open(filepath.Join(d.dir, folder, RecordingName))
	require.NoError(d.t, err)
	defer file.Close()
	r, err := recording.NewReader(file)
	require.NoError(d.t, err)
	defer r.Close()
	c := &contents{meta: r.Meta()}
	require.NoError(d.t, r.Replay(c))
	slices.Sort(c.classes)
	return c
}

// folders are the folders of finished parts, below the directory.
func (d *desk) folders() (out []string) {
	d.t.Helper()
	found, err := filepath.Glob(filepath.Join(d.dir, "*", "*", RecordingName))
	require.NoError(d.t, err)
	for _, path := range found {
		folder, err := filepath.Rel(d.dir, filepath.Dir(path))
		require.NoError(d.t, err)
		out = append(out, folder)
	}
	return out
}

func TestOneJVM(t *testing.T) {
	d := open(t, filepath.Join(t.TempDir(), "made", "here"), nil)
	r := d.found(3, "app-7")
	r.plan(4, "nightly")
	d.now = d.now.Add(time.Minute)
	r.task(jvmlog.TaskStart, 4)
	r.sample(0x1010, nativeAddr)
	d.Account(3, r.at(), pipeline.Account{Process: 70 * time.Millisecond})
	r.task(jvmlog.TaskEnd, 4)
	r.watermark()
	r.gone()
	d.Account(3, r.at(), pipeline.Account{Process: 71 * time.Millisecond}) // too late
	d.end()
	assert.Empty(t, d.accounts)

	const folder = "ETL-job-1/app-7-5-20261125-030405"
	require.Equal(t, []string{folder}, d.folders())
	got := d.read(folder)
	assert.Equal(t, []string{"Hit"}, got.classes)
	assert.Equal(t, []uint64{0x1010}, got.samples)
	assert.Equal(t, []string{"memcpy"}, got.symbols)
	assert.Equal(t, []tasksample.ExecutionID{4}, got.plans)
	assert.Equal(t, 1, got.threads)
	assert.Equal(t, "1.2.3", got.meta.Version)
	assert.True(t, began.Equal(got.meta.Started))
	account, err := pipeline.Account{Process: 70 * time.Millisecond}.Record()
	require.NoError(t, err)
	assert.Contains(t, got.records, account)
	assert.Zero(t, d.Lost())

	require.NoError(t, filepath.WalkDir(d.dir, func(path string, e fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := e.Info()
		require.NoError(t, err)
		want := fs.FileMode(0o600)
		if e.IsDir() {
			want = 0o700
		}
		assert.Equal(t, want, info.Mode().Perm(), path)
		return nil
	}))
	spools, err := os.ReadDir(filepath.Join(d.dir, spoolFolder))
	require.NoError(t, err)
	assert.Empty(t, spools)
}

// TestPartsOfOneJVM cuts where no execution runs, or where one does not end; each part is readable
// alone.
func TestPartsOfOneJVM(t *testing.T) {
	d := open(t, t.TempDir(), nil)
	r := d.found(3, "app-7")
	r.plan(4, "nightly")
	r.ran(4, 0x1010)
	d.Stats(3, sampler.Stats{Samples: 100, Lost: 7})
	d.Account(3, r.at(), pipeline.Account{Process: time.Second, Threads: map[string]time.Duration{"G1 Main": 300}})
	d.now = d.now.Add(partAge - 1)
	r.watermark() // not old enough
	r.plan(5, "hourly")
	r.task(jvmlog.TaskStart, 5)
	d.now = d.now.Add(1)
	r.watermark() // not while 5 runs
	r.task(jvmlog.TaskEnd, 5)
	r.watermark() // it is not over
	r.record(&jvmlog.ExecutionEnd{ExecutionID: 5})
	r.watermark() // now

	second := d.now
	r.plan(6, "endless")
	r.task(jvmlog.TaskStart, 6)
	r.sample(0x2010, nativeAddr)
	d.Stats(3, sampler.Stats{Samples: 130, Lost: 8})
	d.Account(3, r.at(), pipeline.Account{Process: 3 * time.Second, Threads: map[string]time.Duration{"G1 Main": 340}})
	d.now = d.now.Add(patience * partAge)
	r.watermark() // in its midst

	third := d.now
	r.sample(0x2020)
	r.task(jvmlog.TaskEnd, 6)
	r.watermark()
	r.gone()
	d.end()

	name := func(at time.Time) string { return "ETL-job-1/app-7-5-" + seconds(at) }
	require.Equal(t, []string{name(began), name(second), name(third)}, d.folders())
	got := d.read(name(began))
	assert.Equal(t, []string{"Hit"}, got.classes)
	assert.Equal(t, []tasksample.ExecutionID{4, 5}, got.plans)

	got = d.read(name(second))
	assert.Equal(t, []string{"Later"}, got.classes, "told in the first part")
	assert.Equal(t, []tasksample.ExecutionID{6}, got.plans)
	assert.Equal(t, []string{"memcpy"}, got.symbols)
	assert.Equal(t, []sampler.Stats{{Samples: 30, Lost: 1}}, got.stats, "as of this part")
	account, err := pipeline.Account{Process: 2 * time.Second, Threads: map[string]time.Duration{"G1 Main": 40}}.Record()
	require.NoError(t, err)
	assert.Contains(t, got.records, account)
	assert.True(t, second.Equal(got.meta.Started))
	assert.Len(t, got.found, 1)
	assert.Greater(t, got.found[0], jvmlog.MonoTime(1))

	got = d.read(name(third))
	assert.Equal(t, []string{"Later"}, got.classes)
	assert.Equal(t, []tasksample.ExecutionID{6}, got.plans, "it goes on")
	require.Len(t, got.events, 2)
	assert.Equal(t, jvmlog.TaskStart, got.events[0].Kind)
	assert.Equal(t, []uint64{0x2020}, got.samples)
	assert.Equal(t, 1, got.threads)
}

// TestLargePart cuts by the bytes of the spool.
func TestLargePart(t *testing.T) {
	d := open(t, t.TempDir(), func(s *Settings) { s.MaxBytes = partShare << 18 })
	r := d.found(3, "app-7")
	r.watermark()
	require.Equal(t, 1, r.Keeper.jvms[3].number)
	state := uint64(1)
	for range 8_000 { // addresses that do not compress: 256 KiB
		for i := range 4 {
			state = state*6364136223846793005 + uint64(i) | 1
		}
		r.sample(state, state<<1, state>>7, state^0xabcdef)
	}
	require.NoError(t, r.Keeper.jvms[3].w.Flush())
	r.watermark()
	require.Equal(t, 2, r.Keeper.jvms[3].number)
	r.gone()
	d.end()
	assert.Zero(t, d.Lost())
}

// TestNextApplication keeps the applications of one JVM apart.
func TestNextApplication(t *testing.T) {
	d := open(t, t.TempDir(), nil)
	r := d.found(3, "")
	r.application("app-7")
	r.plan(4, "nightly")
	r.ran(4, 0x1010)
	d.now = d.now.Add(time.Second)
	r.application("app-8")
	r.ran(4, 0x2010) // its plan does not come: the other application's is another
	r.gone()
	d.end()
	require.Equal(t, []string{"ETL-job-1/app-7-5-20261125-030405", "ETL-job-1/app-8-5-20261125-030406"}, d.folders())
	got := d.read("ETL-job-1/app-8-5-20261125-030406")
	assert.Empty(t, got.plans)
	assert.Equal(t, []string{"Later"}, got.classes)
}

func TestQueries(t *testing.T) {
	d := open(t, t.TempDir(), func(s *Settings) { s.Choose = func(_, name string) bool { return name == "nightly" } })
	r := d.found(3, "app-7")
	r.plan(4, "nightly")
	r.plan(5, "hourly")
	r.ran(5, 0x2010)
	r.ran(4, 0x1010)
	r.gone()
	other := d.found(4, "app-8")
	other.plan(5, "hourly")
	other.ran(5, 0x2010)
	other.gone()
	d.end()
	require.Equal(t, []string{"ETL-job-1/app-7-5-20261125-030405"}, d.folders(), "of the other JVM nothing is wanted")
	got := d.read(d.folders()[0])
	assert.Equal(t, []tasksample.ExecutionID{4}, got.plans)
	assert.Equal(t, []uint64{0x1010}, got.samples)
	assert.Equal(t, []string{"Hit"}, got.classes)
	require.Len(t, got.events, 4)
	assert.True(t, got.events[0].LeftOut && got.events[1].LeftOut)
	assert.False(t, got.events[2].LeftOut || got.events[3].LeftOut)
	assert.Zero(t, d.Lost(), "what is not wanted is not lost")
}

// older puts the folder of a part there, of so many bytes.
func older(t *testing.T, dir, folder string, bytes int, age time.Duration) string {
	t.Helper()
	path := filepath.Join(dir, folder, RecordingName)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, make([]byte, bytes), 0o600))
	require.NoError(t, os.Chtimes(path, began.Add(-age), began.Add(-age)))
	return filepath.Dir(path)
}

func TestOldestGoFirst(t *testing.T) {
	dir := t.TempDir()
	newest := older(t, dir, "b/app-3-1-20261124-030405", 6<<20, time.Hour)
	older(t, dir, "b/app-1-1-20261122-030405-2", 4<<20, 3*time.Hour)
	middle := older(t, dir, "a/app-2-1-20261123-030405", 5<<20, 2*time.Hour)
	require.NoError(t, os.WriteFile(filepath.Join(middle, "report.html"), make([]byte, 1<<20), 0o600)) // counts, too
	mine := older(t, dir, "a/my-own-notes", 3<<20, 4*time.Hour)
	d := open(t, dir, nil) // 16 MiB: 6 + 4 + 6 fit
	assert.Len(t, d.folders(), 4)
	r := d.found(3, "app-7")
	r.plan(4, "nightly")
	r.ran(4, 0x1010)
	r.gone()
	d.end()
	assert.Equal(t, []string{"ETL-job-1/app-7-5-20261125-030405", "a/app-2-1-20261123-030405", "a/my-own-notes", "b/app-3-1-20261124-030405"}, d.folders())
	assert.DirExists(t, mine, "no folder of ours")
	assert.DirExists(t, newest)

	d = open(t, dir, func(s *Settings) { s.MaxBytes = 7 << 20 }) // less than before
	d.end()
	assert.Equal(t, []string{"ETL-job-1/app-7-5-20261125-030405", "a/my-own-notes", "b/app-3-1-20261124-030405"}, d.folders())
	assert.NoDirExists(t, filepath.Join(dir, "a", "app-2-1-20261123-030405"))
}

// TestTooFewBytes ends a JVM's recording when nothing is left to remove, and counts its samples.
func TestTooFewBytes(t *testing.T) {
	d := open(t, t.TempDir(), func(s *Settings) { s.MaxBytes = 600 })
	r := d.found(3, "app-7")
	r.sample(0x1010)
	for i := range 400 {
		r.plan(i, strings.Repeat(fmt.Sprint(i*i), 9))
	}
	require.NoError(t, r.Keeper.jvms[3].w.Flush())
	flushed := make(chan struct{})
	d.disk.do(func() { close(flushed) })
	<-flushed
	r.watermark()
	require.True(t, r.Keeper.jvms[3].lost)
	r.sample(0x1010)
	r.sample(0x1010)
	r.gone()
	d.end()
	assert.Equal(t, uint64(3), d.Lost())
	assert.Empty(t, d.folders())
}

// TestUnwritable counts what a folder that went away costs.
func TestUnwritable(t *testing.T) {
	d := open(t, t.TempDir(), nil)
	require.NoError(t, os.RemoveAll(d.dir))
	require.NoError(t, os.WriteFile(d.dir, nil, 0o600))
	r := d.found(3, "app-7")
	r.sample(0x1010)
	r.gone()
	require.NoError(t, d.Close(context.Background()))
	assert.Equal(t, uint64(1), d.Lost())
}

func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := Open(Settings{Directory: file, MaxBytes: MinBytes, Log: zap.NewNop()})
	require.ErrorContains(t, err, "recording::directory: ")
	require.ErrorContains(t, err, file)

	d := open(t, filepath.Join(dir, "taken"), nil)
	_, err = Open(Settings{Directory: d.dir, MaxBytes: MinBytes, Log: zap.NewNop()})
	require.ErrorContains(t, err, "which another Collector may have")
	d.end()
	open(t, d.dir, nil).end()
}

// TestKilled leaves spools, of which the next Collector makes recordings.
func TestKilled(t *testing.T) {
	d := open(t, t.TempDir(), nil)
	r := d.found(3, "app-7")
	r.plan(4, "nightly")
	r.ran(4, 0x1010)
	require.NoError(t, r.Keeper.jvms[3].w.Flush())
	d.now = d.now.Add(partAge)
	d.finisher.stopped.Store(true) // from now on nothing is finished
	r.watermark()
	r.ran(5, 0x2010)
	r.sample(0x1010)
	require.NoError(t, r.Keeper.jvms[3].w.Flush()) // no END
	delete(r.Keeper.jvms, 3)
	d.end()
	require.Empty(t, d.folders())

	d = open(t, d.dir, nil)
	d.end()
	require.Equal(t, []string{"ETL-job-1/app-7-5-20261125-030405", "ETL-job-1/app-7-5-20261125-040405"}, d.folders())
	assert.Equal(t, []string{"Hit"}, d.read(d.folders()[0]).classes)
	got := d.read(d.folders()[1])
	assert.Equal(t, []string{"Hit", "Later"}, got.classes)
	assert.Equal(t, []uint64{0x2010, 0x1010}, got.samples)
	spools, err := os.ReadDir(filepath.Join(d.dir, spoolFolder))
	require.NoError(t, err)
	assert.Empty(t, spools)
}

// TestCloseInTime leaves to the next Collector what there is no time for.
func TestCloseInTime(t *testing.T) {
	d := open(t, t.TempDir(), nil)
	hold := make(chan struct{})
	d.disk.do(func() { <-hold })
	r := d.found(3, "app-7")
	r.ran(4, 0x1010)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorContains(t, d.Close(ctx), "the next Collector finishes them")
	close(hold)
	<-d.finisher.done
	require.Empty(t, d.folders())
	require.Eventually(t, func() bool {
		again, err := Open(d.settings)
		if err != nil {
			return false // the lock is given back in a moment
		}
		return again.Close(context.Background()) == nil
	}, 10*time.Second, time.Millisecond)
	require.Len(t, d.folders(), 1)
}

// TestSlowDisk ends a JVM's recording, and does not wait.
func TestSlowDisk(t *testing.T) {
	d := open(t, t.TempDir(), nil)
	hold := make(chan struct{})
	d.disk.do(func() { <-hold })
	r := d.found(3, "app-7")
	r.sample(0x1010)
	d.disk.pending.Store(maxPending)
	require.Error(t, r.Keeper.jvms[3].w.Flush())
	r.watermark()
	r.sample(0x1010)
	d.disk.pending.Store(0)
	close(hold)
	r.gone()
	d.end()
	assert.Equal(t, uint64(2), d.Lost())
}

func TestFileName(t *testing.T) {
	for in, want := range map[string]string{"": "-", "..": "-", "../etc": "-etc", "a b/c": "a-b-c", "Größe_1.x": "Größe_1.x", strings.Repeat("é", 60): strings.Repeat("é", 40)} {
		assert.Equal(t, want, fileName(in), in)
	}
}
