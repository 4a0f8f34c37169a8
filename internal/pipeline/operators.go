package pipeline

import (
	"cmp"
	"container/list"
	"encoding/json"
	"maps"
	"regexp"
	"slices"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/printable"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// operators knows the plans, stages and generated sources of one JVM and asks attribution for
// verdicts.
type operators struct {
	counts     *Counts
	budget     *budget // has the plans and stages
	attributor *attribution.Attributor
	common     *attribution.Common // has the plans of all JVMs
	max        int
	executions map[tasksample.ExecutionID]*list.Element // of *execution
	recent     *list.List                               // most recently used first
	holders    map[int64]*execution                     // :: accumulator → the first execution whose plan holds it, of those that are kept
	news       int                                      // dictionaries so far: what was made of plans before is out of date
	texts      planTexts
	rdds       rddStages
	namesRDDs  bool             // the JVM's agent writes them
	ended      []endedExecution // since the last that forgetEnded let go, in the order of the log
	ends       int              // there were so far
}

// endedExecution is one of which the driver told the end.
type endedExecution struct {
	*list.Element // of *execution
	at            jvmlog.MonoTime
	number        int // of its end
}

// kept reports whether the execution is still known.
func (o *operators) kept(e endedExecution) bool {
	return o.executions[e.Value.(*execution).id] == e.Element
}

// keptRDDPlans is how many ends of executions the plan of an RDD outlives its own: its code may run
// at any time, for other executions and for none.
const keptRDDPlans = 32

// execution is one SQL execution: its plan and the stages that ran for it. The stages of no
// execution stand in one with the id tasksample.NoExecution.
type execution struct {
	id      tasksample.ExecutionID
	plan    *attribution.Plan                // nil until a dictionary arrives
	shared  map[*attribution.PlanUpdate]bool // of which plan consists → parsed here
	updates int                              // that plan took in
	stages  map[stageKey]*stage
	names   map[namedNode]nodeNames // valid for the plan as it is
	over    bool                    // the driver told its end
	lost    bool                    // a plan was let go whose code it may have run since
	bytes   int                     // that the budget has for it
	user    tasksample.ExecutionID  // the last other execution whose stages ran code of its plan, its own if there was none
}

// stageKey tells the attempts of a stage apart: each registers accumulators of its own.
type stageKey struct {
	stage   tasksample.StageID
	attempt tasksample.StageAttempt
}

// stage is what is known of one attempt of a stage.
type stage struct {
	accumulators []int64     // as attribution takes them; grows while tasks of the stage register more
	place        string      // place in the plan of its execution, "" until known
	matched      bool        // some node of that plan updates the accumulators
	others       []otherPlan // plans of other executions whose code it runs
	placed       bool        // all of the above is computed from what was known at news, of its own execution's plan at updates
	news         int
	updates      int
	python       []*attribution.Node // that run Python, one for each operator's name; valid while placed and asked
	asked        bool
	inputs       []rowInput // nil: not looked for; valid while placed
}

func newOperators(maxExecutions int, b *budget, counts *Counts, common *attribution.Common) *operators {
	return &operators{
		counts: counts, budget: b, attributor: common.New(), common: common, max: maxExecutions,
		executions: map[tasksample.ExecutionID]*list.Element{}, recent: list.New(), texts: newPlanTexts(), holders: map[int64]*execution{},
	}
}

// next knows the same generated code, which Spark keeps for the whole JVM, and no execution.
func (o *operators) next() *operators {
	n := newOperators(o.max, o.budget, o.counts, o.common)
	n.attributor, n.namesRDDs = o.attributor, o.namesRDDs
	return n
}

// execution returns what is known of an execution, or nil.
func (o *operators) execution(id tasksample.ExecutionID) *execution {
	e := o.executions[id]
	if e == nil {
		return nil
	}
	o.recent.MoveToFront(e)
	return e.Value.(*execution)
}

// open returns an execution, made when it is new. When there are too many, one that has ended goes,
// else the least recently used one.
func (o *operators) open(id tasksample.ExecutionID) *execution {
	if x := o.execution(id); x != nil {
		return x
	}
	if o.recent.Len() >= o.max {
		e := o.recent.Back()
		for e != nil && !o.done(e.Value.(*execution)) {
			e = e.Prev()
		}
		o.forget(cmp.Or(e, o.recent.Back()))
		o.counts.ForgottenPlan++
	}
	x := &execution{id: id, bytes: executionBytes, user: id, stages: map[stageKey]*stage{}, names: map[namedNode]nodeNames{}, shared: map[*attribution.PlanUpdate]bool{}}
	o.budget.keep(x.bytes)
	o.executions[id] = o.recent.PushFront(x)
	return x
}

// forget lets an execution go.
func (o *operators) forget(e *list.Element) {
	x := o.recent.Remove(e).(*execution)
	delete(o.executions, x.id)
	o.forgetPlan(x)
	o.budget.keep(-x.bytes)
}

// forgetPlan lets the plan of an execution go, and keeps its stages.
func (o *operators) forgetPlan(x *execution) {
	if x.plan == nil {
		return
	}
	o.attributor.Forget(x.plan)
	o.news++
	eachMetric(x.plan, func(id int64) {
		if o.holders[id] == x {
			delete(o.holders, id)
		}
	})
	for update, fresh := range x.shared {
		o.forgetUpdate(x, update, fresh)
	}
	clear(x.names)
	for _, s := range x.stages {
		*s = stage{accumulators: s.accumulators} // the rest points into the plan
	}
	x.plan = nil
}

func (o *operators) forgetUpdate(x *execution, update *attribution.PlanUpdate, fresh bool) {
	delete(x.shared, update)
	o.keep(x, -planBytes(&update.Tree))
	o.budget.keep(-o.texts.release(update, fresh))
}

// losePlan is forgetPlan of an execution whose code may still run. What operators cost, of it or of
// the execution that runs its code, is not known in whole.
func (o *operators) losePlan(x *execution) {
	o.forgetPlan(x)
	x.lost = true
	if user := o.executions[x.user]; user != nil {
		user.Value.(*execution).lost = true
	}
}

// lost reports whether samples of an execution's tasks may lack a plan.
func (o *operators) lost(id tasksample.ExecutionID) bool {
	if id == tasksample.NoExecution {
		return false
	}
	x := o.execution(id)
	return x == nil || x.plan == nil || x.lost
}

// forgetAll lets all executions and stages go.
func (o *operators) forgetAll() {
	for o.recent.Len() > 0 {
		o.forget(o.recent.Back())
	}
	for id := range o.rdds.by {
		o.forgetStageInfo(id)
	}
}

// end takes note that the driver told the end of an execution. A session has thousands, each with a
// plan of tens of kilobytes.
func (o *operators) end(id tasksample.ExecutionID, at jvmlog.MonoTime) {
	e := o.executions[id]
	if e == nil || e.Value.(*execution).over {
		return
	}
	e.Value.(*execution).over = true
	o.ends++
	o.ended = append(o.ended, endedExecution{e, at, o.ends})
	if len(o.ended) > 2*o.max {
		o.ended = slices.DeleteFunc(o.ended, func(e endedExecution) bool { return !o.kept(e) })
	}
}

// room charges more of the execution that was opened last. If there is no room, what is at hand is
// lost and counted.
func (o *operators) room(x *execution, bytes int) bool {
	if !o.makeRoom(bytes) {
		o.counts.OverBudget++
		return false
	}
	o.keep(x, bytes)
	return true
}

// keep charges bytes of an execution, or gives them back if they are negative.
func (o *operators) keep(x *execution, bytes int) {
	x.bytes += bytes
	o.budget.keep(bytes)
}

// makeRoom lets executions that have ended go until the budget has room, then plans of others, then
// executions without a plan. It reports whether there is room. Of each the least recently used goes
// first, and the last one used stays. Executions without a plan take little, and a new reader finds
// stages in the log whose plans are still to come in a replay.
func (o *operators) makeRoom(bytes int) bool {
	for pass := range 3 {
		for e := o.recent.Back(); e != o.recent.Front() && !o.budget.fits(bytes); {
			next := e.Prev()
			switch x := e.Value.(*execution); {
			case pass == 0 && x.plan != nil && o.done(x), pass == 2:
				o.forget(e)
				o.counts.ForgottenPlan++
			case pass == 1 && x.plan != nil:
				o.losePlan(x)
				o.counts.ForgottenPlan++
			}
			e = next
		}
	}
	return o.budget.fits(bytes)
}

// done reports whether an execution has ended and no other one runs its code.
func (o *operators) done(x *execution) bool {
	return x.over && x.id > tasksample.NoExecution && !o.used(x)
}

// planBytes is about what is kept of an update of a plan, beside its texts.
func planBytes(tree *attribution.Tree) int {
	bytes := updateBytes + nodeBytes*cap(tree.Nodes)
	for i := range tree.Nodes {
		bytes += metricBytes * (len(tree.Nodes[i].Metrics) + len(tree.Nodes[i].Counts))
	}
	return bytes
}

// forgetEnded lets the executions go that ended before t. An execution stays while it has a task in
// the timeline, as a task may outlive its execution. It stays while another one runs its code that
// has not ended. The plan of an RDD stays for a while.
func (o *operators) forgetEnded(t jvmlog.MonoTime, tl *timeline) {
	var stay []endedExecution
	n := 0
	for ; n < len(o.ended) && o.ended[n].at < t; n++ {
		e := o.ended[n]
		switch x := e.Value.(*execution); {
		case !o.kept(e):
		case x.id < tasksample.NoExecution && o.ends-e.number < keptRDDPlans, o.used(x), tl.has(x.id):
			stay = append(stay, e)
		default:
			o.forget(e.Element)
		}
	}
	if n == 0 {
		return
	}
	o.ended = append(stay, o.ended[n:]...)
}

// used reports whether code of an execution that is over runs for another one.
func (o *operators) used(x *execution) bool {
	if x.user == x.id {
		return false
	}
	user := o.executions[x.user]
	return user != nil && !user.Value.(*execution).over
}

func (o *operators) source(r *jvmlog.Source) {
	comments := map[string]string{}
	if len(r.Comments) > 0 {
		if err := json.Unmarshal(printable.JSON(r.Comments), &comments); err != nil {
			o.counts.BadSources++ // the text is still worth reading without its comments
			comments = nil
		}
	}
	if err := o.attributor.AddSource(uint64(r.Loader), printable.Text(generatedClass(r)), printable.Text(r.Body), comments); err != nil {
		o.counts.BadSources++
	}
}

// madeByGenerate is the one statement of a generated class's generate method: it names the class
// that does the work.
var madeByGenerate = regexp.MustCompile(`return new (\w+)\(references\);`)

// generatedClass is the class that a source is about. The agent names the outer class, which is the
// same for all; the text says which class its generate method makes.
func generatedClass(r *jvmlog.Source) string {
	if m := madeByGenerate.FindStringSubmatch(r.Body); m != nil {
		return m[1]
	}
	return r.Class
}

// dictionary takes an update of a plan and returns both; nil if it cannot.
func (o *operators) dictionary(r *jvmlog.Dictionary) (*attribution.Plan, *attribution.Tree) {
	x := o.open(r.Execution)
	update, fresh, err := o.common.PlanUpdate(printable.JSON(r.JSON), o.texts.known)
	if err != nil {
		o.counts.BadPlans++
		return nil, nil
	}
	if _, known := x.shared[update]; known { // a replay
		if o.holdMetrics(x, &update.Tree) {
			o.news++
		}
		return x.plan, &update.Tree
	}
	o.budget.keep(o.texts.hold(update, fresh))
	if !o.room(x, planBytes(&update.Tree)) {
		o.budget.keep(-o.texts.release(update, fresh))
		return nil, nil
	}
	x.shared[update] = fresh
	plan := x.plan
	if plan == nil {
		plan = &attribution.Plan{ExecutionID: int64(r.Execution)}
	}
	if err := plan.Merge(*update); err != nil {
		o.forgetUpdate(x, update, fresh)
		o.counts.BadPlans++
		return nil, nil
	}
	x.plan = plan
	x.updates++
	o.news++
	o.holdMetrics(x, &update.Tree)
	clear(x.names)
	return plan, &update.Tree
}

// holdMetrics makes an execution the holder of the accumulators that have none, and reports whether
// there were some.
func (o *operators) holdMetrics(x *execution, tree *attribution.Tree) (some bool) {
	for i := range tree.Nodes {
		for _, m := range tree.Nodes[i].Metrics {
			if o.holders[m.ID] == nil {
				o.holders[m.ID] = x
				some = true
			}
		}
	}
	return some
}

func (o *operators) stage(r *jvmlog.Stage) {
	x, key := o.open(r.Execution), stageKey{r.Stage, r.StageAttempt}
	s := x.stages[key]
	if s != nil && len(r.Accumulators) <= len(s.accumulators) {
		return // a replay, or an earlier and smaller set
	}
	if s == nil {
		if most := 2 * o.max; x.id == tasksample.NoExecution && len(x.stages) >= most {
			o.forgetStages(x, key.stage-tasksample.StageID(most/2))
		}
		if !o.room(x, stageBytes) {
			return
		}
		s = &stage{}
		x.stages[key] = s
	}
	if !o.room(x, 8*(len(r.Accumulators)-len(s.accumulators))) {
		return
	}
	s.accumulators = make([]int64, 0, len(r.Accumulators))
	for _, a := range r.Accumulators {
		s.accumulators = append(s.accumulators, int64(a))
	}
	slices.Sort(s.accumulators)
	s.placed = false
}

// forgetStages lets the stages of an execution go that come before one.
func (o *operators) forgetStages(x *execution, before tasksample.StageID) {
	maps.DeleteFunc(x.stages, func(k stageKey, s *stage) bool {
		gone := k.stage < before
		if gone {
			x.bytes -= s.bytes()
			o.budget.keep(-s.bytes())
		}
		return gone
	})
}

// plan is an execution's plan, nil while it is not known.
func (o *operators) plan(id tasksample.ExecutionID) *attribution.Plan {
	if x := o.execution(id); x != nil {
		return x.plan
	}
	return nil
}

// known reports whether all that attribution wants to know of a task is there: its plan, with the
// update that its stage runs, and its stage's accumulators.
func (o *operators) known(task *Task) bool {
	if task.Execution == tasksample.NoExecution {
		return !o.namesRDDs || o.rdds.of(task) != nil
	}
	s := o.placed(task)
	return s != nil && (s.matched || len(s.others) > 0)
}

// attribute asks where a task's stack belongs. The place is the one of the task's stage in the
// verdict's plan.
func (o *operators) attribute(frames []attribution.Frame, task *Task) (v attribution.Verdict, names nodeNames, place string) {
	scope, s := o.scope(task)
	if s == nil && scope.Plan != nil {
		o.counts.NoStage++
	}
	v = o.attributor.Attribute(frames, scope)
	if v.Node == nil {
		return v, nodeNames{}, ""
	}
	return v, o.names(v.Plan, namedNode{v.Node, endOf(v.Node, s)}), s.placeIn(v.Plan)
}

// scope is what is known of a task, and of its stage: nil while nothing is.
func (o *operators) scope(task *Task) (attribution.Scope, *stage) {
	scope := attribution.Scope{Plan: o.plan(task.Execution)}
	s := o.placed(task)
	if s != nil {
		scope.Accumulators = s.accumulators
		for _, other := range s.others {
			scope.Others = append(scope.Others, other.plan)
		}
	}
	scope.Pending = scope.Plan == nil && task.Execution != tasksample.NoExecution
	return scope, s
}
