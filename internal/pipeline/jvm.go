package pipeline

import (
	"math"

	"github.com/planflame/planflame/internal/printable"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// jvm is what is known of one Spark application in one JVM, and the samples that wait for more to
// be known.
type jvm struct {
	p    *Pipeline
	info sampler.JVM
	app  Application
	succession
	// droppedLabels are those that are counted already.
	droppedLabels uint64
	budget        *budget // of all applications, beside code and tasks
	code          *codemap.Map
	symbols       Symbolizer
	interp        *interpreter
	ops           *operators
	timeline      *timeline
	held          queue      // in order of arrival
	spilled       spill      // behind held
	noSpill       bool       // it was tried
	waiting       []item     // past the hold, without a plan or a stage yet
	ends          []*taskEnd // of tasks of which samples may still come
	frames        frameBuffer
	accounts      accounts          // moves to the next application
	toBook        []jvmlog.MonoTime // the begins of readings of Python workers that are held or wait; none if Hold is UntilEnd
	pythonLast    []pythonPlace     // where Python workers were at work when they last used CPU
	// executions are kept only where the consumer asks for them.
	executions executions
	left       bool // by its reader: it lives on
	replaying  bool // what lives is told again
	timed      timedExecutions
	dwells     map[tasksample.TaskAttemptID][]*openDwell // wait for their samples
	dwelling   bool                                      // it tells dwells
	past       map[tasksample.TaskAttemptID]*pastCPU     // for dwells that are not told yet
	// clusterDriver says that the JVM is the driver of executors in JVMs of their own.
	clusterDriver bool
	seen          jvmlog.MonoTime // the last watermark
	delivered     recentCPU
	tagged        map[tagged]bool // whose dictionaries the consumer has
}

func newJVM(p *Pipeline, v sampler.JVM) *jvm {
	b := &budget{most: p.settings.Budget / 8}
	j := &jvm{p: p, info: v, budget: b, ops: newOperators(p.settings.MaxExecutions, b, &p.counts, &p.common), timeline: newTimeline(&budget{most: b.most}), executions: newExecutions()}
	j.ops.namesRDDs = v.Header.Minor >= namesStages
	j.forgetCode()
	if p.settings.Symbols != nil {
		j.symbols = p.settings.Symbols(v)
	}
	return j
}

// record keeps what a record of the log says.
func (j *jvm) record(t jvmlog.MonoTime, r jvmlog.Record) {
	switch r := r.(type) {
	case *jvmlog.Source:
		j.ops.source(r)
	case *jvmlog.Replay:
		j.replays(t, r.Begin)
	case *jvmlog.Dictionary:
		j.foundRunning(t, r.Execution)
		if plan, update := j.ops.dictionary(r); plan != nil {
			j.planLines(plan, update)
		}
	case *jvmlog.Stage:
		j.ops.stage(r)
	case *jvmlog.StageInfo:
		if stage := j.ops.stageInfo(r); stage != nil {
			j.stageLines(stage)
		}
	case *jvmlog.Application:
		j.application(t, r)
	case *jvmlog.Rows:
		j.executionRows(t, r)
	case *jvmlog.ExecutionEnd:
		j.ops.end(r.ExecutionID, t)
		j.executionEnd(t, r)
	case *jvmlog.Times:
		j.times(r)
	case *jvmlog.Dwell:
		j.dwell(t, r)
	case *jvmlog.Method:
		// As of now: t may be when its class was prepared. Methods of the sampler's own, too, which
		// no compiled code mentions.
		r = printableMethod(r)
		j.code.Apply(max(t, j.seen), r)
		j.interp.add(t, r)
	case *jvmlog.Unknown:
		j.unknown(t, r)
	case *jvmlog.Stub:
		stub := *r
		stub.Name = printable.Text(r.Name)
		j.code.Apply(t, &stub)
	default:
		j.code.Apply(t, r)
	}
}

// printableMethod is a method whose names may be written to a terminal.
func printableMethod(r *jvmlog.Method) *jvmlog.Method {
	m := *r
	for _, text := range []*string{&m.Class, &m.Name, &m.SourceFile} {
		*text = printable.Text(*text)
	}
	return &m
}

// unknown takes what a recording holds beside the JVM's log.
func (j *jvm) unknown(t jvmlog.MonoTime, r *jvmlog.Unknown) {
	a, account, err := parseAccount(r)
	q, queue, queueErr := parseRunQueue(r)
	switch {
	case err != nil || queueErr != nil:
		j.p.counts.BadRecords++
	case account:
		j.account(t, a)
	case queue:
		if j.p.times != nil {
			j.p.times.Times(j.info.ID, TimesRecord{RunQueue: &q})
		}
	default:
		j.code.Apply(t, r)
	}
}

func (j *jvm) times(r *jvmlog.Times) {
	if j.p.times == nil {
		return // no one wants it
	}
	times, err := parseTimes(r.JSON)
	if err != nil {
		j.p.counts.BadRecords++
		return
	}
	if times.Execution != nil && !j.timed.add(*times.Execution) {
		return // a replay
	}
	j.p.times.Times(j.info.ID, times)
}

// account takes a reading of the JVM's exact CPU.
func (j *jvm) account(t jvmlog.MonoTime, a Account) {
	if j.p.outside == nil {
		return // no one wants it
	}
	s := j.accounts.spent(t, a)
	if s.account.Workers > 0 && j.p.settings.Hold != UntilEnd { // until the end no task is forgotten
		j.toBook = append(j.toBook, s.from)
	}
	j.push(s)
}

func (j *jvm) application(t jvmlog.MonoTime, r *jvmlog.Application) {
	app, dropped, err := parseApplication(r.JSON, j.p.settings.TrustedLabels)
	if err != nil {
		j.p.counts.BadRecords++
		return
	}
	if j.app.ID != "" && app.ID != j.app.ID { // the next one; in local mode its id comes a little later
		if j.crowded() {
			j.p.counts.OverBudget++
			return
		}
		j = j.next(t)
	}
	if dropped > j.droppedLabels { // it comes again and again
		j.p.counts.DroppedLabels += dropped - j.droppedLabels
		j.droppedLabels = dropped
	}
	if app.Claimed > j.app.Claimed {
		j.p.counts.ClaimedLabels += uint64(app.Claimed - j.app.Claimed)
	}
	j.app = app
	j.clusterDriver = r.ClusterDriver()
	if j.clusterDriver && len(j.timeline.threads) == 0 {
		j.forgetCode() // no one will ask for it
	}
	j.p.out.JVM(j.info, app)
}

// forgetCode begins again with what is known of compiled and interpreted code.
func (j *jvm) forgetCode() {
	j.code = codemap.New(codemap.Settings{
		MaxCodeBytes: j.p.settings.Budget / 2, MaxMethodBytes: j.p.settings.Budget / 4, Unrepaired: j.p.settings.Without.LineRepair,
	})
	j.interp = newInterpreter(j.code)
}

func (j *jvm) taskEvent(e jvmlog.TaskEvent) {
	if !j.timeline.budget.fits(taskBytes + taskEndBytes) {
		j.p.counts.OverBudget++
		return
	}
	j.executionTask(e)
	ended := j.timeline.event(e)
	for i := range ended {
		j.timeline.budget.keep(taskEndBytes)
		j.ends = append(j.ends, &ended[i])
	}
}

// pushEnds lets the ends of tasks go on of which all samples have come: those up to now.
func (j *jvm) pushEnds(now jvmlog.MonoTime) {
	still := j.ends[:0]
	for _, end := range j.ends {
		if end.time() <= now {
			j.push(end)
			continue
		}
		still = append(still, end)
	}
	clear(j.ends[len(still):])
	j.ends = still
}

func (j *jvm) sample(s sampler.Sample) { j.push((*heldSample)(&s)) }

func (j *jvm) push(it item) {
	if j.spilled.isOpen() || j.spills() {
		j.spilled.put(it)
		return
	}
	j.hold(it)
	for n := j.held.len() + len(j.waiting); n > j.p.settings.MaxHeld || n > 0 && !j.ops.makeRoom(0); n-- {
		j.p.counts.Early++
		if len(j.waiting) > 0 {
			early := j.waiting[0]
			j.waiting = j.waiting[1:]
			j.give(early)
			continue
		}
		j.give(j.held.pop())
	}
}

// spills begins to spill if no more may be held in memory, and reports whether it has.
func (j *jvm) spills() bool {
	if j.p.settings.Spill == nil || j.noSpill || j.held.len() < j.p.settings.MaxHeld {
		return false
	}
	file, err := j.p.settings.Spill()
	if err == nil {
		err = j.spilled.open(file)
	}
	j.noSpill = err != nil // then the oldest are labeled early, and counted
	return err == nil
}

// watermark labels what the hold lets go.
func (j *jvm) watermark(now jvmlog.MonoTime) {
	hold, wait := j.p.settings.Hold, j.p.settings.PlanWait
	j.seen = now
	j.code.Watermark(now)
	j.pushEnds(now)
	if hold == UntilEnd {
		return
	}
	past := func(t jvmlog.MonoTime, d jvmlog.MonoTime) bool { return now >= d && t <= now-d }
	var ready readiness
	still := j.waiting[:0]
	for _, it := range j.waiting {
		if past(it.time(), jvmlog.MonoTime(hold+wait)) || ready.is(j, it) {
			j.give(it)
			continue
		}
		still = append(still, it)
	}
	clear(j.waiting[len(still):])
	j.waiting = still
	for j.held.len() > 0 && past(j.held.first().time(), jvmlog.MonoTime(hold)) {
		if it := j.held.pop(); ready.is(j, it) {
			j.give(it)
		} else {
			j.waiting = append(j.waiting, it)
		}
	}
	j.endExecutions(now)
	if now > jvmlog.MonoTime(hold+wait) {
		j.giveDwells(now - jvmlog.MonoTime(hold+wait))
	}
	if j.before == nil { // later applications have nothing older
		j.forgetTasks(now - min(now, jvmlog.MonoTime(hold)))
	}
	if oldest := jvmlog.MonoTime(hold + wait); now > oldest {
		j.code.Forget(now - oldest)
		j.ops.forgetEnded(now-oldest-jvmlog.MonoTime(disorder), j.timeline)
	}
}

// forgetTasks forgets the tasks that nothing asks for. What came before a time is delivered, but
// what waits. A reading of Python workers also asks for tasks since the one before it.
func (j *jvm) forgetTasks(before jvmlog.MonoTime) {
	for _, it := range j.waiting {
		before = min(before, it.time())
	}
	for _, from := range j.toBook {
		before = min(before, from)
	}
	if before > jvmlog.MonoTime(disorder) {
		j.timeline.forget(before - jvmlog.MonoTime(disorder))
	}
}

// drain labels everything that waits.
func (j *jvm) drain() {
	j.pushEnds(math.MaxUint64)
	for _, it := range j.waiting {
		j.give(it)
	}
	j.waiting = nil
	for j.held.len() > 0 {
		j.give(j.held.pop())
	}
	j.p.counts.LostSpill += j.spilled.each(func(it item) { it.deliver(j) })
	j.giveDwells(math.MaxUint64)
	j.endAllExecutions(false)
}
