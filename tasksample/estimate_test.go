package tasksample

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
)

// stageOf makes a stage of equal units, each with so many samples of a and b that alternate as
// given.
func stageOf(units int, cpu time.Duration, tier Tier, keys string, weight time.Duration) *Stage[rune] {
	s := NewStage[rune]()
	for range units {
		var u Unit[rune]
		for _, k := range keys {
			u.Sample(k, weight)
		}
		s.Add(&u, tier, cpu)
	}
	return s
}

// By hand: 50 units of 1 s, 4 samples each, 3 of a and 1 of b in the order a b a a: two changes in
// three pairs.
func TestEstimateByHand(t *testing.T) {
	r := stageOf(50, time.Second, TierBase, "abaa", 250*ms).Estimate()
	if r.CPU != 50*time.Second || r.Units != 50 || r.Sampled != 50 || r.Samples != 200 || r.Unsampled != 0 || !r.Valid || r.Why != "" {
		t.Errorf("%+v", r)
	}
	a, b := r.Keys['a'], r.Keys['b']
	// Var(Σ Wa) = 50·(w²·¾·¼ + 2·w²/2), w = ¼ s.
	se := math.Sqrt(50 * (0.1875 + 1) / 16)
	if a.CPU != 37500*ms || b.CPU != 12500*ms || a.Samples != 150 || b.Samples != 50 || math.Abs(a.SE.Seconds()-se) > 1e-6 || a.SE != b.SE {
		t.Errorf("a %+v, b %+v, want SE %v", a, b, se)
	}
	if want := 50 * 50 * 0.1875 / (se * se); math.Abs(a.Effective-want) > 1e-3*want {
		t.Errorf("effective %v, want %v", a.Effective, want)
	}
	// Wilson's interval of ¾ with that many draws.
	n, z := a.Effective, 1.959964
	centre, half := (0.75+z*z/2/n)/(1+z*z/n), z/(1+z*z/n)*math.Sqrt(0.1875/n+z*z/4/n/n)
	if math.Abs(a.Low.Seconds()-50*(centre-half)) > 1e-4 || math.Abs(a.High.Seconds()-50*(centre+half)) > 1e-4 {
		t.Errorf("interval %v to %v, want %v ± %v", a.Low, a.High, 50*centre, 50*half)
	}
	// 200 draws without a third key: below 1 - 0.05^(1/200) with 95 %.
	if got := r.Unseen.Seconds(); math.Abs(got-50*0.014867) > 1e-3 {
		t.Errorf("unseen %v", got)
	}
}

// Without intervals all else is the same.
func TestEstimateWithoutIntervals(t *testing.T) {
	for _, s := range []*Stage[rune]{stageOf(50, time.Second, TierBase, "abaa", 250*ms), stageOf(10, time.Second, TierBase, "aaa", 333*ms), NewStage[rune]()} {
		want, got := s.Estimate(), s.EstimateWithoutIntervals()
		for key, e := range want.Keys {
			if e.High == 0 {
				t.Errorf("%q has no interval: %+v", key, e)
			}
			e.Low, e.High = 0, 0
			want.Keys[key] = e
		}
		if !reflect.DeepEqual(want, got) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

// A key that all of 30 samples show may have less: what a key that none shows may have is at most 1
// - 0.05^(1/30). Its standard error is a binomial's of p = 30.5/31 in 30 draws.
func TestOneKey(t *testing.T) {
	r := stageOf(10, time.Second, TierBase, "aaa", 333*ms).Estimate()
	a := r.Keys['a']
	if a.CPU != 10*time.Second || a.High != a.CPU || math.Abs(a.SE.Seconds()-10*math.Sqrt(30.5*0.5/31/31/30)) > 1e-6 ||
		math.Abs(a.Low.Seconds()-10*math.Pow(0.05, 1.0/30)) > 1e-6 {
		t.Errorf("%+v", a)
	}
}

// One sample at the end of a task has one neighbor that differs, so changes would give half of the
// variance of a draw. A single sample says nothing about blocks.
func TestOneSample(t *testing.T) {
	r := stageOf(1, time.Second, TierBase, "aaaaaaaaaaaaaaaaaaab", 50*ms).Estimate()
	b := r.Keys['b']
	if want := math.Sqrt(0.05 * 0.95 / 20); b.Samples != 1 || math.Abs(b.SE.Seconds()-want) > 1e-6 {
		t.Errorf("%+v, want a standard error of %.4f s", b, want)
	}
	// Ten of each: by changes between neighbors a tenth of the variance of draws, by leastDesign
	// no less than half.
	r = stageOf(1, time.Second, TierBase, "aaaaaaaaaabbbbbbbbbb", 50*ms).Estimate()
	if got, want := r.Keys['b'].SE.Seconds(), math.Sqrt(0.5*0.25/20); math.Abs(got-want) > 1e-6 {
		t.Errorf("standard error %.4f s of a block, want %.4f", got, want)
	}
}

func TestEstimateOfNothing(t *testing.T) {
	r := NewStage[rune]().Estimate()
	if r.CPU != 0 || len(r.Keys) != 0 || !r.Valid {
		t.Errorf("%+v", r)
	}
	s := NewStage[rune]()
	s.Add(nil, TierNone, time.Second)
	s.Add(nil, TierBase, time.Second)
	r = s.Estimate()
	if r.CPU != 2*time.Second || r.Unsampled != 2*time.Second || r.Valid || !strings.Contains(r.Why, "100 %") || r.Unseen != 2*time.Second {
		t.Errorf("%+v", r)
	}
}

// A node that has no selected unit can say nothing; merged with one that has, it can.
func TestPureCalibrationNeedsTheWholeStage(t *testing.T) {
	blind := NewStage[rune]()
	for range 90 {
		blind.Add(nil, TierNone, time.Second)
	}
	if r := blind.Estimate(); r.Valid || r.Unsampled != 90*time.Second {
		t.Errorf("%+v", r)
	}
	blind.Merge(stageOf(10, time.Second, TierSelected, "abab", 250*ms))
	r := blind.Estimate()
	if !r.Valid || r.CPU != 100*time.Second || r.Keys['a'].CPU != 50*time.Second || r.Unsampled != 0 {
		t.Errorf("%+v", r)
	}
	// All units alike: what is left is the clock's variance on the tenth that was sampled, at its
	// least design effect or more.
	if se := r.Keys['a'].SE; se <= 0 || se > 5*time.Second {
		t.Errorf("SE %v", se)
	}
}

func TestDomainOfValidity(t *testing.T) {
	tests := []struct {
		name  string
		more  func(*Stage[rune])
		valid bool
		why   string
	}{
		{"stragglers of 29 % unseen", func(s *Stage[rune]) {
			for range 5 {
				s.Add(nil, TierNone, 8*time.Second)
			}
		}, false, "29 % of the CPU is in tasks of "},
		{"stragglers of 4 % unseen", func(s *Stage[rune]) { s.Add(nil, TierNone, 4*time.Second) }, true, ""},
		{"stragglers promoted", func(s *Stage[rune]) {
			s.Merge(stageOf(5, 8*time.Second, TierPromoted, "bbbb", 2*time.Second))
		}, true, ""},
		{"four of eight seen", func(s *Stage[rune]) {
			s.Merge(stageOf(4, 8*time.Second, TierSelected, "bbbb", 2*time.Second))
			for range 4 {
				s.Add(nil, TierNone, 8*time.Second)
			}
		}, false, "of which 4 were sampled and 5 are needed"},
		{"five of ten seen", func(s *Stage[rune]) {
			s.Merge(stageOf(5, 8*time.Second, TierSelected, "bbbb", 2*time.Second))
			for range 5 {
				s.Add(nil, TierNone, 8*time.Second)
			}
		}, true, ""},
		{"fragments", func(s *Stage[rune]) {
			for range 8 {
				s.AddFragment(nil, TierNone, time.Second)
			}
		}, false, "7 % of the CPU is in attempts that ended apart"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := stageOf(10, time.Second, TierSelected, "aaab", 250*ms)
			for range 90 {
				s.Add(nil, TierNone, time.Second)
			}
			test.more(s)
			r := s.Estimate()
			if r.Valid != test.valid || !strings.Contains(r.Why, test.why) || (r.Why == "") != test.valid {
				t.Errorf("valid %v, %q", r.Valid, r.Why)
			}
			var sum time.Duration
			for _, e := range r.Keys {
				sum += e.CPU
				if e.Low > e.CPU || e.High < e.CPU || e.Low < 0 || e.High > r.CPU {
					t.Errorf("%+v of %v", e, r.CPU)
				}
			}
			if d := sum + r.Unsampled - r.CPU; d.Abs() > 2 {
				t.Errorf("keys and unsampled sum to %v, want %v", sum+r.Unsampled, r.CPU)
			}
		})
	}
	s := stageOf(100, time.Second, TierBase, "aaab", 250*ms)
	for range 10 {
		s.Add(nil, TierNone, time.Second)
	}
	if r := s.Estimate(); r.Valid || !strings.Contains(r.Why, "9 % of the CPU is in tasks whose clock could not be started") {
		t.Errorf("without clock: %v %q", r.Valid, r.Why)
	}
}

// The linearised variance of pure task sampling against the delete-one jackknife of the same ratio.
func TestLinearisedAgainstJackknife(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	s := lognormal(rng, 40, 0.4, 0.4, 0)
	type pair struct{ key, all float64 }
	var units []pair
	sums := Sums[int]{Keys: map[int]*KeySums{}}
	stage := NewStage[int]()
	for i, cpu := range s.cpu {
		u := s.unit(rng, i, 500)
		units = append(units, pair{u.keys[0].weight, u.weight})
		stage.Add(u, TierSelected, cpu)
	}
	for _, c := range stage.Cells {
		sums.merge(c)
	}
	got := ratioOf(&sums, 0)
	var key, all float64
	for _, u := range units {
		key, all = key+u.key, all+u.all
	}
	var jack float64
	n := float64(len(units))
	for _, u := range units {
		d := (key-u.key)/(all-u.all) - key/all
		jack += d * d * (n - 1) / n
	}
	if math.Abs(got.between/jack-1) > 0.1 {
		t.Errorf("linearised %v, jackknife %v", got.between, jack)
	}
}

// Horvitz-Thompson totals are unbiased through a change of rates in the middle of tasks.
func TestWeightsThroughChangesOfRate(t *testing.T) {
	const times = 5_000
	var sum, sum2 float64
	for i := range times {
		rng := rand.New(rand.NewPCG(9, uint64(i)))
		// 130 ms of a at 10 Hz, then 70 ms of b at 200 Hz besides; a clock each.
		var u Unit[rune]
		for at := rng.Float64() * 100; at < 130; at += 100 {
			u.Sample('a', 100*ms)
		}
		w := time.Second / 210
		for at := rng.Float64() * 5; at < 70; at += 5 {
			u.Sample('b', w)
		}
		for at := rng.Float64() * 100; at < 70; at += 100 {
			u.Sample('b', w)
		}
		x := u.keys['b'].weight/1e6 - 70
		sum, sum2 = sum+x, sum2+x*x
	}
	mean, se := sum/times, math.Sqrt(sum2)/times
	if math.Abs(mean) > 4*se {
		t.Errorf("bias %v ms, standard error %v", mean, se)
	}
}

// Tasks of one and a half periods whose middle third is b. Calibrated one by one, b is half as much
// again too large: a clock that fires once fires in the middle. Calibrated together it is right.
func TestShortTasksWithPhases(t *testing.T) {
	const units, period = 20_000, 90.0 // ms
	rng, stage, alone := rand.New(rand.NewPCG(6, 6)), NewStage[rune](), 0.0
	for range units {
		var u Unit[rune]
		for at := rng.Float64() * period; at < 1.5*period; at += period {
			key := 'a'
			if at >= 0.5*period && at < period {
				key = 'b'
			}
			u.Sample(key, 90*ms)
		}
		if b := u.keys['b']; b != nil {
			alone += b.weight / u.weight / units
		}
		stage.Add(&u, TierBase, 135*ms)
	}
	r := stage.Estimate()
	if share := r.Keys['b'].CPU.Seconds() / r.CPU.Seconds(); math.Abs(share-1.0/3) > 0.012 { // three standard errors
		t.Errorf("b has %.4f, want a third", share)
	}
	if math.Abs(alone-0.5) > 0.012 {
		t.Errorf("calibrated one by one b has %.4f, want a half", alone)
	}
}
