package pipeline

// A JVM's log says what it likes, so what is kept for one JVM has bounds. Code and names of methods
// have half and a quarter of Settings.Budget (package codemap). Tasks have an eighth. Unless
// something waits, as many find room in it as a sampler takes of a JVM: 5,000 a second. All else
// has the last eighth. It is charged with about what it takes in memory. Samples are not charged:
// the kernel makes them, and MaxHeld bounds them.

// budget is such an eighth, of all applications of a JVM.
type budget struct{ most, used int } // bytes; most 0: there is no bound

// Bytes of what is kept, about.
const (
	taskBytes      = 176 // a Task in the timeline, with its place in maps
	taskEndBytes   = 112
	spentBytes     = 512
	threadBytes    = 64 // of a name in it
	stageBytes     = 192
	executionBytes = 512
	updateBytes    = 384 // of a plan, beside its texts and nodes
	nodeBytes      = 384 // beside its texts
	metricBytes    = 80  // of a node, or a count of it
	textBytes      = 96  // of a text of plans, beside it
	rddStageBytes  = 384 // beside its record
	dwellBytes     = 768 // beside its record
	dwellCPUBytes  = 96  // of an operator in it
	pastBytes      = 64  // of a slot of pastCPU
	switchBytes    = 8
)

// fits reports whether more may be kept.
func (b *budget) fits(bytes int) bool { return b.most == 0 || b.used+bytes <= b.most }

// keep charges bytes, or gives them back if they are negative.
func (b *budget) keep(bytes int) { b.used += bytes }

// hold keeps an item until give.
func (j *jvm) hold(it item) {
	j.budget.keep(it.bytes())
	j.held.push(it)
}

// give delivers an item that was held.
func (j *jvm) give(it item) {
	j.budget.keep(-it.bytes())
	it.deliver(j)
}

// fits reports whether a JVM may have more kept of it, if need be in place of plans; if not, what
// is at hand is lost and counted.
func (j *jvm) fits(bytes int) bool {
	if j.ops.makeRoom(bytes) {
		return true
	}
	j.p.counts.OverBudget++
	return false
}

func (s *heldSample) bytes() int { return 0 }

func (end *taskEnd) bytes() int { return 0 } // the timeline's budget has it

func (s *spent) bytes() int { return spentBytes + threadBytes*len(s.used) }

func (r heldRows) bytes() int { return 96 + 16*len(r.Accumulated) }

// bytes is about what a stage of an execution takes.
func (s *stage) bytes() int { return stageBytes + 8*len(s.accumulators) }
