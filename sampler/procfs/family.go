package procfs

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Kinship says what a child process is for.
type Kinship uint8

// Kinds of child processes.
const (
	OtherChild   Kinship = iota
	PythonDaemon         // pyspark.daemon, which forks workers
	PythonWorker         // a worker, and whatever it starts
)

// FamilyTimes is the CPU of a process's descendants since its Family began, or since its birth;
// none of it ever falls.
type FamilyTimes struct {
	Workers time.Duration // Python workers, with those that have ended
	Daemons time.Duration
	Others  time.Duration // all other children
	Live    int           // Python workers at the last reading
	Started uint64        // Python workers seen so far
}

// Tree knows which process is whose child, of all processes: one Tree serves many Families. Close
// it. A process whose number was another's between two scans has the other's parent. Not safe for
// concurrent use.
type Tree struct {
	FS      FS
	parents map[int]int // :: pid → parent
	births  births
	version uint64 // of parents
}

// Close gives back the file that is kept open.
func (t *Tree) Close() { t.births.close() }

// Scan looks for processes that are new and forgets those that are gone, unless none can have begun
// since the last call. Known ones cost nothing: a parent changes only when it ends.
func (t *Tree) Scan() error {
	if !t.births.since(t.FS) {
		return nil
	}
	pids, err := t.FS.Processes()
	if err != nil {
		return err
	}
	known := make(map[int]int, len(pids))
	for _, pid := range pids {
		parent, ok := t.parents[pid]
		if !ok {
			st, err := t.FS.Stat(pid)
			if Gone(err) {
				continue
			}
			if err != nil {
				return err
			}
			parent = st.Parent
		}
		known[pid] = parent
	}
	t.parents = known
	t.version++
	return nil
}

// children are the processes whose parent is among the members of a family, and are no members yet.
func (t *Tree) children(of func(pid int) bool, member func(pid int) bool) []int {
	var out []int
	for pid, parent := range t.parents {
		if of(parent) && !member(pid) {
			out = append(out, pid)
		}
	}
	return out
}

// Family keeps the CPU of the descendants of one process. Of ended ones it has what they had used
// at their last reading. The rest is in their parent's account, down to ticks of 10 ms, if the
// parent has waited for them. pyspark.daemon does not (it ignores SIGCHLD, Spark 3.5 to 4.3), so a
// worker's last moments are missing: read Clocks often. Close it. Not safe for concurrent use.
type Family struct {
	fs      FS
	root    int
	members map[int]*relative // the root among them
	times   FamilyTimes
	order   []int  // of byGeneration
	adopted uint64 // version of the tree whose processes were taken in
	room    int    // files that may still be kept open
	began   bool   // after the first reading of one that does not begin at the root's birth
}

// relative is one process of a Family.
type relative struct {
	parent  int
	kind    Kinship
	comm    string        // as the kind was told by
	cpu     time.Duration // its own, as read last
	waited  time.Duration // of its children that it has waited for, as read last
	ended   time.Duration // of those children, what had been read of them when they ended
	extra   time.Duration // waited - ended as far as it has been booked: what was used after the last readings
	endedAs Kinship       // of the child that ended last
	// stat and offspring are files of the process; bury closes them.
	stat, offspring kept
}

func (r *relative) close() {
	r.stat.close()
	r.offspring.close()
}

// maxFamilyOpen bounds the files that a Family keeps open.
const maxFamilyOpen = 128

// Family begins the account of a process's descendants: at its birth, or with this moment.
func (p FS) Family(root int, sinceBirth bool) *Family {
	f := &Family{fs: p, root: root, began: sinceBirth, room: maxFamilyOpen}
	f.members = map[int]*relative{root: f.relative(0, OtherChild)}
	return f
}

func (f *Family) relative(parent int, kind Kinship) *relative {
	return &relative{parent: parent, kind: kind, stat: kept{room: &f.room}, offspring: kept{room: &f.room}}
}

// Close gives back the files that are kept open. The account stays as it was read last.
func (f *Family) Close() {
	for _, r := range f.members {
		r.close()
	}
}

// Read reads all members, after it has taken in those that tree found since. The error is the
// root's: it is gone.
func (f *Family) Read(tree *Tree) error {
	f.adopt(tree)
	f.times.Live = 0
	var err error
	for _, pid := range f.byGeneration() {
		r := f.members[pid]
		if !f.read(pid, r) {
			f.bury(pid, r)
			continue
		}
		if r.kind == PythonWorker {
			f.times.Live++
		}
	}
	// Parents after their children: what a child used that ended in between is its parent's by now.
	for pid, r := range f.members {
		t, readErr := f.fs.cpuTimes(pid, &r.stat)
		switch {
		case readErr == nil:
			f.waited(r, t.Children)
		case pid == f.root:
			err = readErr
		}
	}
	f.began = true
	return err
}

// Clocks reads the clocks of the members alone, and takes in what Python daemons have forked: cheap
// enough to be done often.
func (f *Family) Clocks() {
	if !f.began {
		return
	}
	for pid, r := range f.members {
		if r.kind == PythonDaemon {
			f.forked(pid, r)
		}
	}
	for pid, r := range f.members {
		if pid == f.root {
			continue
		}
		if cpu, err := f.fs.CPUClock(pid); err == nil && cpu > r.cpu {
			f.book(r.kind, cpu-r.cpu)
			r.cpu = cpu
		}
	}
}

// Members reports whether the process has children at all, so that Clocks is worth its call.
func (f *Family) Members() bool { return len(f.members) > 1 }

// forked takes in the children of a daemon, which has one thread, where the kernel lists them
// (CONFIG_PROC_CHILDREN); else Read finds them.
func (f *Family) forked(daemon int, r *relative) {
	children, err := f.fs.children(daemon, &r.offspring)
	if err != nil {
		return
	}
	for _, pid := range children {
		if f.members[pid] == nil {
			f.members[pid] = f.relative(daemon, PythonWorker)
			f.times.Started++
		}
	}
}

// Times is the account as of the last Read.
func (f *Family) Times() FamilyTimes { return f.times }

// byGeneration are the members but the root, parents before their children: what a child is, its
// parent tells, and that may be told only now. Valid until the next call.
func (f *Family) byGeneration() []int {
	f.order = f.order[:0]
	for pid := range f.members {
		if pid != f.root {
			f.order = append(f.order, pid)
		}
	}
	generation := func(pid int) (n int) {
		for r := f.members[pid]; r != nil && pid != f.root && n <= len(f.members); r = f.members[pid] { // a parent may be gone
			pid, n = r.parent, n+1
		}
		return n
	}
	slices.SortFunc(f.order, func(a, b int) int { return cmp.Or(cmp.Compare(generation(a), generation(b)), cmp.Compare(a, b)) })
	return f.order
}

// adopt takes in new descendants, generation by generation. What it has taken in of a tree and
// buried is not taken in again.
func (f *Family) adopt(tree *Tree) {
	if f.adopted == tree.version && f.began {
		return
	}
	f.adopted = tree.version
	member := func(pid int) bool { return f.members[pid] != nil }
	for more := true; more; {
		more = false
		for _, pid := range tree.children(member, member) {
			r := f.relative(tree.parents[pid], OtherChild)
			if f.members[r.parent].kind != OtherChild {
				r.kind = PythonWorker
				f.times.Started++
			}
			if !f.began { // it ran before this account began
				r.cpu, _ = f.fs.CPUClock(pid) // 0 for one that has just ended
				if t, err := f.fs.cpuTimes(pid, &r.stat); err == nil {
					r.waited = t.Children
					r.ended = t.Children
				}
			}
			f.members[pid] = r
			more = true
		}
	}
	if root := f.members[f.root]; !f.began {
		if t, err := f.fs.cpuTimes(f.root, &root.stat); err == nil {
			root.waited, root.ended = t.Children, t.Children
		}
	}
}

// read books what a member has used since the last reading; false where it has ended.
func (f *Family) read(pid int, r *relative) bool {
	t, err := f.fs.cpuTimes(pid, &r.stat)
	if err != nil {
		return false
	}
	f.identify(pid, r, t.Comm)
	if p := f.members[r.parent]; p != nil && p.kind != OtherChild && r.kind == OtherChild { // its parent was told after it
		r.kind = PythonWorker
		f.times.Started++
	}
	cpu, err := f.fs.CPUClock(pid)
	if err != nil || cpu < r.cpu { // ended, or another process with its number
		return false
	}
	f.book(r.kind, cpu-r.cpu)
	r.cpu = cpu
	return true
}

// identify tells what a child of the root is by its command line, which is its parent's until it
// has begun its own program.
func (f *Family) identify(pid int, r *relative, comm string) {
	if r.parent != f.root || r.kind != OtherChild || r.comm == comm {
		return
	}
	line, err := f.fs.CommandLine(pid)
	if err != nil {
		return
	}
	r.comm = comm
	if program, _, _ := strings.Cut(line, " "); strings.HasSuffix(program, "java") {
		return // another JVM, or this one's copy, which has another name when it begins its program
	}
	switch {
	case strings.Contains(line, "pyspark.daemon"), strings.Contains(line, "pyspark/daemon"):
		r.kind = PythonDaemon
	case strings.Contains(line, "pyspark.worker"), strings.Contains(line, "pyspark/worker"):
		r.kind = PythonWorker
		f.times.Started++
	}
}

// bury moves what is known of a member that has ended to its parent's account.
func (f *Family) bury(pid int, r *relative) {
	delete(f.members, pid)
	r.close()
	if p := f.members[r.parent]; p != nil {
		p.ended += r.cpu + r.waited
		p.endedAs = r.kind
	}
}

// waited books what a member's children have used that had not been read when they ended.
func (f *Family) waited(r *relative, total time.Duration) {
	r.waited = max(r.waited, total)
	if late := r.waited - r.ended - r.extra; late > 0 {
		kind := r.endedAs
		if r.kind != OtherChild {
			kind = PythonWorker
		}
		f.book(kind, late)
		r.extra += late
	}
}

func (f *Family) book(kind Kinship, cpu time.Duration) {
	switch kind {
	case PythonWorker:
		f.times.Workers += cpu
	case PythonDaemon:
		f.times.Daemons += cpu
	default:
		f.times.Others += cpu
	}
}
