package exporter

import (
	"hash/maphash"
	"sync"
	"time"

	"github.com/google/pprof/profile"

	"github.com/planflame/planflame/exporter/push"
)

// stamps gives each pushed profile of a series a time of its own. Pyroscope's v1 storage shows one
// profile for each series and millisecond. Two processes on a host often share their labels and the
// begin of their window, and so do the parts of a split profile. A part keeps its time until it is
// known to be stored: an earlier push may have stored it, and storage then shows it once. Safe for
// concurrent use.
type stamps struct {
	seed    maphash.Seed
	mu      sync.Mutex
	used    map[stamp]struct{}
	ring    []stamp // the oldest at next, once it is full
	next    int
	waiting map[pushed]waiting // for another push
}

// waiting is a part whose last push failed.
type waiting struct {
	at        time.Time
	unsettled bool // a push may have stored it
}

// pushed names a part of a series: another conversion of the same samples has the same name.
type pushed struct {
	series  string
	at      int64 // the begin of its window, in nanoseconds
	samples int
	value   int64 // the sum of its first values
}

// stamp is a series and a time in units of push.Resolution. Two series with one hash share their
// times.
type stamp struct {
	series uint64 // hash
	at     int64
}

// stampMemory is how many stamps are remembered: some minutes of pushes.
const stampMemory = 1 << 14

func newStamps() *stamps {
	return &stamps{seed: maphash.MakeSeed(), used: map[stamp]struct{}{}, waiting: map[pushed]waiting{}}
}

// nameOf is the name of a part whose time is still the begin of its window.
func nameOf(series string, p *profile.Profile) pushed {
	name := pushed{series: series, at: p.TimeNanos, samples: len(p.Sample)}
	for _, sample := range p.Sample {
		name.value += sample.Value[0]
	}
	return name
}

// take returns the time of a part: the begin of its window, or the first time after it that the
// series has not used yet. If keep has kept a time of the part, it returns that one, once.
// unsettled reports whether the part may be stored.
func (s *stamps) take(p pushed) (at time.Time, unsettled bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if w, there := s.waiting[p]; there {
		delete(s.waiting, p)
		return w.at, w.unsettled
	}
	t := time.Unix(0, p.at)
	key := stamp{maphash.String(s.seed, p.series), p.at / int64(push.Resolution)}
	for shift := int64(0); ; shift++ {
		if _, taken := s.used[key]; !taken {
			s.remember(key)
			return t.Add(time.Duration(shift) * push.Resolution), false
		}
		key.at++
	}
}

// keep keeps the time of a part that will be pushed again. A part that is not pushed again is
// forgotten when there are stampMemory of them.
func (s *stamps) keep(p pushed, at time.Time, unsettled bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for other := range s.waiting {
		if len(s.waiting) < stampMemory {
			break
		}
		delete(s.waiting, other)
	}
	s.waiting[p] = waiting{at, unsettled}
}

func (s *stamps) remember(key stamp) {
	s.used[key] = struct{}{}
	if len(s.ring) < stampMemory {
		s.ring = append(s.ring, key)
		return
	}
	delete(s.used, s.ring[s.next])
	s.ring[s.next] = key
	s.next = (s.next + 1) % stampMemory
}
