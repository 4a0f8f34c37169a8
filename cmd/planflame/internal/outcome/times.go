package outcome

import (
	"cmp"
	"slices"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/tasksample"
)

// SlotTime is the time of task slots. While a stage is active it has the slots that its tasks hold,
// and an equal part of the free ones. So running, waiting and idle of all stages add up to slots ×
// time while any stage was active. The three of a stage that was alone add up to slots × its wall
// time.
type SlotTime struct {
	RunningSeconds float64 `json:"running_seconds"` // CPU of the tasks' threads, by Spark's own metrics; a Python worker's is not in it
	WaitingSeconds float64 `json:"waiting_seconds"` // the rest of the time that tasks held a slot
	IdleSeconds    float64 `json:"idle_seconds"`    // no task held the slot
}

// Time is where the time of the run's applications went.
type Time struct {
	WallSeconds float64 `json:"wall_seconds"`
	Slots       int     `json:"slots"`        // tasks that could run at once, at most
	SlotSeconds float64 `json:"slot_seconds"` // slots × wall: the sum of the four that follow
	SlotTime
	NoStageSeconds float64 `json:"no_stage_seconds"` // slot time while no stage was active
	// DriverOnlySeconds is the wall time in which no task ran. PlanningSeconds is the part in which
	// an SQL execution was planned or prepared its first job.
	DriverOnlySeconds float64 `json:"driver_only_seconds"`
	PlanningSeconds   float64 `json:"planning_seconds"`
	// ProgramSeconds is the wall time, from the first query of an application to its end, in which
	// no query was planned or ran and no stage was active.
	ProgramSeconds float64 `json:"program_seconds"`
	Lost           uint64  `json:"lost,omitempty"` // tasks, stages and executions whose times are not known
	// ApplicationSeconds is the sum of the applications' own wall times, as DriverOnlySeconds and
	// ProgramSeconds are sums over them.
	ApplicationSeconds float64 `json:"-"`
}

// QueryTime is where the time of a query's executions that are over went; sums over them. A job
// without SQL has none: its stages are summed.
type QueryTime struct {
	WallSeconds float64 `json:"wall_seconds"` // from its start to its end, as Spark tells them: its plan was made before; of a job without SQL, while a stage was active
	SlotTime
	// DriverOnlySeconds is the part of the wall time in which none of its tasks ran. Tasks of
	// executions that it runs count, too.
	DriverOnlySeconds float64 `json:"driver_only_seconds"`
	PlanningSeconds   float64 `json:"planning_seconds"` // of its plan: analysis, optimization and planning; before the wall time begins
	Executions        int     `json:"executions"`
	FailedExecutions  int     `json:"failed_executions,omitempty"` // part of executions
}

// StageTime is where the time of a stage attempt went. But for wall and slot time its figures are
// sums over all of its tasks that ended, in Spark's terms.
type StageTime struct {
	StageID     tasksample.StageID      `json:"stage_id"`
	Attempt     tasksample.StageAttempt `json:"attempt"`
	ExecutionID *tasksample.ExecutionID `json:"sql_execution_id,omitempty"` // absent outside SQL
	Name        string                  `json:"name"`                       // Spark's: the call site
	Failed      bool                    `json:"failed,omitempty"`
	Tasks       int                     `json:"tasks"` // attempts that ended
	FailedTasks int                     `json:"failed_tasks,omitempty"`
	MissedTasks int                     `json:"missed_tasks,omitempty"` // of which Spark dropped the events
	WallSeconds float64                 `json:"wall_seconds"`
	SlotTime
	RunSeconds            float64 `json:"run_seconds"` // executorRunTime
	MedianRunSeconds      float64 `json:"median_run_seconds"`
	MaxRunSeconds         float64 `json:"max_run_seconds"`
	CPUSeconds            float64 `json:"cpu_seconds"` // executorCpuTime
	DeserializeSeconds    float64 `json:"deserialize_seconds"`
	DeserializeCPUSeconds float64 `json:"deserialize_cpu_seconds"`
	SerializeSeconds      float64 `json:"serialize_seconds"` // of results
	GCSeconds             float64 `json:"gc_seconds"`
	FetchWaitSeconds      float64 `json:"fetch_wait_seconds"`    // for shuffle blocks
	ShuffleWriteSeconds   float64 `json:"shuffle_write_seconds"` // part of run_seconds in writing them
	MemorySpilledBytes    int64   `json:"memory_spilled_bytes"`
	DiskSpilledBytes      int64   `json:"disk_spilled_bytes"`
	InputBytes            int64   `json:"input_bytes"`
	InputRows             int64   `json:"input_rows"`
	OutputBytes           int64   `json:"output_bytes"`
	OutputRows            int64   `json:"output_rows"`
	ShuffleReadBytes      int64   `json:"shuffle_read_bytes"`
	ShuffleReadRows       int64   `json:"shuffle_read_rows"`
	ShuffleWriteBytes     int64   `json:"shuffle_write_bytes"`
	ShuffleWriteRows      int64   `json:"shuffle_write_rows"`
}

func ofMillis(ms int64) float64 { return float64(ms) / 1e3 }

func ofMicros(us int64) float64 { return float64(us) / 1e6 }

func ofNanos(ns int64) float64 { return float64(ns) / 1e9 }

// slotTime divides the time that tasks held slots. CPU beyond it is a matter of clocks: Spark's
// times are whole milliseconds.
func slotTime(heldUS, idleUS, cpuNanos int64) SlotTime {
	held, running := ofMicros(heldUS), ofNanos(cpuNanos)
	running = min(running, held)
	return SlotTime{RunningSeconds: running, WaitingSeconds: held - running, IdleSeconds: ofMicros(idleUS)}
}

func (t *SlotTime) add(o SlotTime) {
	t.RunningSeconds += o.RunningSeconds
	t.WaitingSeconds += o.WaitingSeconds
	t.IdleSeconds += o.IdleSeconds
}

func stageTime(s *pipeline.StageTimes) StageTime {
	out := StageTime{
		StageID: s.ID, Attempt: s.Attempt, Name: s.Name, Failed: s.Failed, Tasks: s.Tasks, FailedTasks: s.FailedTasks, MissedTasks: s.MissedTasks,
		WallSeconds: ofMillis(s.CompletedMS - s.SubmittedMS), SlotTime: slotTime(s.HeldUS, s.IdleUS, s.CPUNanos+s.DeserializeCPUNanos),
		RunSeconds: ofMillis(s.RunMS), MedianRunSeconds: ofMillis(s.MedianRunMS), MaxRunSeconds: ofMillis(s.MaxRunMS),
		CPUSeconds: ofNanos(s.CPUNanos), DeserializeSeconds: ofMillis(s.DeserializeMS), DeserializeCPUSeconds: ofNanos(s.DeserializeCPUNanos),
		SerializeSeconds: ofMillis(s.SerializeMS), GCSeconds: ofMillis(s.GCMS),
		FetchWaitSeconds: ofMillis(s.FetchWaitMS), ShuffleWriteSeconds: ofNanos(s.ShuffleWriteNanos),
		MemorySpilledBytes: s.MemorySpilledBytes, DiskSpilledBytes: s.DiskSpilledBytes,
		InputBytes: s.InputBytes, InputRows: s.InputRows, OutputBytes: s.OutputBytes, OutputRows: s.OutputRows,
		ShuffleReadBytes: s.ShuffleReadBytes, ShuffleReadRows: s.ShuffleReadRows, ShuffleWriteBytes: s.ShuffleWriteBytes, ShuffleWriteRows: s.ShuffleWriteRows,
	}
	if s.Execution != tasksample.NoExecution {
		out.ExecutionID = &s.Execution
	}
	return out
}

// times adds what a driver told of times.
func (s *sums) times(j *window.JVMProfile) {
	t := &j.Times
	s.lostTimes += j.Totals.LostTimes
	for i := range t.Applications {
		s.timed(&t.Applications[i])
		s.programMS += programMS(t, &t.Applications[i])
	}
	queries := map[executionKey]*querySums{}
	for i := range t.Executions {
		x := &t.Executions[i]
		if x.Query == "" {
			continue // its time is in the application's, and nowhere else
		}
		q := s.query(pipeline.Labels{Query: x.Query, QueryName: x.QueryName, Plan: x.Plan, Execution: s.outermost(x.ApplicationID, x.ID)})
		q.applications[x.ApplicationID] = true
		q.execution(x)
		queries[executionKey{x.ApplicationID, x.ID}] = q
	}
	for i := range t.Stages {
		st := &t.Stages[i]
		shown := stageTime(st)
		s.slots.add(shown.SlotTime)
		if q := queries[executionKey{st.ApplicationID, st.Execution}]; q != nil {
			q.stages = append(q.stages, shown)
		} else {
			s.noSQL = append(s.noSQL, stageOutside{stageKey{st.ApplicationID, st.ID}, st.SubmittedMS, st.CompletedMS, shown})
		}
	}
}

type executionKey struct {
	application string
	execution   tasksample.ExecutionID
}

// outerOf are the executions that run others of their own query, by these.
func outerOf(p window.Profile) map[executionKey]tasksample.ExecutionID {
	out := map[executionKey]tasksample.ExecutionID{}
	for i := range p.JVMs {
		for k := range p.JVMs[i].Times.Executions {
			if x := &p.JVMs[i].Times.Executions[k]; x.Inner {
				out[executionKey{x.ApplicationID, x.ID}] = x.Root
			}
		}
	}
	return out
}

// outermost is the execution that runs an inner one; any other execution is its own.
func (s *sums) outermost(application string, id tasksample.ExecutionID) tasksample.ExecutionID {
	if outer, inner := s.outer[executionKey{application, id}]; inner {
		return outer
	}
	return id
}

// timeSums are the times of applications in the making.
type timeSums struct {
	begin, end                        int64 // of all applications, milliseconds; 0: none
	most                              int   // slots
	slotUS, stageUS, freeMS, planning int64
	programMS, applicationMS          int64
	slots                             SlotTime
	stages                            []StageTime // of no query
	noSQL                             []stageOutside
	placed                            map[stageKey]queryKey // stages outside SQL
	lostTimes                         uint64
}

func (s *timeSums) timed(a *pipeline.ApplicationTimes) {
	if s.begin == 0 || a.StartedMS < s.begin {
		s.begin = a.StartedMS
	}
	end := cmp.Or(a.EndedMS, a.UntilMS)
	s.end = max(s.end, end)
	s.applicationMS += end - a.StartedMS
	s.most = max(s.most, a.Slots)
	s.slotUS += a.SlotUS
	s.stageUS += a.StageSlotUS
	s.freeMS += a.TaskFreeMS
	s.planning += a.PlanningMS
}

func (s *timeSums) show() *Time {
	if s.begin == 0 {
		return nil
	}
	return &Time{
		WallSeconds: ofMillis(s.end - s.begin), Slots: s.most, SlotSeconds: ofMicros(s.slotUS), SlotTime: s.slots,
		NoStageSeconds:    ofMicros(s.slotUS - s.stageUS),
		DriverOnlySeconds: ofMillis(s.freeMS), PlanningSeconds: ofMillis(s.planning),
		ProgramSeconds: ofMillis(s.programMS), Lost: s.lostTimes, ApplicationSeconds: ofMillis(s.applicationMS),
	}
}

type stageKey struct {
	application string
	stage       tasksample.StageID
}

// stageOutside is a stage of no SQL execution.
type stageOutside struct {
	stageKey
	submitted, completed int64 // milliseconds
	shown                StageTime
}

// placeStage takes note of which query a stage outside SQL is: a job is a query of its own.
func (s *timeSums) placeStage(application string, l pipeline.Labels) {
	if l.Execution != tasksample.NoExecution || l.Query == "" {
		return
	}
	if s.placed == nil {
		s.placed = map[stageKey]queryKey{}
	}
	s.placed[stageKey{application, l.Stage}] = queryKey{l.Query, l.Plan}
}

// timeJobs gives the stages outside SQL to their jobs. Of a job Spark tells no end, so its wall
// time is that in which a stage of it was active.
func (s *sums) timeJobs() {
	slices.SortFunc(s.noSQL, func(a, b stageOutside) int { return cmp.Compare(a.submitted, b.submitted) })
	until := map[*querySums]int64{}
	for _, st := range s.noSQL {
		q := s.queries[s.placed[st.stageKey]]
		if q == nil {
			s.stages = append(s.stages, st.shown)
			continue
		}
		if q.time == nil {
			q.time = &QueryTime{}
		}
		q.stages = append(q.stages, st.shown)
		q.time.add(st.shown.SlotTime)
		q.time.WallSeconds += ofMillis(max(0, st.completed-max(st.submitted, until[q])))
		until[q] = max(until[q], st.completed)
	}
}

func (q *querySums) execution(x *pipeline.ExecutionTimes) {
	if q.time == nil {
		q.time = &QueryTime{}
	}
	t := q.time
	if !x.Inner {
		t.Executions++
		if x.Failed {
			t.FailedExecutions++
		}
		t.WallSeconds += ofMillis(x.EndedMS - x.StartedMS)
		t.DriverOnlySeconds += ofMillis(x.TaskFreeMS)
	}
	t.PlanningSeconds += ofMillis(x.AnalysisMS + x.OptimizationMS + x.PlanningMS)
	t.add(slotTime(x.HeldUS, x.IdleUS, x.CPUNanos))
}

// wall is the query's wall time, 0 if it is not known.
func (q Query) wall() float64 {
	if q.Time == nil {
		return 0
	}
	return q.Time.WallSeconds
}

// byTime is the order of queries: by falling wall time, then CPU.
func byTime(a, b Query) int {
	return cmp.Or(cmp.Compare(b.wall(), a.wall()), cmp.Compare(b.CPUSeconds, a.CPUSeconds), cmp.Compare(a.Query, b.Query), cmp.Compare(a.Plan, b.Plan))
}

// sortStages sorts stages by their numbers.
func sortStages(s []StageTime) []StageTime {
	slices.SortStableFunc(s, func(a, b StageTime) int {
		return cmp.Or(cmp.Compare(a.StageID, b.StageID), cmp.Compare(a.Attempt, b.Attempt))
	})
	return s
}
