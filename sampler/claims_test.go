package sampler

import (
	"errors"
	"io/fs"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/zap"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// claimsAt are claims of a process whose clock stands at a value, read at time 0.
func claimsAt(t *testing.T, clock *time.Duration) *claims {
	t.Helper()
	c := &claims{clock: func() (time.Duration, error) { return *clock, nil }, threads: map[uint32]uint64{}, live: func() (map[int]int, error) { return nil, nil }}
	require.NoError(t, c.read())
	return c
}

var slack = time.Duration(runtime.NumCPU()) * 10 * time.Millisecond

// A thread that lives is not counted again, however many have ended.
func TestClaimsForgetThreadsThatHaveEnded(t *testing.T) {
	clock := time.Hour
	c := claimsAt(t, &clock)
	c.live = func() (map[int]int, error) { return map[int]int{1: 1}, nil }
	for tid := range uint32(3 * mostClaimants) {
		c.now = jvmlog.MonoTime(tid) * jvmlog.MonoTime(time.Millisecond)
		for _, tid := range []uint32{1, tid + 2} {
			e := jvmlog.TaskEvent{Kind: jvmlog.TaskEnd, TID: tid, ThreadCPUNanos: 1000}
			require.False(t, c.event(&e))
		}
	}
	require.LessOrEqual(t, len(c.threads), mostClaimants)
	require.EqualValues(t, 1000*(3*mostClaimants+1), c.claimed)
}

func TestClaimsOfAllThreadsTogether(t *testing.T) {
	clock := 10 * time.Second
	c := claimsAt(t, &clock)
	end := func(tid uint32, cpu time.Duration) (time.Duration, bool) {
		e := jvmlog.TaskEvent{Kind: jvmlog.TaskEnd, TID: tid, ThreadCPUNanos: uint64(cpu)}
		cut := c.event(&e)
		return time.Duration(e.ThreadCPUNanos), cut
	}
	cpu, cut := end(1, 4*time.Second)
	require.Equal(t, 4*time.Second, cpu)
	require.False(t, cut)
	cpu, cut = end(2, 6*time.Second+slack)
	require.Equal(t, 6*time.Second+slack, cpu, "all that the process has used")
	require.False(t, cut)
	cpu, cut = end(3, 1)
	require.Zero(t, cpu)
	require.True(t, cut)

	// Another thread with a number that was used before counts again; time on one thread goes on.
	clock += 3 * time.Second
	c.now = 5
	cpu, cut = end(1, time.Second)
	require.Equal(t, time.Second, cpu)
	require.False(t, cut)
	cpu, cut = end(1, 1e6*time.Second)
	require.Equal(t, 3*time.Second, cpu)
	require.True(t, cut)
}

func TestClaimsOfAProcessThatHasEnded(t *testing.T) {
	clock := time.Second
	c := claimsAt(t, &clock)
	c.clock = func() (time.Duration, error) { return 0, fs.ErrNotExist }
	c.now = jvmlog.MonoTime(2 * time.Second)
	require.Equal(t, time.Second+slack+time.Duration(runtime.NumCPU())*2*time.Second, c.used(time.Hour), "all CPUs since then")
	require.NoError(t, c.begin(c.now))
	c.clock = func() (time.Duration, error) { return 0, errors.New("no") }
	require.ErrorContains(t, c.begin(c.now), "no")
}

// A reading is a second old at most when a round begins, so that a process which ends can claim
// little.
func TestRoundsBeginWithAFreshClock(t *testing.T) {
	clock := time.Second
	c := claimsAt(t, &clock)
	clock = 3 * time.Second
	require.NoError(t, c.begin(readEvery-1))
	require.Equal(t, time.Second, c.last)
	require.NoError(t, c.begin(readEvery))
	require.Equal(t, 3*time.Second, c.last)
}

// A clock that was read earlier does for a claim that has room in it, and one reading does for all
// claims of a round.
func TestClocksAreReadForWhatTheyHaveNoRoomFor(t *testing.T) {
	clock, reads := 10*time.Second, 0
	c := claimsAt(t, &clock)
	c.clock = func() (time.Duration, error) { reads++; return clock, nil }
	clock = 20 * time.Second
	for i, claim := range []struct {
		at    jvmlog.MonoTime
		cpu   time.Duration
		reads int
	}{
		{1, 4 * time.Second, 0}, {2, 10 * time.Second, 0}, {3, 10*time.Second + 1, 1}, {4, 20 * time.Second, 1}, {5, 25 * time.Second, 2}, {5, 26 * time.Second, 2},
	} {
		c.now = claim.at
		e := jvmlog.TaskEvent{Kind: jvmlog.TaskEnd, TID: 1, ThreadCPUNanos: uint64(claim.cpu)}
		require.Equal(t, claim.cpu > clock+slack, c.event(&e), "claim %d", i)
		require.Equal(t, claim.reads, reads, "claim %d", i)
	}
}

// A claim is measured by the clock as it stands, however long ago the last reading was.
func TestClaimsAfterALongPause(t *testing.T) {
	clock := time.Second
	c := claimsAt(t, &clock)
	c.now = jvmlog.MonoTime(time.Hour)
	clock = 2 * time.Second
	e := jvmlog.TaskEvent{Kind: jvmlog.TaskEnd, ThreadCPUNanos: uint64(time.Minute)}
	require.True(t, c.event(&e))
	require.Equal(t, uint64(2*time.Second+slack), e.ThreadCPUNanos)
}

func TestSparkClaimsNoMoreThanItsThread(t *testing.T) {
	clock := time.Minute
	c := claimsAt(t, &clock)
	e := jvmlog.TaskEvent{Kind: jvmlog.TaskEnd, ThreadCPUNanos: 100, ExecutorCPUNanos: 70, ExecutorDeserializeNanos: 30}
	require.False(t, c.event(&e))
	e.ExecutorDeserializeNanos = 31
	require.True(t, c.event(&e))
	require.Equal(t, uint64(30), e.ExecutorDeserializeNanos)
	e.ExecutorCPUNanos = 1e15
	require.True(t, c.event(&e))
	require.Equal(t, []uint64{100, 0}, []uint64{e.ExecutorCPUNanos, e.ExecutorDeserializeNanos})
}

func TestNoPartIsMoreThanTheThreadsClock(t *testing.T) {
	clock := time.Minute
	c := claimsAt(t, &clock)
	e := jvmlog.TaskEvent{Kind: jvmlog.TaskEnd, ThreadCPUNanos: 100, UserNanos: 60, SystemNanos: 40}
	require.False(t, c.event(&e))
	require.Equal(t, []uint64{60, 40}, []uint64{e.UserNanos, e.SystemNanos})
	e.SystemNanos = 103
	require.False(t, c.event(&e), "read a moment later")
	require.Equal(t, uint64(100), e.SystemNanos)
	e.UserNanos, e.SystemNanos = 1<<63, 1<<64-1e18
	require.True(t, c.event(&e))
	require.Equal(t, []uint64{100, 100}, []uint64{e.UserNanos, e.SystemNanos})
}

func TestSamplesStandForWhatTheProcessUsed(t *testing.T) {
	clock := time.Second
	c := claimsAt(t, &clock)
	c.began = c.used(time.Hour) // nothing since the lease: a second is believed
	base := &heldSample{period: 400 * time.Millisecond, base: 400 * time.Millisecond, detail: 5 * time.Millisecond, gap: 100 * time.Millisecond}
	require.True(t, c.sample(base))
	require.True(t, c.sample(base))
	require.False(t, c.sample(base))
	require.True(t, c.sample(&heldSample{period: 5 * time.Millisecond, base: 400 * time.Millisecond, detail: 5 * time.Millisecond}), "the other clock")
}

func TestTimesAhead(t *testing.T) {
	clock := time.Second
	j := &jvm{claims: *claimsAt(t, &clock), totals: &Totals{}, said: map[string]bool{}, logger: zap.NewNop()}
	j.claims.now = 5
	require.True(t, j.inTime(5+mostAhead))
	require.False(t, j.inTime(6+mostAhead))
	require.Equal(t, uint64(1), j.totals.Ahead)
}

func TestNoOneRunsSoManyTasks(t *testing.T) {
	var b roundBudget
	now := jvmlog.MonoTime(time.Hour)
	for range mostEventRate {
		require.True(t, b.event(now))
	}
	require.False(t, b.event(now))
	now += jvmlog.MonoTime(time.Second / 1000)
	for range mostEventRate / 1000 {
		require.True(t, b.event(now))
	}
	require.False(t, b.event(now))
}

func TestRoundsHaveBounds(t *testing.T) {
	var b roundBudget
	now := time.Now().Add(time.Hour) // the time of a round is not what ends it here
	b.begin(now, false)
	require.True(t, b.read(mostRoundBytes-1))
	require.False(t, b.read(1))
	b.begin(now, false)
	require.True(t, b.read(mostRoundBytes-1), "the next round")
	require.InDelta(t, 2*mostRoundBytes-1, b.level, 0)
	b.begin(now.Add(time.Second), false)
	require.Zero(t, b.level, "floodRate is more")
	b.begin(time.Now().Add(-mostRoundTime), false)
	require.False(t, b.read(1), "the time is over")
}

func TestCodeHasBounds(t *testing.T) {
	var l liveCode
	load := func(address uint64, size uint32) bool {
		return l.apply(&jvmlog.CodeLoad{Address: address, Size: size, Method: 1})
	}
	require.True(t, load(0x1000, largestCode))
	require.False(t, load(1<<40, largestCode+1))
	require.Equal(t, largestCode>>codePageBits, l.listed)
	require.True(t, load(0x1000, largestCode), "in its place")
	require.Equal(t, largestCode>>codePageBits, l.listed)
	for at := uint64(1 << 32); l.listed < mostCodePages; at += largestCode {
		require.True(t, load(at, largestCode))
	}
	require.False(t, load(1<<40, 8))
	l.forgetCode()
	for i := range uint64(mostCode) {
		require.True(t, load(1<<32+i<<codePageBits, 8))
	}
	require.False(t, load(1<<40, 8))
	l.apply(&jvmlog.CodeUnload{Address: 1 << 32, Method: 1})
	require.True(t, load(1<<40, 8), "one is gone")
	l.forgetCode()
	for i := range uint64(mostInPage) {
		require.True(t, l.apply(&jvmlog.Stub{Address: 1<<30 + i, Size: 8}))
	}
	require.False(t, l.apply(&jvmlog.Stub{Address: 1<<30 + mostInPage, Size: 8}))
	require.Equal(t, mostInPage, l.listed)
}

// A log says nothing that only a reader may say: not what the kernel counted, and not that the
// reader has switched a clock.
func TestClaimsOfAReader(t *testing.T) {
	j := &jvm{logger: zap.NewNop(), said: map[string]bool{}, totals: &Totals{}}
	require.False(t, j.apply(&jvmlog.Unknown{Type: jvmlog.FirstOfReader + 1}))
	require.EqualValues(t, 1, j.stats.BadRecords)
	require.True(t, j.apply(&jvmlog.Unknown{Type: jvmlog.FirstOfReader - 1}), "of a newer agent")
	require.EqualValues(t, 1, j.stats.BadRecords)

	clock := time.Second
	j.claims, j.budget.events = *claimsAt(t, &clock), 1
	e := jvmlog.TaskEvent{Kind: jvmlog.TaskClocks, Flags: jvmlog.TaskByReader | jvmlog.TaskDetail}
	require.True(t, j.admit(&e))
	require.Equal(t, jvmlog.TaskDetail, e.Flags)
}
