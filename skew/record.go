package skew

import "time"

// slowStep is by how much a record, or a batch, must exceed the others of its task, which differ
// among themselves. A choice: of lognormal times with σ 0.8 one in 500 is 10 times the mean.
const slowStep = 10

// Dwell is a time for which a task stood at one record, or at one batch of records that it read at
// once.
type Dwell struct {
	Wall    time.Duration
	Net     time.Duration // part of Wall without pauses of the JVM and waits for a core
	Reading time.Duration // from the task's first record to its last; Wall is a part of it
	Records int64         // that the task read
	Batch   int64         // records of a batch, at most; 0 and 1: it reads them one by one
	Key     bool          // a key: how long the last one took is known
}

// IsSlow reports whether the record, or the batch, cost much more than the others of its task. The
// last one is not among the others: how long it took is not known. A key that has no others is slow
// if it has most of the time.
func (d *Dwell) IsSlow() bool {
	others := (d.Records - 1) / max(d.Batch, 1)
	if !d.Key {
		others--
	}
	rest := max(d.Reading-d.Wall, 0)
	if others < 1 {
		return d.Key && d.Net > rest
	}
	return d.Net.Seconds()*float64(others) >= slowStep*rest.Seconds()
}
