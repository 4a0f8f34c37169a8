package recording

import (
	"encoding/json"
	"slices"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// stages are the stages that ran in one JVM, and which plans and samples belong to those that are
// wanted.
type stages struct {
	queries map[tasksample.ExecutionID]*query
	owners  map[tasksample.AccumulatorID]tasksample.ExecutionID // whose plan has it
	by      map[stageKey]*stage
	infos   map[tasksample.StageID]named // stages without a plan
	threads map[uint32][]ran             // :: tid → tasks, in the order of their starts
}

// stageKey is a stage attempt.
type stageKey struct {
	stage   tasksample.StageID
	attempt tasksample.StageAttempt
}

func stageOf(e *jvmlog.TaskEvent) stageKey { return stageKey{e.Stage, e.StageAttempt} }

// named is a query as a record tells it.
type named struct {
	Query string `json:"query"`
	Name  string `json:"query_name"`
}

// query is an SQL execution.
type query struct {
	named
	wanted bool
	needed bool // its plan: by itself, or since a stage that is wanted runs its code
}

// stage is a stage attempt of which tasks ran.
type stage struct {
	execution    tasksample.ExecutionID
	accumulators []tasksample.AccumulatorID
	ran          bool
	wanted       bool
}

// ran is a task on a thread; an end of 0 says that it runs.
type ran struct {
	start, end jvmlog.MonoTime
	task       tasksample.TaskAttemptID
	of         *stage
}

func newStages() *stages {
	return &stages{
		queries: map[tasksample.ExecutionID]*query{}, owners: map[tasksample.AccumulatorID]tasksample.ExecutionID{},
		by: map[stageKey]*stage{}, infos: map[tasksample.StageID]named{}, threads: map[uint32][]ran{},
	}
}

// take takes an entry, if it tells of stages.
func (s *stages) take(e rawEntry) error {
	if e.kind == kindTaskEvent {
		event, err := decodeTaskEvent(e.body)
		if err == nil {
			s.task(&event)
		}
		return err
	}
	switch e.record {
	case jvmlog.TypeDictionary, jvmlog.TypeStage, jvmlog.TypeStageInfo, jvmlog.TypeTimes:
	default:
		return nil
	}
	_, r, err := jvmlog.DecodeRecord(e.body, 0)
	if err != nil {
		return err
	}
	switch r := r.(type) {
	case *jvmlog.Dictionary:
		s.dictionary(r)
	case *jvmlog.Stage:
		one := s.stage(stageKey{r.Stage, r.StageAttempt})
		one.execution, one.accumulators = r.Execution, r.Accumulators
	case *jvmlog.StageInfo:
		var n named
		if json.Unmarshal(r.JSON, &n) == nil { // else it is kept if all are
			s.infos[r.Stage] = n
		}
	case *jvmlog.Times:
		if t, ok := timesOf(r); ok && t.Kind == "execution" {
			s.query(t.Execution).named = t.named
		}
	}
	return nil
}

func (s *stages) stage(k stageKey) *stage {
	one := s.by[k]
	if one == nil {
		one = &stage{execution: tasksample.NoExecution}
		s.by[k] = one
	}
	return one
}

func (s *stages) query(id tasksample.ExecutionID) *query {
	q := s.queries[id]
	if q == nil {
		q = &query{}
		s.queries[id] = q
	}
	return q
}

func (s *stages) dictionary(r *jvmlog.Dictionary) {
	var plan struct {
		named
		Nodes []struct {
			Metrics []struct {
				ID tasksample.AccumulatorID `json:"id"`
			} `json:"metrics"`
		} `json:"nodes"`
	}
	if json.Unmarshal(r.JSON, &plan) != nil {
		return // no reader makes anything of it
	}
	s.query(r.Execution).named = plan.named
	for i := range plan.Nodes {
		for _, m := range plan.Nodes[i].Metrics {
			s.owners[m.ID] = r.Execution
		}
	}
}

// task takes a task event, in the order of the log.
func (s *stages) task(e *jvmlog.TaskEvent) {
	if e.Kind == jvmlog.TaskClocks {
		return
	}
	one := s.stage(stageOf(e))
	one.ran = true
	if one.execution == tasksample.NoExecution {
		one.execution = e.Execution
	}
	all := s.threads[e.TID]
	last := len(all) - 1
	if e.Kind == jvmlog.TaskStart {
		if last >= 0 && all[last].end == 0 { // its end is lost
			all[last].end = e.Time
		}
		s.threads[e.TID] = append(all, ran{start: e.Time, task: e.Task, of: one})
		return
	}
	if last >= 0 && all[last].task == e.Task {
		all[last].end = e.Time
		return
	}
	start := jvmlog.MonoTime(0) // not seen: since the task before
	if last >= 0 {
		if all[last].end == 0 { // its end is lost too; when is not known, as in the pipeline
			all[last].end = max(all[last].start, 1)
		}
		start = max(all[last].end, all[last].start)
	}
	s.threads[e.TID] = append(all, ran{start: start, end: e.Time, task: e.Task, of: one})
}

// settle decides what is wanted, when all has been taken.
func (s *stages) settle(choose func(query, name string) bool) {
	for _, q := range s.queries {
		q.wanted = choose == nil || choose(q.Query, q.Name)
		q.needed = choose != nil && q.wanted
	}
	for k, one := range s.by {
		info, rdd := s.infos[k.stage]
		one.wanted = one.ran && (choose == nil || rdd && choose(info.Query, info.Name) || s.runsWanted(one))
		if !one.wanted {
			continue
		}
		for _, id := range s.plansOf(one) {
			if q := s.queries[id]; q != nil {
				q.needed = true
			}
		}
	}
}

// plansOf are the executions whose plan a stage runs: its own, and the ones of its accumulators.
func (s *stages) plansOf(one *stage) []tasksample.ExecutionID {
	out := []tasksample.ExecutionID{one.execution}
	for _, a := range one.accumulators {
		if owner, ok := s.owners[a]; ok {
			out = append(out, owner)
		}
	}
	return out
}

// runsWanted reports whether a stage runs a plan that is wanted.
func (s *stages) runsWanted(one *stage) bool {
	return slices.ContainsFunc(s.plansOf(one), func(id tasksample.ExecutionID) bool {
		q := s.queries[id]
		return q != nil && q.wanted
	})
}

// wants reports whether a stage is wanted.
func (s *stages) wants(k stageKey) bool {
	one := s.by[k]
	return one != nil && one.wanted
}

// hasSample reports whether a sample is of a stage that is wanted. It is of the task that ran, or
// else of the next one on its thread, as the pipeline has it.
func (s *stages) hasSample(sample *sampler.Sample) bool {
	all := s.threads[sample.TID]
	i, _ := slices.BinarySearchFunc(all, sample.Time, func(r ran, t jvmlog.MonoTime) int {
		if r.end != 0 && r.end < t {
			return -1
		}
		return 1
	})
	return i < len(all) && all[i].of.wanted
}

// keeps reports whether a record about plans and stages is needed.
func (s *stages) keeps(r jvmlog.Record) bool {
	switch r := r.(type) {
	case *jvmlog.Dictionary:
		return s.needs(r.Execution)
	case *jvmlog.ExecutionEnd:
		return s.needs(r.ExecutionID)
	case *jvmlog.Stage:
		return s.wants(stageKey{r.Stage, r.StageAttempt})
	case *jvmlog.Rows:
		return s.wants(stageKey{r.StageID, r.StageAttempt})
	case *jvmlog.StageInfo:
		for k, one := range s.by {
			if k.stage == r.Stage && one.wanted {
				return true
			}
		}
	case *jvmlog.Dwell:
		var d struct {
			Stage   tasksample.StageID      `json:"stage_id"`
			Attempt tasksample.StageAttempt `json:"attempt"`
		}
		d.Stage = -1 // counts have none
		return json.Unmarshal(r.JSON, &d) == nil && s.wants(stageKey{d.Stage, d.Attempt})
	case *jvmlog.Times:
		t, ok := timesOf(r)
		return ok && (t.Kind == "application" || s.needs(t.Execution) || t.Kind == "stage" && s.wants(stageKey{t.Stage, t.Attempt}))
	}
	return false
}

func (s *stages) needs(id tasksample.ExecutionID) bool {
	q := s.queries[id]
	return q != nil && q.needed
}

// times is what TIMES says of whose time it is.
type times struct {
	named
	Kind      string                  `json:"kind"`
	Execution tasksample.ExecutionID  `json:"execution_id"`
	Stage     tasksample.StageID      `json:"stage_id"`
	Attempt   tasksample.StageAttempt `json:"attempt"`
}

func timesOf(r *jvmlog.Times) (times, bool) {
	t := times{Execution: tasksample.NoExecution, Stage: -1}
	err := json.Unmarshal(r.JSON, &t)
	return t, err == nil
}
