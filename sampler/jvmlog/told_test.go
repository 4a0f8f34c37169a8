package jvmlog

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A reader that follows a dead one learns what that had read and not handed on. One that follows a
// reader which gave the lease back learns that nothing is lost. Else it learns nothing.
func TestLost(t *testing.T) {
	const second = MonoTime(time.Second)
	m, first := newControl(t)
	require.ErrorIs(t, first.SetTold(Told{Before: 1}), ErrLeaseLost)
	follow := func(owner uint64, rank Rank, now MonoTime) (*Control, Lost) {
		c := openControl(t, m)
		require.NoError(t, c.Acquire(owner, rank, now))
		return c, c.Lost()
	}
	require.NoError(t, first.Acquire(11, RankAll, second))
	require.NoError(t, first.SetTold(Told{3 * second, 7}))
	require.NoError(t, first.Heartbeat(5*second))
	next1, lost := follow(22, RankAll, 20*second)
	require.Equal(t, Lost{3 * second, 5 * second, 7}, lost)

	_, lost = follow(33, RankAll, 40*second)
	require.Zero(t, lost, "the one before did not say, and what is there is of another")
	third, lost := follow(44, RankSelected, 41*second)
	require.Zero(t, lost, "it lives")
	require.NoError(t, third.SetTold(Told{Before: 42 * second}))
	require.NoError(t, third.Release())
	_, lost = follow(55, RankAll, 60*second)
	require.Zero(t, lost, "it was given back, and the one before has not said that it hands all on")
	require.ErrorIs(t, next1.SetTold(Told{Before: 61 * second}), ErrLeaseLost)
	next1.TellAll(61 * second) // does nothing
	last, _ := follow(57, RankSelected, 62*second)
	require.NoError(t, last.SetTold(Told{Before: 63 * second}))
	last.TellAll(64 * second)
	require.NoError(t, last.Release())
	_, lost = follow(59, RankAll, 65*second)
	require.Equal(t, Lost{From: 64 * second}, lost)

	fourth, _ := follow(66, RankAll, 80*second)
	require.NoError(t, fourth.SetTold(Told{Before: 81 * second}))
	next := openControl(t, m)
	next.Introduce(Holder{PID: 4, Namespace: 5, StartTicks: 9}, func(Holder) bool { return true })
	fourth.self = Holder{PID: 3, Namespace: 5, StartTicks: 7}
	fourth.storeHolder()
	require.NoError(t, fourth.Heartbeat(82*second))
	require.NoError(t, next.Acquire(77, RankAll, 82*second))
	require.Equal(t, Lost{From: 81 * second, To: 82 * second}, next.Lost(), "dead, though its heartbeat is fresh")
	require.NoError(t, next.SetTold(Told{Before: 83 * second}))
	require.NoError(t, next.Heartbeat(85*second))
	atomic.StoreUint64(word64(next.mem, ctlToldProof), 1)
	_, lost = follow(88, RankAll, 100*second)
	require.Zero(t, lost, "half of it is written")
}
