package tasksample

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

const ms = time.Millisecond

func TestUnitSums(t *testing.T) {
	var u Unit[string]
	for _, s := range []struct {
		key string
		w   time.Duration
	}{{"scan", 4}, {"scan", 4}, {"sort", 4}, {"scan", 10}, {"", 0}, {"x", -1}, {"sort", 10}} {
		u.Sample(s.key, s.w)
	}
	s := NewStage[string]()
	s.Add(&u, TierPromoted, 33)
	c := s.Cells[Cell{ClassOf(33), TierPromoted}]
	if c.Units != 1 || c.CPU != 33 || c.Samples != 5 || c.Weight != 32 || c.WeightUnits != 1024 || c.Squares != 16*3+200 || c.First != 16 || len(c.Keys) != 2 {
		t.Errorf("cell %+v", *c)
	}
	// Changes between neighbors: 4·4/2 + 4·10/2 + 10·10/2, of both keys alike.
	if got, want := *c.Keys["scan"], (KeySums{Samples: 3, Weight: 18, Changes: 78, Square: 324, Cross: 576}); got != want {
		t.Errorf("scan %+v, want %+v", got, want)
	}
	if got, want := *c.Keys["sort"], (KeySums{Samples: 2, Weight: 14, Changes: 78, Square: 196, Cross: 448}); got != want {
		t.Errorf("sort %+v, want %+v", got, want)
	}
}

func TestClassOf(t *testing.T) {
	for cpu, want := range map[time.Duration]Class{-5: 0, 0: 0, 1: 0, 2: 2, 3: 3, 1024: 20, 1449: 21, 2047: 21, 2048: 22, math.MaxInt64: 126} {
		if got := ClassOf(cpu); got != want {
			t.Errorf("ClassOf(%d) = %d, want %d", cpu, got, want)
		}
	}
}

// cell is the only cell of a stage.
func cell(t *testing.T, s *Stage[string]) (Cell, *Sums[string]) {
	t.Helper()
	if s == nil || len(s.Cells) != 1 {
		t.Fatalf("not one cell: %+v", s)
	}
	for id, c := range s.Cells {
		return id, c
	}
	return Cell{}, nil
}

// Each of the written rules for attempts.
func TestAttempts(t *testing.T) {
	first, retry := Attempt{ID: 3, Stage: 5, Partition: 7}, Attempt{ID: 11, Stage: 5, Partition: 7}
	t.Run("a retry joins the attempt that failed", func(t *testing.T) {
		r := NewRecorder[string](0)
		r.Sample(first, "scan", 10*ms)
		r.End(first, AttemptEnd{CPU: 12 * ms, Tier: TierBase, Failed: true})
		if got := r.Take(); len(got) != 0 {
			t.Fatalf("statistics of a unit that is not finished: %v", got)
		}
		r.Sample(retry, "sort", 10*ms)
		r.End(retry, AttemptEnd{CPU: 30 * ms, Tier: TierPromoted})
		s := r.Take()[5]
		id, c := cell(t, s)
		if id.Tier != TierPromoted || c.Units != 1 || c.CPU != float64(42*ms) || c.Samples != 2 || s.Fragments != 0 || c.First != 2*float64(10*ms)*float64(10*ms) {
			t.Errorf("%+v %+v, %d fragments", id, *c, s.Fragments)
		}
	})
	t.Run("the speculative copy that lost is a fragment", func(t *testing.T) {
		r := NewRecorder[string](0)
		r.Sample(first, "scan", 10*ms)
		r.Sample(retry, "scan", 10*ms)
		r.End(first, AttemptEnd{CPU: 20 * ms, Tier: TierBase})
		r.End(retry, AttemptEnd{CPU: 20 * ms, Tier: TierBase, Failed: true})
		r.Flush(4)
		if s := r.Take()[5]; s.Fragments != 0 {
			t.Error("flushing another stage made a fragment")
		}
		r.Flush(5)
		s := r.Take()[5]
		if _, c := cell(t, s); c.Units != 1 || s.Fragments != 1 || s.FragmentsCPU != float64(20*ms) {
			t.Errorf("%+v, %d fragments of %v", *c, s.Fragments, s.FragmentsCPU)
		}
	})
	t.Run("what still runs is provisional", func(t *testing.T) {
		r := NewRecorder[string](0)
		r.Sample(first, "scan", 10*ms)
		r.Sample(first, "sort", 5*ms)
		r.Sample(first, "scan", 10*ms)
		var got []string
		r.Open(func(stage StageID, key string, w time.Duration, n uint64) {
			got = append(got, fmt.Sprint(stage, " ", key, " ", w, " ", n))
		})
		if len(r.Take()) != 0 || len(got) != 2 || (got[0] != "5 scan 20ms 2" && got[1] != "5 scan 20ms 2") {
			t.Errorf("open %q", got)
		}
	})
	t.Run("attempts that never end are bounded", func(t *testing.T) {
		r := NewRecorder[string](2)
		for i := range 40 {
			r.Sample(Attempt{ID: TaskAttemptID(i), Stage: 5, Partition: PartitionID(i)}, "scan", ms)
			if len(r.open) > 4 || r.open[TaskAttemptID(i)] == nil || i > 0 && r.open[TaskAttemptID(i-1)] == nil {
				t.Fatalf("after attempt %d: %d are open", i, len(r.open))
			}
		}
	})
	t.Run("an end without samples", func(t *testing.T) {
		r := NewRecorder[string](0)
		r.End(first, AttemptEnd{CPU: 7 * ms, Tier: TierNone})
		if _, c := cell(t, r.Take()[5]); c.Units != 1 || c.Samples != 0 || c.CPU != float64(7*ms) {
			t.Errorf("%+v", *c)
		}
	})
	t.Run("waiting attempts are bounded", func(t *testing.T) {
		r := NewRecorder[string](2)
		for i := range 40 {
			a := Attempt{ID: TaskAttemptID(i), Stage: 5, Partition: PartitionID(i)}
			r.End(a, AttemptEnd{CPU: ms, Tier: TierBase, Failed: true})
			if i%2 == 0 {
				r.End(a, AttemptEnd{CPU: ms, Tier: TierBase})
			}
		}
		if len(r.waiting) > 2 || len(r.order) > 21 {
			t.Errorf("%d waiting, %d in order", len(r.waiting), len(r.order))
		}
		r.FlushAll()
		if s := r.Take()[5]; s.Fragments != 20 || s.FragmentsCPU != float64(20*ms) {
			t.Errorf("%d fragments of %v, want 20", s.Fragments, s.FragmentsCPU)
		}
	})
}

// Three nodes and ten windows merge to what one node in one window has: variances add over units,
// never over windows.
func TestMergeIsWhatOneWouldHaveComputed(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	s := lognormal(rng, 300, 0.8, 0.3, 0.05)
	one := NewRecorder[int](0)
	nodes := [3]*Recorder[int]{NewRecorder[int](0), NewRecorder[int](0), NewRecorder[int](0)}
	merged := NewStage[int]()
	type step struct {
		unit, key int
		w         time.Duration
		end       bool
	}
	// Units run side by side, so that each spans several windows.
	var steps []step
	var of [][]step
	for i := range s.cpu {
		var mine []step
		period := time.Second / 50
		for at := time.Duration(rng.Int64N(int64(period))); at < s.cpu[i]; at += period {
			mine = append(mine, step{unit: i, key: rng.IntN(3), w: period})
		}
		of = append(of, append(mine, step{unit: i, end: true}))
	}
	for left := len(of); left > 0; {
		i := rng.IntN(len(of))
		if len(of[i]) > 0 {
			steps = append(steps, of[i][0])
			if of[i] = of[i][1:]; len(of[i]) == 0 {
				left--
			}
		}
	}
	for n, x := range steps {
		a, node := Attempt{ID: TaskAttemptID(x.unit), Stage: 1, Partition: PartitionID(x.unit)}, nodes[x.unit%3]
		if x.end {
			e := AttemptEnd{CPU: s.cpu[x.unit], Tier: []Tier{TierBase, TierSelected}[x.unit%2]}
			one.End(a, e)
			node.End(a, e)
		} else {
			one.Sample(a, x.key, x.w)
			node.Sample(a, x.key, x.w)
		}
		if n%(len(steps)/10) == 0 {
			for _, node := range nodes {
				for _, w := range node.Take() {
					merged.Merge(w)
				}
			}
		}
	}
	for _, node := range nodes {
		for _, w := range node.Take() {
			merged.Merge(w)
		}
	}
	want, got := one.Take()[1].Estimate(), merged.Estimate()
	if len(want.Keys) != 3 || got.Units != 300 || got.Units != want.Units || got.Samples != want.Samples || got.Valid != want.Valid || got.Why != want.Why {
		t.Errorf("%+v, want %+v", got, want)
	}
	for k, w := range want.Keys {
		g := got.Keys[k]
		for _, d := range []time.Duration{g.CPU - w.CPU, g.SE - w.SE, g.Low - w.Low, g.High - w.High} {
			if d.Abs() > 1 { // one nanosecond: rounding
				t.Errorf("key %d: %+v, want %+v", k, g, w)
			}
		}
		if math.Abs(g.Effective/w.Effective-1) > 1e-9 {
			t.Errorf("key %d: effective %v, want %v", k, g.Effective, w.Effective)
		}
	}
}

func TestWhere(t *testing.T) {
	s := stageOf(3, time.Second, TierBase, "aab", 100*ms)
	s.Merge(stageOf(5, 8*time.Second, TierPromoted, "bbbb", 100*ms))
	r := s.Where(func(c Cell) bool { return c.Tier == TierPromoted }).Estimate()
	if r.Units != 5 || r.CPU != 40*time.Second || r.Keys['b'].CPU != 40*time.Second {
		t.Errorf("%+v", r)
	}
}
