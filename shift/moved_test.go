package shift_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/shift"
)

// The two operators of these tests: a small one that becomes more expensive, and a larger neighbor
// that may become cheaper by as much CPU.
const small, large = 4, 0

// neighbours is a query of which two operators have a tenth and a quarter of the CPU, after 25
// runs.
func neighbours(t *testing.T) *history {
	h := newHistory(t, calm(), nil)
	h.query.Weigh(large, 0.25)
	h.query.Weigh(small, 0.1)
	h.query.Operators[large].SD, h.query.Operators[small].SD = 0.015, 0.02
	h.run(25)
	require.Empty(t, h.kinds())
	return h
}

// trade makes the small operator cost so many times what it did, and takes this part of the growth
// away from the large one.
func (h *history) trade(times, part float64) {
	share := func(i int) float64 { return h.query.Operators[i].Share }
	h.query.Operators[small].Factor = times
	h.query.Operators[large].Factor = 1 - part*(times-1)*share(small)/share(large)
}

// Cost that moves between operators of a stage is told as that, and is the new normal of both;
// likewise when it moves back.
func TestCostMoves(t *testing.T) {
	h := neighbours(t)
	h.trade(1.5, 1)
	h.run(40)
	require.Equal(t, []shift.Kind{shift.Moved}, h.kinds())
	e := h.events[0]
	require.Len(t, e.Changes, 2)
	assert.ElementsMatch(t, []string{h.query.Operators[small].ID, h.query.Operators[large].ID}, []string{e.Changes[0].Operator, e.Changes[1].Operator})
	assert.InDelta(t, 0, e.Changes[0].To-e.Changes[0].From+e.Changes[1].To-e.Changes[1].From, 0.3*abs(e.Changes[0].To-e.Changes[0].From))
	assert.Equal(t, int64(25), e.SinceRun.Execution)
	assert.Equal(t, int64(24), e.BeforeRun.Execution)
	assert.False(t, e.Kind.Alarm())
	for _, i := range []int{small, large} {
		v := h.verdict(i)
		assert.Equal(t, shift.Judged, v.Status)
		assert.Zero(t, v.Active.Ratio)
		assert.InDelta(t, 1, v.Ratio, 0.1)
	}

	h.query.Operators[small].Factor, h.query.Operators[large].Factor = 1, 1
	h.run(40)
	assert.Equal(t, []shift.Kind{shift.Moved, shift.Moved}, h.kinds())
}

// Where the neighbor becomes cheaper by less than the operator more expensive, or by nothing, or
// is of another stage, that is a shift.
func TestMoreExpensiveIsNotMoved(t *testing.T) {
	for name, is := range map[string]struct{ times, part float64 }{"alone": {1.5, 0}, "half": {1.5, 0.4}, "most, and both more expensive": {2.5, 0.6}} {
		t.Run(name, func(t *testing.T) {
			h := neighbours(t)
			h.trade(is.times, is.part)
			h.run(6)
			assert.NotContains(t, h.kinds(), shift.Moved)
			require.Contains(t, h.kinds(), shift.Shift)
			for _, e := range h.events {
				if e.Kind == shift.Shift {
					assert.Equal(t, h.query.Operators[small].ID, e.Changes[0].Operator)
				}
			}
		})
	}
	t.Run("a little of a large one", func(t *testing.T) {
		n := calm()
		n.Operator = 0.003
		h := newHistory(t, n, nil)
		h.query.Samples = 500_000
		h.query.Weigh(large, 0.7)
		h.query.Weigh(small, 0.08)
		h.run(25)
		h.trade(1.5, 0.4) // both read as one operator are more expensive by 3 %
		h.run(8)
		assert.NotContains(t, h.kinds(), shift.Moved)
		assert.Contains(t, h.kinds(), shift.Shift)
	})
	t.Run("of another stage", func(t *testing.T) {
		h := newHistory(t, calm(), nil)
		h.query.Weigh(large, 0.25)
		h.query.Weigh(small, 0.1)
		run := func() {
			r := h.query.Run()
			for i := range r.Operators {
				if r.Operators[i].Operator == h.query.Operators[large].ID {
					r.Operators[i].Stage = "scan@another"
				}
			}
			h.add(r)
		}
		for range 25 {
			run()
		}
		h.trade(1.5, 1)
		for range 6 {
			run()
		}
		assert.ElementsMatch(t, []shift.Kind{shift.Shift, shift.Cheaper}, h.kinds())
	})
}

// A shift that stands is over when a neighbor becomes cheaper by as much soon after: together they
// cost what they did.
func TestShiftThatMoves(t *testing.T) {
	h := neighbours(t)
	h.trade(1.5, 0)
	h.run(4)
	require.Equal(t, []shift.Kind{shift.Shift}, h.kinds())
	h.trade(1.5, 1)
	h.run(6)
	require.Equal(t, []shift.Kind{shift.Shift, shift.Moved}, h.kinds())
	assert.Zero(t, h.verdict(small).Active.Ratio)
	h.run(30)
	assert.Equal(t, []shift.Kind{shift.Shift, shift.Moved}, h.kinds())
}

// What a neighbor has saved for some time hides no shift.
func TestSavingOfLongAgoHidesNoShift(t *testing.T) {
	h := neighbours(t)
	h.trade(1.5, 1)
	h.query.Operators[small].Factor = 1
	h.run(12)
	require.Equal(t, []shift.Kind{shift.Cheaper}, h.kinds())
	h.trade(1.5, 1)
	h.run(6)
	require.Equal(t, []shift.Kind{shift.Cheaper, shift.Shift}, h.kinds())
	assert.Equal(t, h.query.Operators[small].ID, h.events[len(h.events)-1].Changes[0].Operator)
}

func abs(x float64) float64 { return max(x, -x) }

// What a shift takes along within its stage is no shift of its own, now or when it is over. The
// same change without it is.
func TestShadowIsNotAShift(t *testing.T) {
	for name, factor := range map[string]float64{"beside": 4, "alone": 1} {
		t.Run(name, func(t *testing.T) {
			n := calm()
			n.Operator = 0.003
			h := newHistory(t, n, nil)
			h.query.Samples = 500_000
			h.query.Weigh(large, 0.7)
			h.query.Weigh(small, 0.01)
			h.run(25)
			require.Empty(t, h.kinds())
			h.query.Operators[large].Factor = factor
			h.query.Operators[small].Factor = 4 // a fiftieth of what the large one grows by
			h.run(10)
			var told []string
			for _, e := range h.events {
				for _, c := range e.Changes {
					told = append(told, string(e.Kind)+" "+c.Operator)
				}
			}
			if factor == 1 {
				assert.Equal(t, []string{"shift " + h.query.Operators[small].ID}, told)
				return
			}
			assert.Equal(t, []string{"shift " + h.query.Operators[large].ID}, told)
			assert.Zero(t, h.verdict(small).Active.Ratio)

			h.query.Operators[large].Factor, h.query.Operators[small].Factor = 1, 1
			h.run(40)
			for _, e := range h.events[1:] {
				assert.False(t, e.Kind.Alarm())
			}
			assert.Zero(t, h.verdict(large).Active.Ratio)
		})
	}
}
