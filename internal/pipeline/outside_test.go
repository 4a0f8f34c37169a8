package pipeline

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
)

func TestClassOf(t *testing.T) {
	for name, want := range map[string]attribution.Bucket{
		"GC Thread": attribution.BucketGC, "G1 Conc": attribution.BucketGC, "C2 CompilerThre": attribution.BucketJIT, "C1 CompilerThre": attribution.BucketJIT,
		"VM Thread": BucketVM, "VM Periodic Tas": BucketVM, "Finalizer": BucketVM, "Executor task l": bucketTasks, "Executor task i": bucketTasks, "executor-heartb": BucketExecutor,
		"shuffle-client": BucketShuffle, "dispatcher-even": BucketShuffle, "dag-scheduler-e": BucketDriver, "java": BucketDriver, "Thread": BucketDriver,
		"planflame-poll": BucketProfiler, "stdout writer f": BucketPythonFeed, "mine": BucketOtherThreads, "": BucketOtherThreads, "…": BucketOtherThreads,
	} {
		require.Equal(t, want, classOf(name), "%q", name)
	}
}

func TestAccountRecord(t *testing.T) {
	a := Account{
		Process: 3, Threads: map[string]time.Duration{"GC Thread": 5}, Overflow: 7, Workers: 11, Daemons: 13, Children: 17, Live: 19, Started: 23, Last: true,
	}
	r, err := a.Record()
	require.NoError(t, err)
	u := r.(*jvmlog.Unknown)
	require.JSONEq(t, `{"process": 3, "threads": {"GC Thread": 5}, "overflow": 7, "python_workers": 11, "python_daemons": 13, "other_children": 17,
		"live_workers": 19, "started_workers": 23, "last": true}`, string(u.Payload))
	got, ours, err := parseAccount(u)
	require.NoError(t, err)
	require.True(t, ours)
	require.Equal(t, a, got)
}

func TestBadAccounts(t *testing.T) {
	_, ours, err := parseAccount(&jvmlog.Unknown{Type: 99, Payload: []byte("of the future")})
	require.NoError(t, err)
	require.False(t, ours)
	s := newScenario(Settings{})
	s.JVM(7, sampler.ModeSelfOpened)
	for _, r := range []*jvmlog.Unknown{
		{Type: accountRecord, Version: 2, Payload: []byte(`{}`)},
		{Type: accountRecord, Version: 1, Payload: []byte(`{`)},
		{Type: accountRecord, Version: 1, Payload: []byte(`{"process": -1}`)},
		{Type: accountRecord, Version: 1, Payload: []byte(`{"threads": {"GC": -5}}`)},
	} {
		_, ours, err := parseAccount(r)
		require.True(t, ours)
		require.ErrorContains(t, err, "decode account")
		s.p.Record(7, 1, r)
	}
	require.EqualValues(t, 4, s.p.Counts().BadRecords)
}

func FuzzParseAccount(f *testing.F) {
	f.Add([]byte(`{"process": 3, "threads": {"GC Thread": 5}, "python_workers": 11}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		a, _, err := parseAccount(&jvmlog.Unknown{Type: accountRecord, Version: accountVersion, Payload: b})
		if err != nil {
			return
		}
		book := accounts{}
		for i := range 3 {
			s := book.spent(jvmlog.MonoTime(i), a)
			if s.account.Process < 0 || s.account.Workers < 0 || s.unnamed < 0 {
				t.Fatalf("%s: %+v", b, s)
			}
		}
	})
}

// Readings are cumulative and the sum of what they bring is the last of them, however threads come
// and go between.
func TestSpentAddsUp(t *testing.T) {
	book, total, unnamed := accounts{}, map[string]time.Duration{}, time.Duration(0)
	take := func(a Account) {
		s := book.spent(1, a)
		for _, u := range s.used {
			total[u.of.shown] += u.cpu
		}
		total["process"] += s.account.Process
		unnamed += s.unnamed
	}
	threads := func(gc, jit time.Duration) map[string]time.Duration {
		return map[string]time.Duration{"gc": gc * ms, "jit": jit * ms}
	}
	take(Account{Process: 37 * ms, Threads: threads(10, 20)})
	require.Zero(t, unnamed, "7 ms may have run while threads were read")
	take(Account{Process: 50 * ms})
	require.Zero(t, unnamed, "the clock alone says nothing of threads")
	take(Account{Process: 60 * ms, Threads: threads(25, 30)})
	require.Equal(t, 5*ms, unnamed, "of which 5 are there at both readings")
	take(Account{Process: 59 * ms, Threads: threads(25, 29)})
	require.Equal(t, 5*ms, unnamed, "nothing falls")
	take(Account{Process: 99 * ms, Threads: threads(25, 30), Last: true})
	require.Equal(t, map[string]time.Duration{"gc": 25 * ms, "jit": 30 * ms, "process": 99 * ms}, total)
	require.Equal(t, 44*ms, unnamed, "what no reading saw on a thread")
}

// The children of a cluster's driver are executors where master and workers run in its JVM: their
// CPU is their own.
func TestChildrenOfAClustersDriver(t *testing.T) {
	for id, want := range map[string]time.Duration{"app-3": 0, "local-3": 36 * ms} {
		out := &told{}
		p := New(Settings{Hold: UntilEnd}, out)
		p.JVMFound(sampler.JVM{ID: 1})
		p.Account(1, 10, Account{Process: 30 * ms, Daemons: 17 * ms, Children: 19 * ms, Last: true})
		p.Record(1, 20, &jvmlog.Application{JSON: []byte(`{"application_id":"` + id + `","executor_id":"driver"}`)})
		p.Finish()
		require.Equal(t, want, out.sums.Children, id)
		require.Equal(t, 30*ms, out.sums.Process, id)
	}
}

func TestAccountSince(t *testing.T) {
	before := Account{Process: 10, Threads: map[string]time.Duration{"a": 3, "b": 5}, Overflow: 2, Workers: 7, Daemons: 11, Children: 13, Live: 17, Started: 19}
	now := Account{Process: 110, Threads: map[string]time.Duration{"a": 33, "b": 4, "c": 6}, Overflow: 25, Workers: 37, Daemons: 51, Children: 63, Live: 3, Started: 90, Last: true}
	assert.Equal(t, Account{Process: 100, Threads: map[string]time.Duration{"a": 30, "b": 0, "c": 6}, Overflow: 23, Workers: 30, Daemons: 40, Children: 50, Live: 3, Started: 71, Last: true}, now.Since(before))
	assert.Equal(t, map[string]time.Duration{"a": 33, "b": 4, "c": 6}, now.Threads, "it stays")
	assert.Equal(t, Account{Process: 1}, Account{Process: 1}.Since(Account{}))
}
