package outcome

import (
	"fmt"
	"strings"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/tasksample"
)

// FoundRows are the rows of slow batches, as a second run that reads row by row tells them, and the
// keys that it timed.
type FoundRows struct {
	Batches []FoundBatch `json:"batches"` // by falling net time in the first run
	Keys    []SlowRecord `json:"keys"`    // by falling net time
	Rows    []LargestKey `json:"rows"`    // by falling rows
	Tasks   []SilentTask `json:"tasks"`   // whose keys were to be timed, and none is in Keys or Rows

	// Dropped and Unwatched are as in SlowRecords.
	Dropped   uint64 `json:"dropped_dwells,omitempty"`
	Unwatched uint64 `json:"unwatched_tasks,omitempty"`
}

// LargestKey is a key with ten times the rows of the others that a task read of a shuffle.
type LargestKey struct {
	ApplicationID string             `json:"application_id"`
	StageID       tasksample.StageID `json:"stage_id"`
	Partition     int                `json:"partition"`
	Key           string             `json:"key_sha256"` // as in SlowRecord
	Rows          int64              `json:"rows"`       // of the key, at least
	Of            int64              `json:"of"`         // that the task read of that shuffle
}

// LargestKeyOf is a dwell of the kind rows as it is told.
func LargestKeyOf(application string, d *pipeline.Dwell) LargestKey {
	return LargestKey{ApplicationID: application, StageID: d.Stage, Partition: d.Partition, Key: d.Key, Rows: d.GroupRows, Of: d.Records}
}

// SilentTask is a task that shows no key.
type SilentTask struct {
	StageID   tasksample.StageID `json:"stage_id"`
	Partition int                `json:"partition"`
	Why       string             `json:"why"`
}

// FoundBatch is a batch of the first run.
type FoundBatch struct {
	Batch SlowRecord   `json:"batch"`
	Rows  []SlowRecord `json:"rows"` // of the second run, by falling net time
	// StillBatch says that the second run read batches there too.
	StillBatch bool `json:"still_batch"`
}

// Batches are the slow records that are batches of files.
func (s *SlowRecords) Batches() (out []SlowRecord) {
	for i := range s.Records {
		if r := &s.Records[i]; r.isBatch() && !r.Shuffle && !r.ranged {
			out = append(out, *r)
		}
	}
	return out
}

// Find looks for the rows of another run's batches, and for keys.
func (s *SlowRecords) Find(batches []SlowRecord) FoundRows {
	out := FoundRows{Batches: make([]FoundBatch, len(batches)), Keys: []SlowRecord{}, Rows: []LargestKey{}, Tasks: []SilentTask{}, Dropped: s.Dropped, Unwatched: s.Unwatched}
	for i := range s.Records {
		if r := &s.Records[i]; r.Key != "" {
			out.Keys = append(out.Keys, *r)
		}
	}
	for i := range batches {
		b := FoundBatch{Batch: batches[i], Rows: []SlowRecord{}}
		for k := range s.Records {
			switch r := &s.Records[k]; {
			case !r.within(&batches[i]):
			case r.isBatch():
				b.StillBatch = true
			default:
				b.Rows = append(b.Rows, *r)
			}
		}
		out.Batches[i] = b
	}
	return out
}

func (r *SlowRecord) isBatch() bool { return r.Record[0] < r.Record[1] }

// within reports whether a record may be one of another run's batch. It is of the same block of the
// same file. If a run does not tell the file, it is of the same partition of the same stage, whose
// task read as many records.
func (r *SlowRecord) within(batch *SlowRecord) bool {
	if r.Shuffle {
		return false
	}
	if r.FileRecord != nil && batch.FileRecord != nil {
		return r.Path == batch.Path && r.Offset == batch.Offset && r.FileRecord.meets(*batch.FileRecord)
	}
	return r.StageID == batch.StageID && r.Partition == batch.Partition && r.Records == batch.Records && r.Record.meets(batch.Record)
}

func (r Range) meets(other Range) bool { return r[0] <= other[1] && other[0] <= r[1] }

// String is the rows for people.
func (f FoundRows) String() string {
	var out strings.Builder
	for i := range f.Keys {
		what, where := f.Keys[i].Lines()
		fmt.Fprintf(&out, "%s\n  → %s\n", what, where)
	}
	for _, k := range f.Rows {
		fmt.Fprintf(&out, "stage %d partition %d\n  → %s of %s rows of a shuffle: key %s\n", k.StageID, k.Partition, thousands(k.Rows), thousands(k.Of), k.Key)
	}
	for _, t := range f.Tasks {
		fmt.Fprintf(&out, "stage %d partition %d\n  → no key: %s\n", t.StageID, t.Partition, t.Why)
	}
	for i := range f.Batches {
		b := &f.Batches[i]
		what, where := b.Batch.Lines()
		fmt.Fprintf(&out, "%s\n  %s\n", what, where)
		for k := range b.Rows {
			_, where := b.Rows[k].Lines()
			fmt.Fprintf(&out, "  → %s  %s\n", where, b.Rows[k].time())
		}
		switch {
		case len(b.Rows) > 0:
		case b.StillBatch:
			out.WriteString("  → still read as a batch: the job sets its reader itself, or there is none for rows\n")
		default:
			out.WriteString("  → no row of it was slow in this run: its rows are slow together, or the job read something else\n")
		}
	}
	return out.String()
}
