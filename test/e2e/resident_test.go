//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"slices"
	"time"
)

// rssWatch reads the resident memory of a process once a second.
type rssWatch struct {
	end, ended chan struct{}
	bytes      []int64
}

// growth is resident memory after the first quarter of a run and in the last, as medians, and the
// most there ever was.
type growth struct {
	early, late, most int64
	series            []int64 // MiB at ten moments, evenly spaced
}

func (g growth) String() string {
	return fmt.Sprintf("%d MiB after a quarter, %d at the end, %d at most; over time %d", g.early>>20, g.late>>20, g.most>>20, g.series)
}

func watchRSS(pid int) *rssWatch {
	w := &rssWatch{end: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		defer close(w.ended)
		every := time.NewTicker(time.Second)
		defer every.Stop()
		for {
			select {
			case <-w.end:
				return
			case <-every.C:
			}
			if resident := residentBytes(pid); resident > 0 {
				w.bytes = append(w.bytes, resident)
			}
		}
	}()
	return w
}

// residentBytes is 0 for a process that has ended.
func residentBytes(pid int) int64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	var size, resident int64
	if _, err := fmt.Sscan(string(b), &size, &resident); err != nil {
		return 0
	}
	return resident * int64(os.Getpagesize())
}

// stop ends the watch, once.
func (w *rssWatch) stop() growth {
	close(w.end)
	<-w.ended
	n := len(w.bytes)
	if n < 8 {
		return growth{}
	}
	const points = 10
	var series []int64
	for i := range points {
		series = append(series, w.bytes[i*n/points]>>20)
	}
	middle := func(part []int64) int64 {
		sorted := slices.Sorted(slices.Values(part))
		return sorted[len(sorted)/2]
	}
	return growth{early: middle(w.bytes[n/4 : n/2]), late: middle(w.bytes[n-n/4:]), most: slices.Max(w.bytes), series: series}
}
