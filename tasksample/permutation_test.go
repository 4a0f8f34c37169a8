package tasksample

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata")

// vector is a test vector for every implementation of the selection. Numbers of 64 bits are
// hexadecimal text: JSON has none.
type vector struct {
	Seed        string `json:"seed"`
	Application string `json:"application"`
	Run         uint64 `json:"run"`
	Stage       int32  `json:"stage"`
	Key         string `json:"key"`
	Partitions  uint32 `json:"partitions"`
	// Ranks are the ranks of the partitions Of.
	Of    []int32  `json:"of"`
	Ranks []uint32 `json:"ranks"`
}

func TestVectors(t *testing.T) {
	path := filepath.Join("testdata", "selection.json")
	if *update {
		writeVectors(t, path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) < 5 {
		t.Fatalf("%d vectors", len(all))
	}
	for _, v := range all {
		seed, err := strconv.ParseUint(v.Seed, 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		key := Key(seed, v.Application, v.Run, StageID(v.Stage))
		if got := fmt.Sprintf("%016x", key); got != v.Key {
			t.Errorf("key of %q, stage %d: %s, want %s", v.Application, v.Stage, got, v.Key)
		}
		for i, of := range v.Of {
			if got := NewPermutation(key, v.Partitions).Rank(PartitionID(of)); got != v.Ranks[i] {
				t.Errorf("rank of %d of %d under %s: %d, want %d", of, v.Partitions, v.Key, got, v.Ranks[i])
			}
		}
	}
}

func writeVectors(t *testing.T, path string) {
	all := []vector{
		{Seed: "0", Application: "", Stage: 0, Partitions: 1, Of: []int32{0, 1, -1}},
		{Seed: "0", Application: "local-1732190000000", Stage: 7, Partitions: 2, Of: []int32{0, 1, 2}},
		{Seed: "5", Application: "app-20261121195332-0003", Stage: 12, Partitions: 200, Of: []int32{0, 1, 2, 3, 99, 198, 199, 200}},
		{Seed: "ffffffffffffffff", Application: "application_1732190000000_0042", Run: 3, Stage: 2147483647, Partitions: 1000, Of: []int32{0, 17, 999}},
		{Seed: "8000000000000001", Application: "spärk", Run: 1 << 40, Stage: 1, Partitions: 65537, Of: []int32{0, 65536, 4711}},
		{Seed: "2a", Application: "spark-3f9c", Stage: 3, Partitions: math.MaxInt32, Of: []int32{0, 1, 2147483646, 2147483647}},
	}
	for i := range all {
		v := &all[i]
		seed, err := strconv.ParseUint(v.Seed, 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		key := Key(seed, v.Application, v.Run, StageID(v.Stage))
		v.Key = fmt.Sprintf("%016x", key)
		for _, of := range v.Of {
			v.Ranks = append(v.Ranks, NewPermutation(key, v.Partitions).Rank(PartitionID(of)))
		}
	}
	text, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(text, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestMixAgainstSplitMix64(t *testing.T) {
	// The first outputs of SplitMix64 seeded with 0 (Vigna's splitmix64.c).
	for i, want := range []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f} {
		state := uint64(golden)
		state *= uint64(i) + 1
		if got := mix(state); got != want {
			t.Errorf("output %d: %016x, want %016x", i, got, want)
		}
	}
}

func TestRankIsAPermutation(t *testing.T) {
	for _, n := range []uint32{1, 2, 3, 7, 8, 200, 1000, 65536} {
		seen := make([]bool, n)
		p := NewPermutation(Key(11, "app", 0, 5), n)
		for i := range n {
			r := p.Rank(PartitionID(i))
			if r >= n || seen[r] {
				t.Fatalf("of %d: rank %d of partition %d is out of range or taken", n, r, i)
			}
			seen[r] = true
		}
	}
}

// Every partition, and every pair of two, is among the first n as often as in a simple random
// sample: χ² over keys.
func TestSelectionIsSimpleRandom(t *testing.T) {
	const keys, units, n = 20_000, 20, 5
	single := make([]int, units)
	pairs := map[[2]int]int{}
	for k := range keys {
		s := NewSelection(Key(uint64(k), "application", 0, 3), units, 0.25, 1)
		var in []int
		for p := range units {
			if s.Selects(PartitionID(p)) {
				in = append(in, p)
			}
		}
		if len(in) != n {
			t.Fatalf("key %d: %d selected, want %d", k, len(in), n)
		}
		for i, a := range in {
			single[a]++
			for _, b := range in[i+1:] {
				pairs[[2]int{a, b}]++
			}
		}
	}
	chi := func(counts []int, p float64) float64 {
		sum := 0.0
		for _, c := range counts {
			d := float64(c) - keys*p
			sum += d * d / (keys * p * (1 - p))
		}
		return sum / float64(len(counts))
	}
	var of []int
	for a := range units {
		for b := a + 1; b < units; b++ {
			of = append(of, pairs[[2]int{a, b}])
		}
	}
	// The mean of k χ²(1) terms has a standard deviation of about √(2/k).
	if x := chi(single, 0.25); math.Abs(x-1) > 4*math.Sqrt(2.0/units) {
		t.Errorf("single inclusion: χ²/k = %.2f", x)
	}
	if x := chi(of, 0.25*4/19.0); math.Abs(x-1) > 4*math.Sqrt(2.0/190) {
		t.Errorf("joint inclusion: χ²/k = %.2f", x)
	}
}

func TestSelection(t *testing.T) {
	tests := []struct {
		name       string
		partitions uint32
		fraction   float64
		least      uint32
		units      uint32
		inclusion  float64
	}{
		{"a twentieth", 200, 0.05, 5, 10, 0.05},
		{"rounded up", 201, 0.05, 5, 11, 11.0 / 201},
		{"at least", 40, 0.05, 5, 5, 0.125},
		{"fewer than at least", 3, 0.05, 5, 3, 1},
		{"all", 7, 1, 2, 7, 1},
		{"more than all", 7, 3, 2, 7, 1},
		{"none", 7, 0, 5, 0, 0},
		{"not a number", 7, math.NaN(), 5, 0, 0},
		{"partitions unknown", 0, 0.3, 5, 0, 0.3},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := NewSelection(99, test.partitions, test.fraction, test.least)
			if s.Units() != test.units || math.Abs(s.Inclusion()-test.inclusion) > 1e-12 {
				t.Errorf("%d units, π %v; want %d, %v", s.Units(), s.Inclusion(), test.units, test.inclusion)
			}
			var in uint32
			for p := range test.partitions {
				if s.Selects(PartitionID(p)) {
					in++
				}
			}
			if in != test.units {
				t.Errorf("selects %d, want %d", in, test.units)
			}
		})
	}
}

func TestSelectionWithoutNumberOfPartitions(t *testing.T) {
	s, in := NewSelection(5, 0, 0.3, 5), 0
	for p := range PartitionID(10_000) {
		if s.Selects(p) {
			in++
		}
	}
	if in < 2850 || in > 3150 { // 3.3 standard deviations
		t.Errorf("%d of 10000 selected at 0.3", in)
	}
	if s.Selects(-1) || NewSelection(5, 10, 1, 1).Selects(-1) || NewSelection(5, 10, 1, 1).Selects(10) {
		t.Error("a partition that does not exist is selected")
	}
}

// A job that runs the first 20 of 200 partitions: each still has π.
func TestPartialJob(t *testing.T) {
	const keys = 5000
	in := 0
	for k := range uint64(keys) {
		s := NewSelection(Key(k, "take", 0, 1), 200, 0.1, 5)
		for p := range PartitionID(20) {
			if s.Selects(p) {
				in++
			}
		}
	}
	if mean := float64(in) / keys; math.Abs(mean-2) > 0.08 { // hypergeometric, standard deviation 1.28 / √5000
		t.Errorf("mean number selected %.3f, want 2", mean)
	}
}

func BenchmarkRank(b *testing.B) {
	p := NewPermutation(17, 200)
	for i := range b.N {
		p.Rank(PartitionID(i % 200))
	}
}

// Units is how many of the stage's units are selected; 0 where the number of partitions is not
// known.
func (s Selection) Units() uint32 { return s.n }

// Inclusion is the inclusion probability π of every unit of the stage.
func (s Selection) Inclusion() float64 {
	if s.permutation.partitions == 0 {
		return s.fraction
	}
	return float64(s.n) / float64(s.permutation.partitions)
}
