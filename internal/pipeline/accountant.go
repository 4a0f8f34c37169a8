package pipeline

import (
	"context"
	"sync"
	"time"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/procfs"
)

// Accountant reads the Accounts of live JVMs, on a goroutine of its own. Safe for concurrent use.
type Accountant struct {
	settings AccountantSettings
	deliver  func(sampler.JVMID, jvmlog.MonoTime, Account)

	mu       sync.Mutex // held while JVMs are read, never while deliver is called
	jvms     map[sampler.JVMID]*accounted
	tree     procfs.Tree
	failures uint64
	born     uint64 // start ticks from which on a JVM's account begins with its birth
}

// AccountantSettings say how often what is read. The zero value of a field means its default.
type AccountantSettings struct {
	// Interval is the time between two readings of all threads, if they ran, and two looks for
	// child processes; default 1 s.
	Interval time.Duration
	// Clock is the time between two readings of the clocks of the JVMs and of their Python workers.
	// It bounds what is missing when one ends. Default 50 ms, at most Interval.
	Clock time.Duration
	// FS is for tests.
	FS procfs.FS
}

const (
	defaultAccountInterval = time.Second
	defaultAccountClock    = 50 * time.Millisecond
	fewCPU                 = 50 * time.Millisecond // of a JVM: its threads are not read for less
)

// accounted is one JVM of an Accountant.
type accounted struct {
	pid    int
	ledger *procfs.Ledger
	family *procfs.Family
	last   procfs.FamilyTimes // as delivered
	unread bool               // its threads have not been read yet
	full   bool               // the last reading was of threads, too
}

// NewAccountant returns an Accountant that hands what it reads to deliver, from the goroutine of
// Run. JVMs that are born from now on are accounted for from their birth, others from the moment
// when they are added.
func NewAccountant(settings AccountantSettings, deliver func(sampler.JVMID, jvmlog.MonoTime, Account)) *Accountant {
	if settings.Interval <= 0 {
		settings.Interval = defaultAccountInterval
	}
	if settings.Clock <= 0 {
		settings.Clock = defaultAccountClock
	}
	settings.Clock = min(settings.Clock, settings.Interval)
	return &Accountant{
		settings: settings, deliver: deliver, jvms: map[sampler.JVMID]*accounted{}, tree: procfs.Tree{FS: settings.FS},
		born: uint64(procfs.Uptime() / procfs.Tick),
	}
}

// Add begins the account of a JVM.
func (a *Accountant) Add(v sampler.JVM) {
	a.mu.Lock()
	defer a.mu.Unlock()
	sinceBirth := v.StartTicks >= a.born
	ledger, err := a.settings.FS.Ledger(v.PID, sinceBirth)
	if err != nil {
		a.check(err)
		return
	}
	a.jvms[v.ID] = &accounted{pid: v.PID, ledger: ledger, family: a.settings.FS.Family(v.PID, sinceBirth), unread: true}
}

// Remove ends the account of a JVM and returns the last reading; ok is false if there is none.
func (a *Accountant) Remove(id sampler.JVMID) (last Account, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	j := a.jvms[id]
	if j == nil {
		return Account{}, false
	}
	delete(a.jvms, id)
	// Where the process still is, as a zombie or after its agent was switched off, this is exact;
	// if not, the last reading of its clock is all there is.
	a.check(j.ledger.Read())
	a.check(j.ledger.Clock())
	a.check(j.family.Read(&a.tree))
	j.close()
	last = accountOf(j.ledger.Times(), j.family.Times())
	last.Last = true
	return last, true
}

// Failures is how many readings of processes that had not ended could not be had.
func (a *Accountant) Failures() uint64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.failures
}

// Run reads until ctx ends; after it there is nothing more to read of JVMs that were not removed.
func (a *Accountant) Run(ctx context.Context) {
	defer a.close()
	tick := time.NewTimer(jvmlog.UntilTick(a.settings.Clock)) // when the sampler's rounds come, too
	defer tick.Stop()
	var next time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			tick.Reset(jvmlog.UntilTick(a.settings.Clock))
			full := !now.Before(next)
			if full {
				next = now.Add(a.settings.Interval - a.settings.Clock/2) // ticks are not in time to the nanosecond
			}
			for _, r := range a.read(full) {
				a.deliver(r.id, r.time, r.account)
			}
		}
	}
}

// close gives back what the JVMs hold that were not removed.
func (a *Accountant) close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, j := range a.jvms {
		j.close()
	}
	a.tree.Close()
}

func (j *accounted) close() {
	j.ledger.Close()
	j.family.Close()
}

// reading is an Account on its way to deliver.
type reading struct {
	id      sampler.JVMID
	time    jvmlog.MonoTime
	account Account
}

// read reads the clocks of all JVMs, and where full is set everything, but for the threads of JVMs
// that have used little since. What it returns is worth being delivered.
func (a *Accountant) read(full bool) []reading {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.jvms) == 0 {
		return nil
	}
	if full {
		if err := a.tree.Scan(); err != nil {
			a.failures++
		}
	}
	var out []reading
	for id, j := range a.jvms {
		if worth := a.readJVM(j, full || j.unread); worth {
			account := accountOf(j.ledger.Times(), j.family.Times())
			if !j.full {
				account.Threads = nil // nothing new: the process has what its threads had when they were read
				account.Process -= j.ledger.Behind()
			}
			out = append(out, reading{id, jvmlog.Now(), account})
		}
	}
	return out
}

// check counts an error, unless it says that the process has ended: its JVM will be removed.
func (a *Accountant) check(err error) {
	if err != nil && !procfs.Gone(err) {
		a.failures++
	}
}

// readJVM reads one JVM; worth says that there is something new to deliver.
func (a *Accountant) readJVM(j *accounted, full bool) (worth bool) {
	a.check(j.ledger.Clock())
	j.full = full && (j.unread || j.ledger.Behind() >= fewCPU)
	if j.full {
		j.unread = false
		a.check(j.ledger.Read())
	}
	if full {
		a.check(j.family.Read(&a.tree))
	} else if j.family.Members() {
		j.family.Clocks()
	}
	now := j.family.Times()
	worth = full || now.Workers-j.last.Workers >= a.settings.Clock/4
	if worth {
		j.last = now
	}
	return worth
}
