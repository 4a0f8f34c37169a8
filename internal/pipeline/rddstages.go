package pipeline

import (
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/printable"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

const (
	// rddRole is the role of a stage that runs for no SQL execution.
	rddRole = "rdd"
	// namesStages is the first minor version of the log with STAGE_INFO (FORMAT.md).
	namesStages = 5
)

// rddStage is what STAGE_INFO says of a stage without a plan.
type rddStage struct {
	bytes                   int // that the budget has for it
	query, queryName, place string
	names                   nodeNames
	callSite, line          string
	used                    uint64 // rddStages.clock at its last use
}

// rddStages are the stages without a plan of one JVM; those used least recently are forgotten.
type rddStages struct {
	by    map[tasksample.StageID]*rddStage
	bytes int    // of them all
	clock uint64 // counts uses
}

// mostInfoPart: beyond an eighth of the budget names of stages go before plans do.
const mostInfoPart = 8

// stageInfo keeps what a record says, which a replay says again, and returns it. Those used least
// recently make room, and plans if there are few names; nil if the record is bad or larger than all
// the room there is.
func (o *operators) stageInfo(r *jvmlog.StageInfo) *rddStage {
	stage, err := parseStageInfo(r.JSON)
	if err != nil {
		o.counts.BadRecords++
		return nil
	}
	stage.bytes = rddStageBytes + len(r.JSON)
	s := &o.rdds
	if before := s.by[r.Stage]; before != nil {
		o.forgetStageInfo(r.Stage)
	}
	for len(s.by) >= 2*o.max || len(s.by) > 0 && !o.budget.fits(stage.bytes) && s.bytes > o.budget.most/mostInfoPart {
		o.forgetStageInfo(s.leastUsed())
	}
	if !o.makeRoom(stage.bytes) {
		o.counts.OverBudget++
		return nil
	}
	o.budget.keep(stage.bytes)
	s.bytes += stage.bytes
	if s.by == nil {
		s.by = map[tasksample.StageID]*rddStage{}
	}
	s.by[r.Stage] = stage
	s.use(stage)
	return stage
}

func (s *rddStages) use(stage *rddStage) {
	s.clock++
	stage.used = s.clock
}

func (s *rddStages) leastUsed() (least tasksample.StageID) {
	at := uint64(math.MaxUint64)
	for id, stage := range s.by {
		if stage.used < at {
			least, at = id, stage.used
		}
	}
	return least
}

func (o *operators) forgetStageInfo(id tasksample.StageID) {
	bytes := o.rdds.by[id].bytes
	o.budget.keep(-bytes)
	o.rdds.bytes -= bytes
	delete(o.rdds.by, id)
}

// of is the stage of a task that belongs to no SQL execution; nil if it does, or if nothing is
// known of the stage.
func (s *rddStages) of(task *Task) *rddStage {
	if task == nil || task.Execution != tasksample.NoExecution {
		return nil
	}
	stage := s.by[task.Stage]
	if stage != nil {
		s.use(stage)
	}
	return stage
}

// parseStageInfo reads the JSON of a STAGE_INFO record. Unknown keys are ignored.
func parseStageInfo(text []byte) (*rddStage, error) {
	var in struct {
		Query        string `json:"query"`
		QueryName    string `json:"query_name"`
		Operator     string `json:"operator"`
		OperatorName string `json:"operator_name"`
		Stage        string `json:"stage"`
		CallSite     string `json:"call_site"`
		Line         string `json:"line"`
	}
	if err := json.Unmarshal(printable.JSON(text), &in); err != nil {
		return nil, err
	}
	if in.Query == "" || in.Operator == "" {
		return nil, errors.New(`decode STAGE_INFO: key "query" or "operator" is missing`)
	}
	return &rddStage{
		query: in.Query, queryName: in.QueryName, place: in.Stage, callSite: in.CallSite, line: in.Line,
		names: nodeNames{operator: in.Operator, name: in.OperatorName, role: rddRole},
	}, nil
}

// nameless reports whether a job goes by the name of a method alone, without a file: PySpark calls
// it through reflection, or AQE runs it in a pool's thread.
func (s *rddStage) nameless() bool {
	return s.callSite == "" && s.queryName == s.names.name && !strings.Contains(s.queryName, " at ")
}

// planOfRDD is the plan of a DataFrame whose RDD a task of no SQL execution computes, and the
// stage's place in it; nil if there is none.
func (o *operators) planOfRDD(task *Task) (plan *attribution.Plan, place string) {
	if s := o.placed(task); s != nil && len(s.others) > 0 && unclaimed(s.others[0].plan) {
		return s.others[0].plan, s.others[0].place
	}
	return nil, ""
}

// outlinesOfRDDs are the outlines of the plans whose code jobs without SQL run, as a part of these
// jobs.
func (o *operators) outlinesOfRDDs() (out []PlanOutline) {
	x := o.execution(tasksample.NoExecution)
	if x == nil {
		return nil
	}
	type part struct {
		query string
		plan  *attribution.Plan
	}
	seen := map[part]bool{}
	for key := range x.stages {
		task := &Task{Stage: key.stage, StageAttempt: key.attempt, Execution: tasksample.NoExecution}
		rdd := o.rdds.of(task)
		plan, _ := o.planOfRDD(task)
		if rdd == nil || plan == nil || rdd.nameless() || seen[part{rdd.query, plan}] {
			continue
		}
		seen[part{rdd.query, plan}] = true
		outline := outlineOf(o.execution(tasksample.ExecutionID(plan.ExecutionID)))
		outline.Query, outline.Plan = rdd.query, ""
		out = append(out, outline)
	}
	slices.SortFunc(out, func(a, b PlanOutline) int {
		return cmp.Or(cmp.Compare(a.Query, b.Query), cmp.Compare(a.Execution, b.Execution))
	})
	return out
}

// takes reports whether a stage is the place of CPU that no plan's node and no bucket of the
// executor's own claims.
func (s *rddStage) takes(v attribution.Verdict) bool {
	return s != nil && v.Node == nil && (v.Bucket == attribution.BucketNoPlan || v.Bucket == attribution.BucketUnknown)
}
