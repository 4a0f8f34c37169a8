package sampler

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/perfevent"
	"github.com/planflame/planflame/sampler/procfs"
	"github.com/planflame/planflame/tasksample"
)

// The next drain may be late only if no ring can fill, no stack goes on beyond its copy, and no
// task waits for its detail clock. It may never be so late that the lease is lost.
func TestDrainsAreLateWhereNothingIsLost(t *testing.T) {
	const (
		detail = 5 * time.Millisecond
		round  = 250 * time.Millisecond
		lease  = 700 * time.Millisecond
		long   = time.Second
	)
	live := Settings{RoundInterval: round}
	holds := func(d time.Duration) *jvm { return &jvm{rings: rings{holds: d}} }
	for name, c := range map[string]struct {
		settings Settings
		jvm      *jvm
		want     time.Duration
	}{
		"nothing runs":                                   {live, &jvm{}, round},
		"rounds come with every drain":                   {Settings{}, &jvm{}, 2 * DefaultDrainInterval},
		"rings hold more than a round":                   {live, holds(600 * time.Millisecond), round},
		"a third of one":                                 {live, holds(170 * time.Millisecond), round / 3},
		"a part of one, rounded down":                    {live, holds(150 * time.Millisecond), round / 4},
		"next to nothing":                                {live, holds(3 * time.Millisecond), DefaultDrainInterval},
		"a ring was late":                                {live, &jvm{rings: rings{fullest: 0.7, holds: time.Second}}, DefaultDrainInterval},
		"a ring is as full as may be":                    {live, &jvm{rings: rings{fullest: 0.5, holds: time.Second}}, round},
		"a deep stack":                                   {live, &jvm{rings: rings{deep: true}}, DefaultDrainInterval},
		"a deep stack a moment ago":                      {live, &jvm{rings: rings{deepAt: jvmlog.Now()}}, DefaultDrainInterval},
		"a deep stack of long ago":                       {live, &jvm{rings: rings{deepAt: jvmlog.Now() - deepFor}}, round},
		"detail clocks are switched here":                {Settings{DetailPeriod: detail, RoundInterval: round}, &jvm{info: JVM{Mode: ModePrivileged}, rates: rates{running: map[uint32]running{7: {}}}}, 2 * DefaultDrainInterval},
		"and no task runs":                               {Settings{DetailPeriod: detail, RoundInterval: round}, &jvm{info: JVM{Mode: ModePrivileged}}, round / 2},
		"by the agent, which gives rings to new threads": {Settings{BasePeriod: detail, RoundInterval: round}, &jvm{info: JVM{Mode: ModeSelfOpened}, rates: rates{now: tasksample.Rates{BaseHz: 200}}}, round / 4},
		"they are always on":                             {Settings{BasePeriod: NoBase, DetailPeriod: detail, RoundInterval: round}, &jvm{info: JVM{Mode: ModePrivileged}}, round},
		"rounds are longer than a new thread waits":      {Settings{RoundInterval: long}, &jvm{}, 250 * time.Millisecond},
		"a part of a long one, rounded down":             {Settings{RoundInterval: long}, holds(340 * time.Millisecond), long / 6},
		"a set interval is longer than a thread waits":   {Settings{RoundInterval: long, DrainInterval: 300 * time.Millisecond}, &jvm{}, long / 2},
		"the lease needs a sign of life":                 {Settings{DrainInterval: lease, RoundInterval: lease}, &jvm{}, time.Second},
		"that is late already":                           {Settings{DrainInterval: 2 * time.Second}, &jvm{}, 2 * time.Second},
	} {
		s := idle(t)
		s.settings = c.settings.withDefaults()
		c.jvm.settings = s.settings
		s.jvms[procfs.Identity{PID: 7}] = c.jvm
		assert.Equal(t, c.want, s.drainInterval(), name)
	}
}

// While this sampler has a thread's detail clock off, the ring holds what the base clock brings for
// longer.
func TestRingsHoldMoreWhileNoTaskIsWatchedClosely(t *testing.T) {
	const closely, unwatched = 130 * time.Millisecond, 1500 * time.Millisecond
	event := &perfevent.Event{}
	r := rings{threads: map[threadKey]*thread{{tid: 5}: {event: event, closely: noTask, holds: closely, unwatched: unwatched}}}
	assert.Equal(t, time.Duration(math.MaxInt64), r.holdFor(), "nothing was drained")
	r.drain()
	assert.Equal(t, unwatched, r.holdFor())
	watched := &thread{event: event, closely: 3, holds: closely, unwatched: unwatched}
	r.mind(watched)
	assert.Equal(t, closely, r.holdFor(), "one that has just come")
	r.threads[threadKey{tid: 7}] = watched
	r.drain()
	assert.Equal(t, closely, r.holdFor(), "the least")
	clear(r.threads)
	r.drain()
	assert.Equal(t, time.Duration(math.MaxInt64), r.holdFor())
}

func TestHowLongARingHoldsWhatComes(t *testing.T) {
	const stack = 32768
	for name, c := range map[string]struct {
		pages        int
		base, detail time.Duration
		want         time.Duration
	}{
		"20 Hz":               {64, 50 * time.Millisecond, 0, 376 * time.Millisecond}, // 7.53 samples
		"200 Hz":              {256, 5 * time.Millisecond, 0, 150 * time.Millisecond},
		"20 Hz and 200 Hz":    {256, 50 * time.Millisecond, 5*time.Millisecond + 1, 136 * time.Millisecond},
		"200 Hz of some":      {256, 0, 5 * time.Millisecond, 150 * time.Millisecond},
		"memory is locked":    {16, 5 * time.Millisecond, 0, 9 * time.Millisecond},
		"no clock of its own": {64, 0, 0, time.Duration(math.MaxInt64).Truncate(time.Millisecond)},
	} {
		assert.Equal(t, c.want, holdsFor(c.pages, stack, c.base, c.detail).Truncate(time.Millisecond), name)
	}
}

func TestSamplesThatCannotWaitBringTheRound(t *testing.T) {
	for name, c := range map[string]struct {
		rings *rings
		want  bool
	}{
		"none":                         {&rings{}, false},
		"a few":                        {&rings{held: heldSamples{bytes: mostWaitingBytes}}, false},
		"many":                         {&rings{held: heldSamples{bytes: mostWaitingBytes + 1}}, true},
		"a stack goes on in memory":    {&rings{deep: true}, true},
		"one did before the last take": {&rings{deepAt: jvmlog.Now()}, false},
	} {
		assert.Equal(t, c.want, c.rings.urgent(), name)
	}
}

// Rounds may be a second apart; task events are overwritten by then where tasks are tiny.
func TestALogThatFillsUpBringsTheRound(t *testing.T) {
	const slots, records = 64, 4096
	h := jvmlog.Header{
		Major: jvmlog.Major, State: jvmlog.StateLive, ThreadsOffset: jvmlog.HeaderBytes, ThreadSlots: 1,
		EventsOffset: jvmlog.HeaderBytes + jvmlog.ThreadSlotBytes, EventSlots: slots, RecordsBytes: records,
	}
	h.RecordsOffset = h.EventsOffset + slots*jvmlog.TaskEventBytes
	h.TotalBytes = h.RecordsOffset + records
	now := time.Now()
	later := now.Add(time.Minute)
	for name, c := range map[string]struct {
		events, committed uint64
		want              time.Time
	}{
		"nothing is new":        {100, 5000, later},
		"a quarter is":          {100 + slots/4, 5000 + records/4, later},
		"more task events":      {101 + slots/4, 5000, now},
		"more bytes of records": {100, 5008 + records/4, now},
	} {
		h.EventsHead, h.RecordsCommitted = c.events, c.committed
		log, err := jvmlog.FromBytes(append(jvmlog.EncodeHeader(nil, &h), make([]byte, h.TotalBytes-jvmlog.HeaderBytes)...))
		require.NoError(t, err)
		j := &jvm{log: log, due: later, nextEvent: 100, nextRecord: 5000}
		j.drain(now)
		assert.Equal(t, c.want, j.due, name)
		require.NoError(t, log.Close())
	}
}

func TestLogFill(t *testing.T) {
	for name, c := range map[string]struct {
		read uint64
		h    jvmlog.Header
		want float64
	}{
		"nothing is new":            {900, jvmlog.Header{RecordsBytes: 100, RecordsCommitted: 900}, 0},
		"a quarter waits":           {900, jvmlog.Header{RecordsBytes: 100, RecordsCommitted: 925}, 0.25},
		"it cannot hold more":       {900, jvmlog.Header{RecordsBytes: 100, RecordsCommitted: 1900}, 1},
		"read since the header was": {950, jvmlog.Header{RecordsBytes: 100, RecordsCommitted: 925}, 0},
		"no log":                    {0, jvmlog.Header{RecordsCommitted: 5}, 0},
	} {
		assert.InDelta(t, c.want, (&jvm{nextRecord: c.read}).logFill(&c.h), 1e-9, name)
	}
}

// The most that a log has held since somebody asked is told once.
func TestLogFillBeginsAnewWhenAskedFor(t *testing.T) {
	s := idle(t)
	for _, fill := range []float64{0.5, 0.25} {
		s.counts.LogFill = fill
		s.publish()
	}
	assert.InDelta(t, 0.5, s.Totals().LogFill, 1e-9)
	assert.Zero(t, s.Totals().LogFill)
	s.counts.LogFill = 0.125
	s.publish()
	assert.InDelta(t, 0.125, s.Totals().LogFill, 1e-9)
}

func TestWhatTheAgentDropsIsAskedForAgain(t *testing.T) {
	j, now := &jvm{}, time.Now()
	lacks := func(dropped uint64, replayed uint32, after time.Duration) bool {
		now = now.Add(after)
		return j.lacks(&jvmlog.Header{DroppedRecords: dropped, ReplayGeneration: replayed}, now)
	}
	assert.False(t, lacks(0, 0, time.Second))
	assert.True(t, lacks(3, 0, time.Second), "no replay has been asked for")
	j.replay = 1
	assert.False(t, lacks(5, 0, time.Second), "within the replay")
	assert.False(t, lacks(5, 1, time.Second), "so soon after the last")
	assert.True(t, lacks(5, 1, time.Minute), "what was dropped in the replay")
	assert.False(t, lacks(5, 1, time.Minute), "once")
}
