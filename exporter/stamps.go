package exporter

import (
	"sync"
	"time"

	"github.com/planflame/planflame/exporter/push"
)

// stamps gives each pushed profile of a series a time of its own. Pyroscope's v1 storage shows one
// profile for each series and millisecond. Two processes on a host often share their labels and the
// begin of their window, and so do the parts of a split profile. Safe for concurrent use.
type stamps struct {
	mu   sync.Mutex
	used map[stamp]struct{}
	ring []stamp // the oldest at next, once it is full
	next int
}

// stamp is a series and a time in units of push.Resolution.
type stamp struct {
	series string
	at     int64
}

// stampMemory is how many stamps are remembered: some minutes of pushes.
const stampMemory = 1 << 14

func newStamps() *stamps { return &stamps{used: map[stamp]struct{}{}} }

// take returns t, or the first time after it that the series has not used yet.
func (s *stamps) take(series string, t time.Time) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := stamp{series, t.UnixNano() / int64(push.Resolution)}
	for shift := int64(0); ; shift++ {
		if _, taken := s.used[key]; !taken {
			s.remember(key)
			return t.Add(time.Duration(shift) * push.Resolution)
		}
		key.at++
	}
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
