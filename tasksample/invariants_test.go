package tasksample

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// FuzzEstimate checks what every estimate must fulfill, for stages of any sort. Keys and the
// unsampled rest sum to the known CPU. Intervals contain their estimate and stay within the stage.
// Nothing is NaN, and two halves merge to the whole.
func FuzzEstimate(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(seed, uint8(seed*7), uint8(seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, units, shape uint8) {
		rng := rand.New(rand.NewPCG(seed, 1))
		halves, whole := [2]*Stage[int]{NewStage[int](), NewStage[int]()}, NewStage[int]()
		for i := range int(units) {
			cpu := min(time.Duration(1e8*math.Exp(float64(shape%5)*rng.NormFloat64()/2)), 10*time.Hour)
			tier := Tier(rng.IntN(int(tiers)))
			if shape&8 != 0 {
				tier = []Tier{TierNone, TierSelected}[rng.IntN(2)]
			}
			var u *Unit[int]
			if tier != TierNone && shape&16 == 0 {
				u = &Unit[int]{}
				for range rng.IntN(6) {
					u.Sample(rng.IntN(4), time.Duration(1+rng.Int64N(1e8)))
				}
			}
			halves[i%2].Add(u, tier, cpu)
			whole.Add(u, tier, cpu)
		}
		halves[0].Merge(halves[1])
		merged, r := halves[0].Estimate(), whole.Estimate()
		sum := r.Unsampled
		for key, e := range r.Keys {
			sum += e.CPU
			if e.CPU < 0 || e.SE < 0 || e.Low < 0 || e.Low > e.CPU || e.High < e.CPU || e.High > r.CPU+1 || math.IsNaN(e.Effective) {
				t.Errorf("key %d of %v: %+v", key, r.CPU, e)
			}
			if m := merged.Keys[key]; (m.CPU-e.CPU).Abs() > 2 || math.Abs(float64(m.SE-e.SE)) > 2+1e-6*float64(e.SE) {
				t.Errorf("key %d: merged %+v, whole %+v", key, m, e)
			}
		}
		if d := (sum - r.CPU).Abs(); d > time.Duration(len(r.Keys)+2) {
			t.Errorf("keys and unsampled sum to %v, want %v", sum, r.CPU)
		}
		if r.Units != uint64(units) || r.Unseen < 0 || r.Unseen > r.CPU || (r.Valid == (r.Why != "")) || merged.Valid != r.Valid {
			t.Errorf("%+v", r)
		}
	})
}
