package skew

import "time"

// Task is one attempt of a task that ended.
type Task struct {
	Host      string
	JVM       int // in which it ran, from 1; 0 not known
	Succeeded bool
	// Start and End bound the time in which it held a slot, since an origin that all tasks and
	// stages of a job share.
	Start, End time.Duration
	// Run is the time of its body. CPU of its thread, GC pauses of its JVM and FetchWait are parts
	// of it.
	Run, CPU, GC, FetchWait time.Duration
	// RunQueue is the time in which its thread could have run and had no core. 0 if not known.
	RunQueue time.Duration
	// Serde is the time in which the task was deserialized and its result serialized, outside of
	// Run.
	Serde time.Duration
	// RowsOut are the rows that it put out, or that one of its operators did, if that is more.
	RowsIn, BytesIn, RowsOut int64
}

// duration is the time in which the task held its slot.
func (t *Task) duration() time.Duration { return max(t.End-t.Start, 0) }

// Stage is one attempt of a stage.
type Stage struct {
	Submitted, Completed time.Duration // since the origin of its tasks
	Tasks                []Task        // all attempts that ended
	// Parents are the stages that Spark names as its parents, by index in the job; below 0 one that
	// is not there. The replay takes them.
	Parents []int
}

// Part is a part of a task's time or of its excess.
type Part int

// Parts. Their order breaks ties.
const (
	PartRows   Part = iota // it had more to do than its peers
	PartCPU                // CPU beyond what its rows explain
	PartGC                 // pauses of its JVM
	PartSerde              // its own deserialization, and the serialization of its result
	PartFetch              // waiting for shuffle blocks
	PartWait               // any other waiting
	PartHost               // all tasks on its host are slow
	PartsCount             // how many there are
)

// Verdict names what an excess is mostly made of.
type Verdict string

// Verdicts.
const (
	DataSkew        Verdict = "data skew"
	ComputationSkew Verdict = "computation skew"
	GC              Verdict = "gc"
	Serialization   Verdict = "serialization"
	FetchWait       Verdict = "fetch wait"
	Wait            Verdict = "wait"
	Host            Verdict = "host"
	Mixed           Verdict = "mixed" // no part has half of it
)

var verdicts = [PartsCount]Verdict{DataSkew, ComputationSkew, GC, Serialization, FetchWait, Wait, Host}

// Parts are seconds by Part.
type Parts [PartsCount]float64

// verdict is the verdict for the parts of an excess.
func (p *Parts) verdict(excess float64) Verdict {
	largest := PartRows
	for part := range PartsCount {
		if p[part] > p[largest] {
			largest = part
		}
	}
	if p[largest] < excess/2 {
		return Mixed
	}
	return verdicts[largest]
}
