package skew

import (
	"math"
	"slices"
)

// profile is where the time of a task, or the mean of several, went, and what it had to do. It has
// seconds by part; PartRows has none, and PartHost is the run queue.
type profile struct {
	duration                 float64
	parts                    Parts
	rowsIn, bytesIn, rowsOut float64
}

// profileOf divides a task's time. What neither its body nor its serialization has is waiting: the
// scheduler's delay.
func profileOf(t *Task) profile {
	p := profile{duration: t.duration().Seconds(), rowsIn: float64(t.RowsIn), bytesIn: float64(t.BytesIn), rowsOut: float64(t.RowsOut)}
	left := p.duration
	take := func(seconds float64) float64 {
		seconds = min(max(seconds, 0), left)
		left -= seconds
		return seconds
	}
	p.parts[PartCPU] = take(t.CPU.Seconds())
	p.parts[PartHost] = take(t.RunQueue.Seconds())
	p.parts[PartFetch] = take(t.FetchWait.Seconds())
	// Collectors that run beside the tasks count their whole cycles as pauses.
	p.parts[PartGC] = take(min(t.GC.Seconds(), t.Run.Seconds()-p.parts[PartCPU]-p.parts[PartHost]-p.parts[PartFetch]))
	p.parts[PartSerde] = take(t.Serde.Seconds())
	p.parts[PartWait] = left
	return p
}

// each calls f with every figure of two profiles.
func (p *profile) each(o *profile, f func(to, from *float64)) {
	f(&p.duration, &o.duration)
	for i := range p.parts {
		f(&p.parts[i], &o.parts[i])
	}
	f(&p.rowsIn, &o.rowsIn)
	f(&p.bytesIn, &o.bytesIn)
	f(&p.rowsOut, &o.rowsOut)
}

// typical is the mean of the middle half of profiles in order of their durations.
func typical(sorted []profile) profile {
	skip := (len(sorted) + 1) / 4
	middle := sorted[skip : len(sorted)-skip]
	var out profile
	for i := range middle {
		out.each(&middle[i], func(to, from *float64) { *to += *from })
	}
	out.each(&out, func(to, _ *float64) { *to /= float64(len(middle)) })
	return out
}

// deviations is how many robust standard deviations a task's duration lies above its peers', all in
// logarithms: tasks of a stage differ by factors. A deviation is 1.4826 × the median absolute one,
// which is the standard deviation of normal values (Hampel 1974). It takes durations with or
// without the run queue, whichever tells more: a busy host hides what else is slow.
func deviations(task *profile, peers []profile) float64 {
	whole := deviationsOf(task, peers, func(p *profile) float64 { return p.duration })
	return max(whole, deviationsOf(task, peers, func(p *profile) float64 { return p.duration - p.parts[PartHost] }))
}

func deviationsOf(task *profile, peers []profile, of func(*profile) float64) float64 {
	log := func(p *profile) float64 { return math.Log1p(of(p) / leastExcess) } // what is far below the least excess does not differ
	logs := make([]float64, len(peers))
	for i := range peers {
		logs[i] = log(&peers[i])
	}
	slices.Sort(logs)
	middle := median(logs)
	for i := range logs {
		logs[i] = math.Abs(logs[i] - middle)
	}
	slices.Sort(logs)
	return (log(task) - middle) / max(1.4826*median(logs), 1e-3) // Spark's clock has milliseconds
}

// median is the middle of sorted values, the mean of two.
func median(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// Measure is what a volume counts.
type Measure string

// Measures.
const (
	NoMeasure Measure = "" // nothing is counted
	RowsIn    Measure = "row"
	BytesIn   Measure = "byte"
	RowsOut   Measure = "row out"
)

// mostInPerOut is how many rows in there may be for each row out of a task, if rows out are to
// measure its work. Of a few rows that are left of many, chance or one record decides how many. A
// choice.
const mostInPerOut = 10

// volume is how many times more a task had to do than a peer, by what differs most; 1 if nothing is
// counted.
func (p *profile) volume(peer *profile) (most float64, by Measure) {
	for _, m := range []struct {
		of         Measure
		task, peer float64
	}{{RowsIn, p.rowsIn, peer.rowsIn}, {BytesIn, p.bytesIn, peer.bytesIn}, {RowsOut, p.rowsOut, peer.rowsOut}} {
		ratio := m.task / max(m.peer, 1)
		if m.of == RowsOut && mostInPerOut*p.rowsOut < p.rowsIn {
			continue
		}
		if (m.task > 0 || m.peer > 0) && (by == NoMeasure || ratio > most) {
			most, by = ratio, m.of
		}
	}
	if by == NoMeasure {
		return 1, by
	}
	return most, by
}
