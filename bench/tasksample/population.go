package main

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"
)

// tick is the CPU that a sample of the recording stands for: the unit of all truth.
const tick = time.Second / recordHz

// population is a recorded stage.
type population struct {
	Stage    string   `json:"stage"`
	Keys     []string `json:"keys"` // operators, and buckets in brackets; index: what Ticks hold
	Attempts []task   `json:"attempts"`

	// What follows is derived by prepare.
	repeats    int            // how often each recorded attempt is there
	bound      int            // partitions are 0 … bound-1
	attemptsOf map[int32]int  // :: partition → attempts
	shared     map[int32]bool // partitions with several attempts
}

// task is one attempt at a task.
type task struct {
	Partition int32         `json:"partition"`
	Failed    bool          `json:"failed,omitempty"` // or killed
	CPU       time.Duration `json:"cpu_ns"`           // by the thread's clock, for comparison: re-samplings go by ticks
	Ticks     []byte        `json:"ticks"`            // the key of each sample, in their order in time
}

// cpu is the CPU that re-samplings take for the attempt's.
func (t *task) cpu() time.Duration { return time.Duration(len(t.Ticks)) * tick }

// truth is the CPU of every key, and of all.
func (p *population) truth() (byKey []float64, all float64) {
	byKey = make([]float64, len(p.Keys))
	for _, t := range p.Attempts {
		for _, k := range t.Ticks {
			byKey[k] += float64(tick)
		}
		all += float64(t.cpu())
	}
	return byKey, all
}

// enlarge repeats the attempts as other partitions' until there are at least so many ticks, and
// returns how often each is there. So a small stage stands for one of more partitions of the same
// kind.
func (p *population) enlarge(ticks int) (repeats int) {
	have, once := 0, p.Attempts
	bound := int32(0)
	for _, t := range once {
		have += len(t.Ticks)
		bound = max(bound, t.Partition+1)
	}
	for repeats = 1; have > 0 && have*repeats < ticks; repeats++ {
		for _, t := range once {
			t.Partition += int32(repeats) * bound
			p.Attempts = append(p.Attempts, t)
		}
	}
	p.repeats = repeats
	p.prepare()
	return repeats
}

func (p *population) prepare() {
	p.bound, p.attemptsOf, p.shared = 0, map[int32]int{}, map[int32]bool{}
	for _, t := range p.Attempts {
		p.bound = max(p.bound, int(t.Partition)+1)
		p.attemptsOf[t.Partition]++
		if p.attemptsOf[t.Partition] > 1 {
			p.shared[t.Partition] = true
		}
	}
}

func (p *population) save(path string) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	z := gzip.NewWriter(f)
	err = errors.Join(json.NewEncoder(z).Encode(p), z.Close(), f.Close())
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

func load(path string) (*population, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only: nothing to lose
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	p := &population{}
	if err := json.NewDecoder(z).Decode(p); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, p.check(path)
}

func (p *population) check(path string) error {
	if len(p.Attempts) == 0 {
		return fmt.Errorf("%s: no attempts", path)
	}
	for i, t := range p.Attempts {
		for _, k := range t.Ticks {
			if int(k) >= len(p.Keys) {
				return fmt.Errorf("%s, attempt %d: key %d of %d", path, i, k, len(p.Keys))
			}
		}
	}
	return nil
}
