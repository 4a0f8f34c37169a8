package tasksample

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestFixedAndTail(t *testing.T) {
	fixed := Fixed{BaseHz: 10, DetailHz: 200, Fraction: 0.05, Least: 3}
	tail := Tail{Of: fixed, Multiple: 3, MinEnded: 7, Least: 100 * ms}
	tests := []struct {
		facts StageFacts
		want  time.Duration
	}{
		{StageFacts{}, 0},
		{StageFacts{Ended: 6, MedianCPU: time.Second}, 0},
		{StageFacts{Ended: 7, MedianCPU: time.Second}, 3 * time.Second},
		{StageFacts{Ended: 70, MedianCPU: 5 * ms}, 100 * ms},
	}
	for _, test := range tests {
		got := tail.Rates(test.facts)
		if want := (Rates{10, 200, 0.05, 3, test.want}); got != want {
			t.Errorf("%+v: %+v, want %+v", test.facts, got, want)
		}
	}
	if got := fixed.Rates(StageFacts{Partitions: 5}); got != Rates(fixed) {
		t.Errorf("%+v", got)
	}
}

func TestFacts(t *testing.T) {
	s := NewStage[int]()
	if got := s.Facts(); got != (StageFacts{}) {
		t.Errorf("%+v", got)
	}
	for _, cpu := range []time.Duration{3 * ms, 90 * ms, 100 * ms, 110 * ms, 9 * time.Second} {
		s.Add(nil, TierNone, cpu)
	}
	if got := s.Facts(); got.Ended != 5 || math.Abs(math.Log2(got.MedianCPU.Seconds()/0.1)) > 0.25 {
		t.Errorf("%+v", got)
	}
}

func TestBudget(t *testing.T) {
	b := &Budget{Of: Fixed{BaseHz: 20, DetailHz: 200, Fraction: 0.1}, NodeHz: 80, Smoothing: 10 * time.Second}
	near := func(name string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	near("nothing known", b.Rates(StageFacts{}).BaseHz, 20)
	b.Observe(2*time.Second, 0, time.Second) // 2 CPU: 80 samples a second
	near("just fits", b.Rates(StageFacts{}).BaseHz, 20)
	for range 1000 {
		b.Observe(8*time.Second, 0, time.Second) // 320 wanted
	}
	r := b.Rates(StageFacts{})
	if math.Abs(r.BaseHz-5) > 0.01 || math.Abs(r.DetailHz-50) > 0.1 || r.Fraction != 0.1 {
		t.Errorf("%+v, want a quarter", r)
	}
	for range 1000 {
		b.Observe(7*time.Second, 0, time.Second)
	}
	near("a change too small to set clocks again", b.Rates(StageFacts{}).BaseHz, r.BaseHz)
	b.Observe(-1, 0, time.Second)
	b.Observe(time.Second, -1, time.Second)
	b.Observe(time.Hour, 0, 0)
	near("readings that cannot be", b.Rates(StageFacts{}).BaseHz, r.BaseHz)
	small := &Budget{Of: Fixed{BaseHz: 20, DetailHz: 200, Fraction: 0.1, Least: 3}, NodeHz: 105}
	small.Observe(time.Second, 500*time.Millisecond, time.Second) // of stages of six partitions
	near("half of the CPU is in selected tasks", small.Rates(StageFacts{}).DetailHz, 175)
	near("no rates to scale", (&Budget{Of: Fixed{}, NodeHz: 1}).Rates(StageFacts{}).BaseHz, 0)
}

func TestRatesRefusals(t *testing.T) {
	tests := []struct {
		rates Rates
		want  string
	}{
		{Rates{BaseHz: 20, DetailHz: 200, Fraction: 0.05}, ""},
		{Rates{DetailHz: 200, Fraction: 0.1}, ""},
		{Rates{BaseHz: 1. / 60, DetailHz: 10_000}, ""},
		{Rates{BaseHz: -1}, "task_sampling::base_hz: -1, want 0.0167 to 10000, or 0 for none"},
		{Rates{BaseHz: math.NaN()}, "task_sampling::base_hz: NaN, want"},
		{Rates{BaseHz: 0.016}, "task_sampling::base_hz: 0.016, want"},
		{Rates{BaseHz: 1, DetailHz: 10_001}, "task_sampling::detail_hz: 10001, want"},
		{Rates{BaseHz: 1, Fraction: 1.5}, "task_sampling::fraction: 1.5, want 0 to 1"},
		{Rates{BaseHz: 1, Fraction: math.NaN()}, "task_sampling::fraction: NaN, want"},
		{Rates{DetailHz: 100}, "task_sampling::base_hz: 0 samples selected tasks only"},
	}
	for _, test := range tests {
		err := test.rates.Refusals("task_sampling::")
		if (err == nil) != (test.want == "") || (err != nil && !strings.HasPrefix(err.Error(), test.want)) {
			t.Errorf("%+v: %v, want %q", test.rates, err, test.want)
		}
	}
}
