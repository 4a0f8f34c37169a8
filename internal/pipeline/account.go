package pipeline

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/procfs"
)

// Account is a reading of the exact CPU of one JVM's process and of its child processes, from
// /proc. All times are nanoseconds since the account of this JVM began and never fall; what a
// reading leaves out stays as it was. The keys are a recording's.
type Account struct {
	// Process is the JVM's whole CPU, threads that have ended included.
	Process time.Duration `json:"process"`
	// Threads is the part of Process that was seen on threads, by their names without numbers
	// (procfs.ThreadTimes); nil where they were not read this time.
	Threads  map[string]time.Duration `json:"threads,omitempty"`
	Overflow uint64                   `json:"overflow,omitempty"` // threads beyond the names that are kept
	Workers  time.Duration            `json:"python_workers,omitempty"`
	Daemons  time.Duration            `json:"python_daemons,omitempty"`
	Children time.Duration            `json:"other_children,omitempty"`
	Live     int                      `json:"live_workers,omitempty"` // Python workers at this reading
	Started  uint64                   `json:"started_workers,omitempty"`
	// Last says that the JVM is gone: nothing of it comes after.
	Last bool `json:"last,omitempty"`
}

// accountOf joins what procfs read.
func accountOf(threads procfs.ThreadTimes, family procfs.FamilyTimes) Account {
	return Account{
		Process: threads.Process, Threads: threads.ByName, Overflow: threads.Overflow,
		Workers: family.Workers, Daemons: family.Daemons, Children: family.Others, Live: family.Live, Started: family.Started,
	}
}

// accountRecord is the type under which a recording holds Accounts.
const (
	accountRecord         = jvmlog.FirstOfReader + 1
	accountVersion uint16 = 1
)

// Record is the account as a record that a recording can hold between records of the JVM's log; a
// Pipeline takes it back.
func (a Account) Record() (jvmlog.Record, error) {
	text, err := json.Marshal(a)
	if err != nil {
		return nil, fmt.Errorf("encode account: %w", err)
	}
	return &jvmlog.Unknown{Type: accountRecord, Version: accountVersion, Payload: text}, nil
}

// Since is the account as one that began with an earlier reading.
func (a Account) Since(before Account) Account {
	for _, f := range []struct{ now, then *time.Duration }{
		{&a.Process, &before.Process}, {&a.Workers, &before.Workers}, {&a.Daemons, &before.Daemons}, {&a.Children, &before.Children},
	} {
		*f.now = max(*f.now-*f.then, 0)
	}
	a.Overflow, a.Started = a.Overflow-min(a.Overflow, before.Overflow), a.Started-min(a.Started, before.Started)
	if a.Threads != nil {
		threads := make(map[string]time.Duration, len(a.Threads))
		for name, cpu := range a.Threads {
			threads[name] = max(cpu-before.Threads[name], 0)
		}
		a.Threads = threads
	}
	return a
}

// parseAccount takes an account out of a record; ok is false for a record of another type.
func parseAccount(r *jvmlog.Unknown) (a Account, ok bool, err error) {
	if r.Type != accountRecord {
		return a, false, nil
	}
	if r.Version != accountVersion {
		return a, true, fmt.Errorf("decode account: version %d, understood is %d", r.Version, accountVersion)
	}
	if err := json.Unmarshal(r.Payload, &a); err != nil {
		return a, true, fmt.Errorf("decode account: %w", err)
	}
	if a.Process < 0 || a.Workers < 0 || a.Daemons < 0 || a.Children < 0 {
		return a, true, fmt.Errorf("decode account: negative CPU in %s", r.Payload)
	}
	for name, cpu := range a.Threads {
		if cpu < 0 {
			return a, true, fmt.Errorf("decode account: thread %q has %d ns", name, cpu)
		}
	}
	return a, true, nil
}
