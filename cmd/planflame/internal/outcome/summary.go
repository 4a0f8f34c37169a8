package outcome

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/columns"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/tasksample"
)

// Summary is summary.json. Its keys are stable: other programs read them.
//
// CPU is of the executors' task threads and of their Python workers. The cpu_seconds of all
// operators and of all buckets, and the seconds of workers outside of queries, add up to the head's
// cpu_seconds. Shares of the head are of its cpu_seconds, shares of an operator are of its query.
// Workers' CPU is exact, by /proc; what of it has a query and no plan node is an operator of its
// own, "[python worker]". So are the JVM's threads that compute the rows for workers, "[python
// feed]". The JVMs' other threads stand apart in outside, their other child processes in python.
type Summary struct {
	SparkVersion           string  `json:"spark_version"` // "" where no JVM said it
	JDKVersion             string  `json:"jdk_version"`
	Mode                   string  `json:"mode"`                    // "privileged", "self-opened", "none"; several joined by "+"
	Hz                     int     `json:"hz"`                      // samples per second of every task's CPU; 0: only selected tasks are sampled
	DetailHz               float64 `json:"detail_hz,omitempty"`     // more of selected tasks
	TaskFraction           float64 `json:"task_fraction,omitempty"` // of each stage's partitions that is selected
	RunFraction            float64 `json:"run_fraction,omitempty"`  // of runs (SQL executions) that is sampled, where it is not all
	Samples                uint64  `json:"samples"`                 // taken on task threads
	LostSamples            uint64  `json:"lost_samples"`            // the ring was full, or too many waited
	TruncatedStacks        uint64  `json:"truncated_stacks"`
	RawTaskCPUSeconds      float64 `json:"raw_task_cpu_seconds"`     // samples × period, uncalibrated
	CPUSeconds             float64 `json:"cpu_seconds"`              // task_cpu_seconds, python.worker_cpu_seconds and python.feed_cpu_seconds
	TaskCPUSeconds         float64 `json:"task_cpu_seconds"`         // the task threads' own
	KernelUnsampledSeconds float64 `json:"kernel_unsampled_seconds"` // system time that samples do not cover
	AttributedShare        float64 `json:"attributed_share"`         // CPU with a plan node
	DisputedShare          float64 `json:"disputed_share"`           // CPU whose rules disagree
	UnknownShare           float64 `json:"unknown_share"`            // the bucket "unknown"
	// Time is absent where no driver told it.
	Time    *Time       `json:"time,omitempty"`
	Queries []Query     `json:"queries"`          // by falling wall time, then CPU
	Stages  []StageTime `json:"stages,omitempty"` // of no query, by their numbers
	// Applications ran tasks, in the order in which they were found: several where the command
	// starts Spark again.
	Applications []Application `json:"applications"`
	// Attributes are what the applications say of themselves (labels, OTEL_RESOURCE_ATTRIBUTES);
	// where JVMs differ, the first one's.
	Attributes map[string]string `json:"attributes,omitempty"`
	Buckets    []Bucket          `json:"buckets"` // by falling CPU

	// ProcessCPUSeconds is the CPU of the JVMs, drivers among them: the sum of TaskThreadSeconds
	// and Outside.
	ProcessCPUSeconds float64  `json:"process_cpu_seconds"`
	TaskThreadSeconds float64  `json:"task_thread_seconds"` // of which on task threads, by /proc: a check on task_cpu_seconds
	Outside           []Bucket `json:"outside"`             // of which on other threads, by falling CPU
	Python            Python   `json:"python"`

	Findings []Finding `json:"findings,omitempty"` // by falling share; of the whole run last
	// SlowTasks is absent where no driver told of stages.
	SlowTasks *SlowTasks `json:"slow_tasks,omitempty"`
	// SlowRecords is absent where no JVM watched records.
	SlowRecords *SlowRecords `json:"slow_records,omitempty"`

	// selection says what of the run this is, "" for all of it. children are the child processes of
	// a selection, but for Python workers.
	selection string
	children  []Bucket
}

// Application is a Spark application of the run.
type Application struct {
	ID             string  `json:"id"`
	Name           string  `json:"name"`
	Tasks          uint64  `json:"tasks"`
	TaskCPUSeconds float64 `json:"task_cpu_seconds"`
}

// Python is the CPU of the JVMs' child processes.
type Python struct {
	WorkerCPUSeconds float64 `json:"worker_cpu_seconds"`         // of Python workers: part of the head's cpu_seconds
	UnplacedSeconds  float64 `json:"unplaced_seconds"`           // of which no plan node is known
	FeedCPUSeconds   float64 `json:"feed_cpu_seconds"`           // of the JVM's threads that compute the rows for workers (Spark 3.5): in outside, and in queries too
	OutsideSeconds   float64 `json:"outside_queries_seconds"`    // of both, of which no query is known: RDDs, several queries at once, the driver's planning
	LeftOutSeconds   float64 `json:"left_out_seconds,omitempty"` // of both, in runs that were not drawn: in no query's cpu_seconds
	DaemonCPUSeconds float64 `json:"daemon_cpu_seconds"`
	OtherCPUSeconds  float64 `json:"other_cpu_seconds"` // all other children, the driver's Python program of spark-submit among them
}

// Query is all executions of one query with one optimized plan.
type Query struct {
	Query     string `json:"query"`
	QueryName string `json:"query_name"`
	// CallSite is the user's own line that ran it, "etl.py:31", or several; if the JVM does not
	// know one, where its expressions are written: "etl.py:8-15".
	CallSite         string                   `json:"call_site,omitempty"`
	Plan             string                   `json:"plan"`
	Applications     []string                 `json:"applications"`      // ids of those that ran it, ascending
	SQLExecutionIDs  []tasksample.ExecutionID `json:"sql_execution_ids"` // ascending; of a batch of a stream the outer one's, as Spark's own page has it
	CPUSeconds       float64                  `json:"cpu_seconds"`       // of its operators, JVM and Python; its share of the buckets is not in it
	JVMCPUSeconds    float64                  `json:"jvm_cpu_seconds"`
	PythonCPUSeconds float64                  `json:"python_cpu_seconds"`
	Operators        []Operator               `json:"operators"`         // by falling CPU; Place.Order is the plan's
	Buckets          []Bucket                 `json:"buckets,omitempty"` // its share of the buckets, by falling CPU
	// Time is absent where no driver told the end of an execution.
	Time   *QueryTime  `json:"time,omitempty"`
	Stages []StageTime `json:"stages,omitempty"` // by their numbers
	// Runs is there where some of its runs were not drawn to be sampled: what stands above is of
	// those that were.
	Runs *Runs `json:"runs,omitempty"`
}

// Operator is one operator of a query in one stage of its plan.
type Operator struct {
	Stage         string  `json:"stage"`           // place in the plan
	Operator      string  `json:"operator"`        // stable name, or "[python worker]", "[python feed]"
	Name          string  `json:"name"`            // for people
	Line          string  `json:"line,omitempty"`  // the user's own line of its expressions (Spark 4.x), or of the stage of an RDD: "etl.py:14"
	CPUSeconds    float64 `json:"cpu_seconds"`     // the sum of the next two
	JVMCPUSeconds float64 `json:"jvm_cpu_seconds"` // of tasks
	// PythonCPUSeconds is what Python workers used for it. PythonRange bounds it where workers of
	// several plan nodes ran at once, or one after the other between two readings; absent where it
	// is exact.
	PythonCPUSeconds float64     `json:"python_cpu_seconds"`
	PythonRange      *[2]float64 `json:"python_cpu_range,omitempty"`
	// CPUSecondsSE is the standard error of cpu_seconds, CI95 its 95 % interval (absent if no task
	// has ended). They hold what sampling leaves open, and PythonRange if it is there, not what
	// attribution may get wrong. Valid is false where they cannot be trusted; Why says what is
	// missing.
	CPUSecondsSE float64     `json:"cpu_seconds_se"`
	CI95         *[2]float64 `json:"ci95,omitempty"`
	Valid        bool        `json:"valid"`
	Why          string      `json:"why,omitempty"`
	Share        float64     `json:"share"`
	Samples      uint64      `json:"samples"`
	WeakShare    float64     `json:"weak_share"` // part of its CPU whose line cannot be trusted (C1 code)
	// Parts are the parts of its JVM CPU that can be told, by falling CPU: build and probe, insert
	// and output …
	Parts []Part `json:"parts,omitempty"`
	// Usual is what such an operator usually costs; absent without rows.
	Usual *columns.Usual `json:"usual,omitempty"`

	Place

	replaced bool // AQE took it out of the plan; told of a selection alone
}

// Part is a part of an operator's CPU.
type Part struct {
	Part       string  `json:"part"`
	CPUSeconds float64 `json:"cpu_seconds"`
}

// Bucket is CPU without a plan node.
type Bucket struct {
	Name       string  `json:"name"`
	CPUSeconds float64 `json:"cpu_seconds"`
}

// Summarize adds up a profile. hz is the rate that was asked for.
func Summarize(p window.Profile, hz int) Summary {
	s := sums{queries: map[queryKey]*querySums{}, buckets: map[attribution.Bucket]time.Duration{}, outer: outerOf(p)}
	s.outside, s.children = map[attribution.Bucket]time.Duration{}, map[attribution.Bucket]time.Duration{}
	out := Summary{Hz: hz, Applications: []Application{}, Queries: []Query{}, Buckets: []Bucket{}, Outside: []Bucket{}}
	modes, leftOut := map[string]bool{}, leftOutRuns(p)
	for _, j := range p.JVMs {
		s.besides(&j, leftOut)
		s.times(&j)
		if j.Totals.Tasks == 0 && j.Totals.Samples == 0 {
			continue // a driver without tasks of its own
		}
		modes[j.JVM.Mode.String()] = true
		for key, value := range j.Application.Attributes {
			if out.Attributes == nil {
				out.Attributes = map[string]string{}
			}
			out.Attributes[key] = cmp.Or(out.Attributes[key], value)
		}
		s.application(&j)
		out.SparkVersion = cmp.Or(out.SparkVersion, j.Application.SparkVersion)
		out.JDKVersion = cmp.Or(out.JDKVersion, j.JVM.Header.JDKVersion)
		out.Samples += j.Totals.Samples
		out.LostSamples += j.Sampler.Lost + j.Sampler.Overrun
		out.TruncatedStacks += j.Totals.Truncated
		s.raw += j.Totals.Raw
		s.task += j.Totals.TaskCPU
		s.kernel += j.Totals.Kernel
		for i := range j.Entries {
			if e := &j.Entries[i]; e.Labels.Group == pipeline.GroupTasks {
				s.add(e, j.Application.ID)
			}
		}
	}
	out.Mode = join(modes)
	s.judge(p.Stages)
	s.place(p, leftOut)
	s.runs(p, leftOut)
	s.fill(&out)
	out.addLines(p)
	return out
}

// sums is a Summary in the making.
type sums struct {
	queries                                      map[queryKey]*querySums
	outer                                        map[executionKey]tasksample.ExecutionID // of inner executions
	buckets                                      map[attribution.Bucket]time.Duration
	raw, task, kernel, attributed, disputed, sum time.Duration
	applications                                 []Application
	beside
	timeSums
}

type queryKey struct{ query, plan string }

type querySums struct {
	name         string
	applications map[string]bool
	executions   map[tasksample.ExecutionID]bool
	outside      bool // some of it ran outside of every execution
	operators    map[operatorKey]*operatorSums
	buckets      map[attribution.Bucket]time.Duration
	cpu          time.Duration
	python       time.Duration
	runs         *runSums // nil: all were sampled
	// pythonOfRuns is what Python workers used in all runs, where some were not drawn.
	pythonOfRuns map[operatorKey]namedCPU
	time         *QueryTime
	stages       []StageTime
	work         map[string]*placeWork // by place of stages
	outlines     []pipeline.PlanOutline
}

type operatorKey struct{ stage, operator string }

type operatorSums struct {
	name      string
	cpu, weak time.Duration
	python    pythonSums
	exact     bool // cpu is not sampled
	samples   uint64
	parts     map[attribution.Part]time.Duration
	certainty window.Certainty
}

// application adds what the tasks of a JVM used to its application.
func (s *sums) application(j *window.JVMProfile) {
	k := slices.IndexFunc(s.applications, func(a Application) bool { return a.ID == j.Application.ID })
	if k < 0 {
		k = len(s.applications)
		s.applications = append(s.applications, Application{ID: j.Application.ID, Name: j.Application.Name})
	}
	s.applications[k].Tasks += j.Totals.Tasks
	s.applications[k].TaskCPUSeconds += j.Totals.TaskCPU.Seconds()
}

// add adds an entry of an application.
func (s *sums) add(e *window.Entry, application string) {
	s.sum += e.CPU
	s.disputed += e.Disputed
	l := e.Labels
	l.Execution = s.outermost(application, l.Execution)
	s.placeStage(application, l)
	if l.Bucket != attribution.BucketNone {
		s.buckets[l.Bucket] += e.CPU
		if l.Query != "" {
			q := s.query(l)
			q.applications[application] = true
			q.buckets[l.Bucket] += e.CPU
		}
		return
	}
	s.attributed += e.CPU
	q := s.query(l)
	q.cpu += e.CPU
	q.applications[application] = true
	op := s.operator(l)
	op.cpu += e.CPU
	op.weak += e.Weak
	op.samples += e.Samples
	if l.Part != attribution.PartNone {
		op.parts[l.Part] += e.CPU
	}
}

func (s *sums) operator(l pipeline.Labels) *operatorSums {
	q, key := s.query(l), operatorKey{l.StagePlace, l.Operator}
	op := q.operators[key]
	if op == nil {
		op = &operatorSums{name: l.OperatorName, parts: map[attribution.Part]time.Duration{}}
		q.operators[key] = op
	}
	return op
}

func (s *sums) query(l pipeline.Labels) *querySums {
	key := queryKey{l.Query, l.Plan}
	q := s.queries[key]
	if q == nil {
		q = &querySums{
			applications: map[string]bool{}, executions: map[tasksample.ExecutionID]bool{}, operators: map[operatorKey]*operatorSums{},
			buckets: map[attribution.Bucket]time.Duration{}, pythonOfRuns: map[operatorKey]namedCPU{}, work: map[string]*placeWork{},
		}
		s.queries[key] = q
	}
	q.name = cmp.Or(q.name, l.QueryName)
	if l.Execution == tasksample.NoExecution {
		q.outside = true
	} else {
		q.executions[l.Execution] = true
	}
	return q
}

func (s *sums) fill(out *Summary) {
	out.RawTaskCPUSeconds, out.TaskCPUSeconds, out.KernelUnsampledSeconds = s.raw.Seconds(), s.task.Seconds(), s.kernel.Seconds()
	all := s.task + s.workers + s.feed
	out.CPUSeconds = all.Seconds()
	out.AttributedShare, out.DisputedShare = share(s.attributed+s.workers-s.unplaced, all), share(s.disputed, all)
	out.UnknownShare = share(s.buckets[attribution.BucketUnknown], all)
	s.timeJobs()
	for key, q := range s.queries {
		out.Queries = append(out.Queries, q.result(key))
	}
	slices.SortFunc(out.Queries, byTime)
	out.Time, out.Stages = s.show(), sortStages(s.stages)
	out.Buckets, out.Applications = sorted(out.Buckets, s.buckets), append(out.Applications, s.applications...)
	s.beside.fill(out)
}

// sorted appends buckets by falling CPU.
func sorted(to []Bucket, buckets map[attribution.Bucket]time.Duration) []Bucket {
	for name, cpu := range buckets {
		to = append(to, Bucket{string(name), cpu.Seconds()})
	}
	slices.SortFunc(to, func(a, b Bucket) int {
		return cmp.Or(cmp.Compare(b.CPUSeconds, a.CPUSeconds), cmp.Compare(a.Name, b.Name))
	})
	return to
}

func (q *querySums) result(key queryKey) Query {
	out := Query{Query: key.query, QueryName: q.name, Plan: key.plan, CPUSeconds: (q.cpu + q.python).Seconds(), JVMCPUSeconds: q.cpu.Seconds(),
		PythonCPUSeconds: q.python.Seconds(), SQLExecutionIDs: []tasksample.ExecutionID{}, Operators: []Operator{}}
	out.Applications = slices.Sorted(maps.Keys(q.applications))
	for id := range q.executions {
		out.SQLExecutionIDs = append(out.SQLExecutionIDs, id)
	}
	slices.Sort(out.SQLExecutionIDs)
	for k, op := range q.operators {
		cpu := op.cpu + op.python.cpu
		shown := Operator{
			Stage: k.stage, Operator: k.operator, Name: op.name, CPUSeconds: cpu.Seconds(), JVMCPUSeconds: op.cpu.Seconds(),
			PythonCPUSeconds: op.python.cpu.Seconds(), PythonRange: op.python.bounds(), Share: share(cpu, q.cpu+q.python),
			Samples: op.samples, WeakShare: share(op.weak, cpu), Parts: op.shownParts(),
		}
		of := window.OperatorCPU{JVM: shown.JVMCPUSeconds, Python: shown.PythonCPUSeconds, Below: op.python.below.Seconds(), Above: op.python.above.Seconds(), Exact: op.exact || op.cpu == 0 && op.python.cpu > 0}
		i := op.certainty.Interval(of)
		shown.CI95, shown.CPUSecondsSE, shown.Valid, shown.Why = i.CI95, i.SE, i.Valid, i.Why
		out.Operators = append(out.Operators, shown)
	}
	q.arrange(out.Operators)
	out.Buckets = sorted(nil, q.buckets)
	out.Runs = q.showRuns()
	out.Time, out.Stages = q.time, sortStages(q.stages)
	slices.SortFunc(out.Operators, func(a, b Operator) int {
		return cmp.Or(cmp.Compare(b.CPUSeconds, a.CPUSeconds), cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Operator, b.Operator))
	})
	return out
}

func (o *operatorSums) shownParts() (out []Part) {
	for part, cpu := range o.parts {
		out = append(out, Part{string(part), cpu.Seconds()})
	}
	slices.SortFunc(out, func(a, b Part) int {
		return cmp.Or(cmp.Compare(b.CPUSeconds, a.CPUSeconds), cmp.Compare(a.Part, b.Part))
	})
	return out
}

// share is part of whole, 0 of nothing.
func share(part, whole time.Duration) float64 {
	if whole <= 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// join lists words in order, joined by "+".
func join(words map[string]bool) string {
	return strings.Join(slices.Sorted(maps.Keys(words)), "+")
}
