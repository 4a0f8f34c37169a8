package jvmlog

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestDeadHolders: a holder that is known to be dead is replaced at once, and only then.
func TestDeadHolders(t *testing.T) {
	const second = MonoTime(time.Second)
	m, first := newControl(t)
	next := openControl(t, m)
	self, other := Holder{PID: 3, Namespace: 5, StartTicks: 7}, Holder{PID: 4, Namespace: 5, StartTicks: 9}
	var asked []Holder
	dead := false
	first.Introduce(self, nil)
	next.Introduce(other, func(h Holder) bool {
		asked = append(asked, h)
		return dead
	})
	require.NoError(t, first.Acquire(11, RankSelected, second))
	require.ErrorIs(t, next.Acquire(22, RankAll, second), ErrLeaseHeld, "it lives")
	require.Equal(t, []Holder{self}, asked)

	dead = true
	start := word64(first.mem, ctlHolderStart)
	atomic.StoreUint64(start, 8)
	require.ErrorIs(t, next.Acquire(22, RankAll, second), ErrLeaseHeld, "a part of it is another reader's")
	require.Len(t, asked, 1)
	atomic.StoreUint64(start, 7)
	require.NoError(t, next.Acquire(22, RankAll, second))
	require.ErrorIs(t, first.Heartbeat(second), ErrLeaseLost)

	first.Introduce(self, func(h Holder) bool { return h == self })
	require.ErrorIs(t, first.Acquire(11, RankAll, second), ErrLeaseHeld, "the dead one is forgotten")
	next.Introduce(Holder{PID: 4}, nil)
	require.NoError(t, next.Acquire(22, RankAll, second))
	first.Introduce(self, func(Holder) bool { return true })
	require.ErrorIs(t, first.Acquire(11, RankAll, second), ErrLeaseHeld, "a holder whose namespace is not known")
}
