package pipeline

import (
	"cmp"
	"encoding/json"
	"errors"
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
	used                    bool // since it was the oldest
}

// rddStages are the stages without a plan of one JVM; the oldest are forgotten, but for those that
// still run.
type rddStages struct {
	by  map[tasksample.StageID]*rddStage
	old []tasksample.StageID // of by, oldest first
}

// stageInfo keeps what a record says, which a replay says again, and returns it. The oldest make
// room; nil if the record is bad or larger than all the room there is.
func (o *operators) stageInfo(r *jvmlog.StageInfo) *rddStage {
	stage, err := parseStageInfo(r.JSON)
	if err != nil {
		o.counts.BadRecords++
		return nil
	}
	stage.bytes = rddStageBytes + len(r.JSON)
	o.makeRoom(stage.bytes)
	s := &o.rdds
	for known := s.by[r.Stage] != nil; len(s.old) > 0; {
		if (known || len(s.old) < 2*o.max) && o.budget.fits(stage.bytes) {
			break
		}
		if oldest := s.by[s.old[0]]; oldest.used {
			oldest.used = false
			s.old = append(s.old[1:], s.old[0])
			continue
		}
		o.forgetStageInfo(s.old[0])
		known = s.by[r.Stage] != nil
	}
	if !o.budget.fits(stage.bytes) {
		o.counts.OverBudget++
		return nil
	}
	o.budget.keep(stage.bytes)
	if s.by == nil {
		s.by = map[tasksample.StageID]*rddStage{}
	}
	if before := s.by[r.Stage]; before != nil {
		o.budget.keep(-before.bytes)
	} else {
		s.old = append(s.old, r.Stage)
	}
	s.by[r.Stage] = stage
	return stage
}

// forgetStageInfo lets the oldest stage without a plan go.
func (o *operators) forgetStageInfo(oldest tasksample.StageID) {
	o.budget.keep(-o.rdds.by[oldest].bytes)
	delete(o.rdds.by, oldest)
	o.rdds.old = o.rdds.old[1:]
}

// of is the stage of a task that belongs to no SQL execution; nil if it does, or if nothing is
// known of the stage.
func (s *rddStages) of(task *Task) *rddStage {
	if task == nil || task.Execution != tasksample.NoExecution {
		return nil
	}
	stage := s.by[task.Stage]
	if stage != nil {
		stage.used = true
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
