package tasksample

import "time"

// Unit gathers the samples of one attempt at a task, in their order in time, and after its end
// the units of the partition's other attempts. K names what CPU is estimated for: an operator, a
// stack. The zero value is empty. Not safe for concurrent use.
//
// Each sample's weight is 1 / (the rate in force at that moment): the CPU that it stands for. Then
// Σ weights is unbiased however the rate changes in the middle of a task.
type Unit[K comparable] struct {
	keys    map[K]*unitKey
	samples uint64
	weight  float64 // Σ w, nanoseconds
	squares float64 // Σ w²
	first   float64 // w² of the first sample of each attempt
	last    K
	lastW   float64
}

// unitKey are the sums of one key of a unit.
type unitKey struct {
	samples uint64
	weight  float64
	changes float64 // Σ w·w'/2 over pairs of neighbouring samples of which exactly one is of this key
}

// Sample takes the next sample of the attempt. A weight that is not positive is an error of the
// caller's and is not taken.
func (u *Unit[K]) Sample(key K, weight time.Duration) {
	if weight <= 0 {
		return
	}
	w, k := float64(weight), u.key(key)
	k.samples++
	k.weight += w
	switch {
	case u.lastW == 0:
		u.first += w * w
	case u.last != key:
		c := w * u.lastW / 2
		k.changes += c
		u.keys[u.last].changes += c
	}
	u.last, u.lastW = key, w
	u.samples++
	u.weight += w
	u.squares += w * w
}

// Samples is the number of samples so far.
func (u *Unit[K]) Samples() uint64 { return u.samples }

func (u *Unit[K]) key(key K) *unitKey {
	k := u.keys[key]
	if k == nil {
		if u.keys == nil {
			u.keys = map[K]*unitKey{}
		}
		k = &unitKey{}
		u.keys[key] = k
	}
	return k
}

// Join adds another attempt at the same partition; o stays as it is.
func (u *Unit[K]) Join(o *Unit[K]) {
	for key, from := range o.keys {
		k := u.key(key)
		k.samples += from.samples
		k.weight += from.weight
		k.changes += from.changes
	}
	u.samples += o.samples
	u.weight += o.weight
	u.squares += o.squares
	u.first += o.first
	u.lastW = 0 // what follows is another attempt's
}
