package jvmlog

import (
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/tasksample"
)

func testSettings() Settings {
	return Settings{
		Enabled: true, Mode: OpenByAgent, StackBytes: 8192, BasePeriod: 10 * time.Millisecond, DetailPeriod: 5 * time.Millisecond,
		RingPages: 32, InclusionProbability: 0.125, Seed: 77, MinTasksPerStage: 5, Promoted: []tasksample.TaskAttemptID{1 << 40, 9},
	}
}

func newControl(t testing.TB) (*memory, *Control) {
	t.Helper()
	page := make([]byte, ControlBytes)
	copy(page, controlMagic)
	le.PutUint16(page[ctlMajor:], 1)
	m := newMemory(t, page, requiredSeals)
	return m, openControl(t, m)
}

func openControl(t testing.TB, m *memory) *Control {
	t.Helper()
	c, err := OpenControl(m.f)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	return c
}

func TestControlRoundTrip(t *testing.T) {
	want := ControlPage{
		Major: 1, Minor: 7, LeaseOwner: 1, LeaseHeartbeat: 2, LeasePID: 3, LeaseRank: RankSelected, Seq: 6, Settings: testSettings(), RecordsAck: 8, ReplayRequest: 9,
	}
	got, err := DecodeControl(encodeControl(nil, &want))
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func TestControlWithoutSettings(t *testing.T) {
	garbage := Settings{Mode: 9, RingPages: 3, InclusionProbability: math.NaN(), Seed: 7}
	got, err := DecodeControl(encodeControl(nil, &ControlPage{Major: 1, LeasePID: 3, Settings: garbage}))
	require.NoError(t, err)
	require.Equal(t, ControlPage{Major: 1, LeasePID: 3}, got, "seq 0: what stands there was written by no one")
}

func TestSettingsValidate(t *testing.T) {
	for _, c := range []struct {
		ruin func(*Settings)
		want string
	}{
		{func(s *Settings) { s.Mode = 0 }, "mode 0"},
		{func(s *Settings) { s.Mode = 3 }, "mode 3"},
		{func(s *Settings) { s.StackBytes = 65536 }, "stack_bytes 65536"},
		{func(s *Settings) { s.StackBytes = 12 }, "stack_bytes 12"},
		{func(s *Settings) { s.BasePeriod = 99999 }, "base period 99.999µs"},
		{func(s *Settings) { s.BasePeriod = -1 }, "base period"},
		{func(s *Settings) { s.DetailPeriod = time.Minute + 1 }, "detail period 1m0.000000001s"},
		{func(s *Settings) { s.RingPages = 0 }, "ring_pages 0"},
		{func(s *Settings) { s.RingPages = 24 }, "ring_pages 24"},
		{func(s *Settings) { s.RingPages = 2048 }, "ring_pages 2048"},
		{func(s *Settings) { s.InclusionProbability = math.NaN() }, "inclusion probability NaN"},
		{func(s *Settings) { s.InclusionProbability = 1.1 }, "inclusion probability 1.1"},
	} {
		s := testSettings()
		c.ruin(&s)
		require.ErrorContains(t, s.Validate(), c.want)
		_, err := DecodeControl(encodeControl(nil, &ControlPage{Major: 1, Seq: 2, Settings: s}))
		require.ErrorContains(t, err, c.want)
		_, control := newControl(t)
		require.NoError(t, control.Acquire(1, RankAll, 1))
		require.ErrorContains(t, control.Write(s), c.want)
	}
	s := testSettings()
	s.BasePeriod, s.DetailPeriod = 0, 0
	require.NoError(t, s.Validate(), "0 is off")
}

func TestSettingsThatCopyTooMuch(t *testing.T) {
	// Base and detail together, (stack_bytes + 1,024) × 1e9 / period: as in test/control_test.c of
	// the agent.
	for _, c := range []struct {
		mode         OpenMode
		stack        uint32
		base, detail time.Duration
		ok           bool
	}{
		{OpenByAgent, 32768, time.Millisecond, 0, true},
		{OpenByAgent, 65528, 2 * time.Millisecond, 0, true},
		{OpenByAgent, 32768, 500 * time.Microsecond, 0, false},
		{OpenByAgent, 32768, 50 * time.Millisecond, time.Millisecond, true},
		{OpenByAgent, 32768, time.Millisecond, 5 * time.Millisecond, false},
		{OpenByReader, 65528, MinPeriod, MinPeriod, true}, // whoever may open them needs no leave
	} {
		s := testSettings()
		s.Mode, s.StackBytes, s.BasePeriod, s.DetailPeriod = c.mode, c.stack, c.base, c.detail
		if c.ok {
			require.NoError(t, s.Validate(), "%+v", c)
		} else {
			require.ErrorContains(t, s.Validate(), "copy more than 40000000 bytes", "%+v", c)
		}
	}
}

func TestLease(t *testing.T) {
	const second = MonoTime(time.Second)
	m, a := newControl(t)
	b := openControl(t, m)
	require.ErrorContains(t, a.Acquire(0, RankAll, second), "owner 0")
	require.ErrorIs(t, a.Heartbeat(second), ErrLeaseLost)
	require.ErrorIs(t, a.Write(testSettings()), ErrLeaseLost)
	require.ErrorIs(t, a.Ack(8), ErrLeaseLost)
	_, err := a.RequestReplay()
	require.ErrorIs(t, err, ErrLeaseLost)
	require.NoError(t, a.Release())

	require.NoError(t, a.Acquire(11, RankAll, second))
	require.NoError(t, a.Acquire(11, RankAll, 2*second), "again")
	require.ErrorIs(t, b.Acquire(22, RankAll, 7*second), ErrLeaseHeld, "5 s old is fresh")
	require.NoError(t, a.Heartbeat(3*second))
	require.ErrorIs(t, b.Acquire(22, RankAll, 8*second), ErrLeaseHeld)
	require.ErrorIs(t, b.Acquire(22, RankAll, 2*second), ErrLeaseHeld, "a heartbeat of the near future is fresh")
	require.NoError(t, b.Acquire(22, RankAll, 8*second+1))
	require.ErrorIs(t, a.Heartbeat(9*second), ErrLeaseLost)
	require.ErrorIs(t, a.Write(testSettings()), ErrLeaseLost)
	require.NoError(t, a.Release(), "nothing to give back")

	page, err := DecodeControl(m.b)
	require.NoError(t, err)
	require.Equal(t, uint64(22), page.LeaseOwner)
	require.Equal(t, 8*second+1, page.LeaseHeartbeat)
	require.NoError(t, b.Release())
	require.NoError(t, a.Acquire(11, RankAll, 8*second+2), "given back")
	atomic.StoreUint64(word64(m.b, ctlHeartbeat), uint64(100*second))
	require.NoError(t, b.Acquire(22, RankAll, 9*second), "a heartbeat of the far future is garbage")
}

func TestTheHigherRankGoesFirst(t *testing.T) {
	const second = MonoTime(time.Second)
	const collector, selected, run, old = 1<<40 | 1, 2<<40 | 1, 3<<40 | 1, 4<<40 | 1
	m, page := newControl(t)
	shown := func() Rank {
		p, err := DecodeControl(m.b)
		require.NoError(t, err)
		return p.LeaseRank
	}
	a, b, c := page, openControl(t, m), openControl(t, m)
	require.NoError(t, a.Acquire(collector, RankAll, second))
	require.NoError(t, b.Acquire(selected, RankSelected, second), "fresh, but of lower rank")
	require.Equal(t, RankSelected, shown())
	require.ErrorIs(t, a.Heartbeat(second), ErrLeaseLost)
	require.ErrorIs(t, a.Acquire(collector, RankAll, second), ErrLeaseHeld)
	require.ErrorIs(t, a.Acquire(collector, RankSelected, second), ErrLeaseHeld, "equal ranks wait")
	require.NoError(t, c.Acquire(run, RankNamed, second))
	require.ErrorIs(t, b.Acquire(selected, RankSelected, 2*second), ErrLeaseHeld)
	require.ErrorContains(t, b.Acquire(selected, RankSelected, 2*second), "whose rank is 2")
	require.NoError(t, c.Release())
	require.NoError(t, a.Acquire(collector, RankAll, 2*second), "given back")

	require.NoError(t, c.Acquire(run, RankNamed, 3*second))
	require.NoError(t, a.Acquire(collector, RankAll, 9*second), "the rank of the dead does not count")
	require.Equal(t, RankAll, shown())

	// A reader that knows no ranks takes over from one that had a high one, which stays there.
	require.NoError(t, c.Acquire(run, RankNamed, 9*second))
	atomic.StoreUint64(word64(m.b, ctlOwner), old)
	require.Equal(t, RankAll, shown())
	require.NoError(t, b.Acquire(selected, RankSelected, 9*second))

	// An owner before us is late with its own rank: ours shows again with the next heartbeat.
	atomic.StoreUint32(word32(m.b, ctlRank), rankWord(collector, RankAll))
	require.Equal(t, RankAll, shown())
	require.NoError(t, b.Heartbeat(9*second))
	require.Equal(t, RankSelected, shown())

	require.ErrorContains(t, a.Acquire(collector, RankNamed+1, second), "rank 3")
}

// Of many readers that see the same stale lease exactly one gets it.
func TestLeaseRace(t *testing.T) {
	for range 200 {
		m, _ := newControl(t)
		atomic.StoreUint64(word64(m.b, ctlOwner), 99)
		var wg sync.WaitGroup
		var won atomic.Int32
		for i := range 4 {
			c := openControl(t, m)
			wg.Go(func() {
				err := c.Acquire(uint64(i+1), RankAll, MonoTime(time.Hour))
				if err == nil {
					won.Add(1)
				} else {
					require.ErrorIs(t, err, ErrLeaseHeld)
				}
			})
		}
		wg.Wait()
		require.Equal(t, int32(1), won.Load())
	}
}

// Whether the reader reads code is the holder's: the word fits no other lease, nor one more of the
// same reader. It never says again that no one has.
func TestReadCode(t *testing.T) {
	m, c := newControl(t)
	word := func() uint64 { return le.Uint64(m.b[664:]) }
	const was = ^uint64(77)
	require.ErrorIs(t, c.ReadCode(true), ErrLeaseLost)
	require.NoError(t, c.Acquire(77, RankAll, 1))
	require.Zero(t, word())
	require.False(t, c.CodeWasRead())
	require.NoError(t, c.ReadCode(true))
	require.EqualValues(t, 77, word())
	require.True(t, c.CodeWasRead())
	require.NoError(t, c.ReadCode(false))
	require.Equal(t, was, word())
	require.True(t, c.CodeWasRead())

	require.NoError(t, c.ReadCode(true))
	require.NoError(t, c.Release())
	other := openControl(t, m)
	require.NoError(t, other.Acquire(79, RankAll, 2))
	require.EqualValues(t, 77, word())
	require.True(t, other.CodeWasRead())
	require.NoError(t, other.Release())
	require.NoError(t, c.Acquire(77, RankAll, 3))
	require.Equal(t, was, word(), "a new lease of the first reader")
}

func TestControlWrites(t *testing.T) {
	m, c := newControl(t)
	require.NoError(t, c.Acquire(5, RankAll, 1))
	require.NoError(t, c.Write(testSettings()))
	require.NoError(t, c.Ack(4096))
	require.Zero(t, c.EventsRead())
	require.NoError(t, c.SetEventsRead(70))
	require.EqualValues(t, 70, c.EventsRead())
	generation, err := c.RequestReplay()
	require.NoError(t, err)
	require.Equal(t, uint32(1), generation)
	page, err := DecodeControl(m.b)
	require.NoError(t, err)
	require.Equal(t, ControlPage{
		Major: 1, LeaseOwner: 5, LeaseHeartbeat: 1, LeasePID: c.self.PID, Seq: 2, Settings: testSettings(), RecordsAck: 4096, ReplayRequest: 1,
	}, page)

	atomic.StoreUint32(word32(m.b, ctlSeq), 9) // a writer died in the middle
	require.NoError(t, c.Write(testSettings()))
	require.Equal(t, uint32(10), atomic.LoadUint32(word32(m.b, ctlSeq)))
	atomic.StoreUint32(word32(m.b, ctlSeq), math.MaxUint32-1)
	require.NoError(t, c.Write(testSettings()))
	require.Equal(t, uint32(2), atomic.LoadUint32(word32(m.b, ctlSeq)), "wraps, but 0 would mean that nothing was written")
	require.NoError(t, c.Close())
	require.NoError(t, c.Close())
}

func TestOpenControlRefusals(t *testing.T) {
	page := encodeControl(nil, &ControlPage{Major: 1})
	_, err := OpenControl(newMemory(t, page, 0).f)
	require.ErrorIs(t, err, ErrNotSealed)
	_, err = OpenControl(newMemory(t, make([]byte, ControlBytes), requiredSeals).f)
	require.ErrorIs(t, err, ErrNotReady)
	_, err = OpenControl(newMemory(t, encodeControl(nil, &ControlPage{Major: 2}), requiredSeals).f)
	require.ErrorIs(t, err, ErrVersion)
	_, err = OpenControl(newMemory(t, append(page, 0), requiredSeals).f)
	require.ErrorContains(t, err, "4097 bytes are not in 4096 … 4096")
}

func TestNow(t *testing.T) {
	a := Now()
	require.Positive(t, a)
	require.GreaterOrEqual(t, Now(), a)
}

// encodeControl appends the ControlBytes bytes of p to dst.
func encodeControl(dst []byte, p *ControlPage) []byte {
	b := alignedBytes(ControlBytes)
	copy(b, controlMagic)
	le.PutUint16(b[ctlMajor:], p.Major)
	le.PutUint16(b[ctlMinor:], p.Minor)
	le.PutUint64(b[ctlOwner:], p.LeaseOwner)
	le.PutUint64(b[ctlHeartbeat:], uint64(p.LeaseHeartbeat))
	le.PutUint32(b[ctlPID:], p.LeasePID)
	le.PutUint32(b[ctlRank:], rankWord(p.LeaseOwner, p.LeaseRank))
	le.PutUint32(b[ctlSeq:], p.Seq)
	p.Settings.store(b)
	le.PutUint64(b[ctlRecordsAck:], p.RecordsAck)
	le.PutUint32(b[ctlReplay:], p.ReplayRequest)
	return append(dst, b...)
}
