package columns

import (
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/tasksample"
)

// Version is the version of the Model's head.
const Version = 2

// None is an index of nothing.
const None = -1

// Head are the tables of a Model. Its JSON is what the page reads.
type Head struct {
	Version    int         `json:"version"`
	TickNanos  uint64      `json:"tick_ns"` // of all times in ticks
	Span       uint32      `json:"span"`    // ticks; the end of the recording
	UnixNanos  int64       `json:"unix_ns"` // the wall clock at tick 0
	Meta       Meta        `json:"meta"`
	Strings    []string    `json:"strings"`
	Rules      []string    `json:"rules"` // of lines
	Parts      []string    `json:"parts"` // of lines: what their operators do there
	JVMs       []JVM       `json:"jvms"`
	Lanes      []Lane      `json:"lanes"`      // 0: none
	Queries    []Query     `json:"queries"`    // in the order in which they first ran
	Executions []Execution `json:"executions"` // by start
	Stages     []Stage     `json:"stages"`     // by application, id and attempt
	Plans      []Plan      `json:"plans"`
	Operators  []Operator  `json:"operators"` // by query and Order
	Work       []Work      `json:"work"`
	Estimates  []Estimate  `json:"estimates"`
	Labels     []Label     `json:"labels"`
	Sources    []Source    `json:"sources"`
	Bindings   []Binding   `json:"bindings"`
	// SlowTasks are by falling excess, SlowRecords by falling time without pauses. Who judged them
	// sets both.
	SlowTasks   []SlowTask   `json:"slow_tasks,omitempty"`
	SlowRecords []SlowRecord `json:"slow_records,omitempty"`
	// Applications are those whose driver told their times. The page does not need them.
	Applications []Application `json:"-"`
}

// Application is the time and the slots of an application, as its driver told them.
type Application struct {
	ID    string
	Start uint32 // ticks; 0 if it started before the recording
	End   uint32 // of one that did not end, the last that the driver told of
	Slots int    // the most that there were
}

// Meta says how the recording was made.
type Meta struct {
	Title        string  `json:"title"`
	Hz           int     `json:"hz"`
	DetailHz     float64 `json:"detail_hz"`
	TaskFraction float64 `json:"task_fraction"`
	RunFraction  float64 `json:"run_fraction"`
	Mode         string  `json:"mode"`
	Planflame    string  `json:"planflame"`
	Spark        string  `json:"spark"`
	JDK          string  `json:"jdk"`
	Slots        int     `json:"slots"`         // tasks that can run at once; 0 not known
	Lost         uint64  `json:"lost"`          // samples that a ring lost
	Folded       uint64  `json:"folded"`        // samples without a stack, for there was no room
	LeftOut      uint64  `json:"left_out"`      // samples that found no room: their label's exact CPU has theirs
	LostSources  uint64  `json:"lost_sources"`  // texts of classes that found no room
	LostBindings uint64  `json:"lost_bindings"` // dictionaries that found no room
	LostPlans    uint64  `json:"lost_plans"`    // plans that found no room
	LostSlow     uint64  `json:"lost_slow"`     // slow tasks and records beyond those that the model has
	Spread       Spread  `json:"spread"`
}

// Spread is how far recordings of one job differ beyond sampling: standard deviations, as a part of
// what an operator costs.
type Spread struct {
	Exchange float64 `json:"exchange"`
	Operator float64 `json:"operator"` // any other
}

// JVM is an application in a JVM.
type JVM struct {
	Application      string `json:"application"`
	Name             string `json:"name"`
	Executor         string `json:"executor"`
	PID              int    `json:"pid"`
	Spark            string `json:"spark"`
	JDK              string `json:"jdk"`
	Mode             string `json:"mode"`
	Samples          uint64 `json:"samples"`
	Truncated        uint64 `json:"truncated"`
	Lost             uint64 `json:"lost"`
	Tasks            uint64 `json:"tasks"`
	TaskCPUNanos     int64  `json:"task_cpu_ns"`
	KernelNanos      int64  `json:"kernel_ns"`
	ProcessNanos     int64  `json:"process_ns"`
	TaskThreadsNanos int64  `json:"task_threads_ns"`
	ThreadsNanos     int64  `json:"threads_ns"`
	ChildrenNanos    int64  `json:"children_ns"`
	WorkersNanos     int64  `json:"workers_ns"`
	UnplacedNanos    int64  `json:"unplaced_ns"`
}

// Lane is a thread that runs tasks.
type Lane struct {
	JVM    int    `json:"jvm"`
	TID    uint32 `json:"tid"`
	Thread string `json:"thread"`
}

// Query is all executions of one query with one optimized plan.
type Query struct {
	Query    string `json:"query"`
	Plan     string `json:"plan"`
	Name     string `json:"name"`
	CallSite string `json:"call_site"`
}

// Execution is an SQL execution, or with the id -1 the jobs without SQL of a query.
type Execution struct {
	JVM         int                      `json:"jvm"`
	Application string                   `json:"application"`
	ID          tasksample.ExecutionID   `json:"id"`
	Query       int                      `json:"query"`
	Plan        int                      `json:"plan"`
	Run         int                      `json:"run"`   // of its query, by start, from 1
	Start       uint32                   `json:"start"` // ticks
	End         uint32                   `json:"end"`
	Failed      bool                     `json:"failed"`
	Times       *pipeline.ExecutionTimes `json:"times"`

	inner []tasksample.ExecutionID // of the same query that ran for it: its tasks have their ids
}

// Stage is a stage attempt.
type Stage struct {
	JVM         int                     `json:"jvm"`
	Application string                  `json:"application"`
	ID          tasksample.StageID      `json:"id"`
	Attempt     tasksample.StageAttempt `json:"attempt"`
	Execution   int                     `json:"execution"`
	Query       int                     `json:"query"`
	Place       string                  `json:"place"`
	Start       uint32                  `json:"start"` // ticks
	End         uint32                  `json:"end"`
	Tasks       int                     `json:"tasks"` // attempts seen
	Times       *pipeline.StageTimes    `json:"times"`
}

// Plan is the tree of a plan's last update, and below the same operators what only earlier updates
// had.
type Plan struct {
	Query int    `json:"query"`
	Nodes []Node `json:"nodes"` // pre-order
}

// Node is a physical plan node.
type Node struct {
	Parent       int            `json:"parent"`
	Name         string         `json:"name"`
	Text         string         `json:"text"`
	Class        string         `json:"class"`
	Operator     string         `json:"operator"` // "" for wrappers
	OperatorName string         `json:"operator_name"`
	Role         string         `json:"role"`
	Mode         string         `json:"mode"`
	Counts       map[string]int `json:"counts,omitempty"` // of expressions, types, keys (FORMAT.md); nil of an older recording
	Place        string         `json:"place"`
	Line         string         `json:"line"`
	Codegen      int            `json:"codegen"` // node that it is compiled into
	CodegenID    int            `json:"codegen_id"`
	Subquery     bool           `json:"subquery"`
	Replaced     bool           `json:"replaced"` // the last update does not have it
	Updates      [2]int         `json:"updates"`  // the first and the last that have it
	Operators    []int          `json:"operators"`
}

// Operator is an operator of a query in one stage of its plan.
type Operator struct {
	Query    int    `json:"query"`
	Place    string `json:"place"`
	Operator string `json:"operator"`
	Name     string `json:"name"`
	Role     string `json:"role"`
	Line     string `json:"line"`
	Order    int    `json:"order"`           // position in the plan among the operators of its query
	Depth    int    `json:"depth"`           // how many of them stand above
	Parent   int    `json:"parent"`          // the nearest of them, an index of the table
	Usual    *Usual `json:"usual,omitempty"` // set by who has a model

	// Build is OperatorRows.Build.
	Build string `json:"-"`

	end string // of an exchange: the part that the stages at its place work at
}

// Work is what the tasks of a stage did in one JVM.
type Work struct {
	Execution int         `json:"execution"`
	Stage     int         `json:"stage"`
	Place     string      `json:"place"`
	Query     int         `json:"query"`
	Tasks     uint64      `json:"tasks"`   // attempts that ended well
	Counted   uint64      `json:"counted"` // of which rows are known
	Rows      [][2]uint64 `json:"rows"`    // operator, rows that it took in
}

// Estimate is the CPU of what one key has in one stage, as its samples tell it.
type Estimate struct {
	CPUNanos  int64  `json:"cpu_ns"`
	LowNanos  int64  `json:"low_ns"` // 95 % interval
	HighNanos int64  `json:"high_ns"`
	SENanos   int64  `json:"se_ns"`
	Valid     bool   `json:"valid"`
	Why       string `json:"why"`
}

// Label says where CPU belongs.
type Label struct {
	JVM       int     `json:"jvm"`
	Query     int     `json:"query"`
	Execution int     `json:"execution"`
	Stage     int     `json:"stage"`
	Place     string  `json:"place"`
	Operator  int     `json:"operator"`
	Part      string  `json:"part"` // of the operator (attribution.Part)
	Bucket    string  `json:"bucket"`
	Group     string  `json:"group"`
	Factor    float64 `json:"factor"` // that the weights of samples are to be multiplied with
	Estimate  int     `json:"estimate"`
	CPUNanos  float64 `json:"cpu_ns"` // of its samples
	Samples   uint64  `json:"samples"`

	of pipeline.Labels
}

// Source is the text of generated code, one for equal texts.
type Source struct {
	File      string     `json:"file"`
	Class     string     `json:"class"`
	Text      string     `json:"text"`
	Methods   []string   `json:"methods"`
	Operators []SourceOp `json:"operators"`     // by ordinal
	LineOps   []int      `json:"line_operator"` // ordinal, of line 1 and up; None: no code
	LineRules []int      `json:"line_rule"`
	LineParts []int      `json:"line_part"`
	LineIn    []int      `json:"line_method"`
	Disputed  []int      `json:"disputed"` // lines
}

// SourceOp is an operator fused into a class.
type SourceOp struct {
	Text   string `json:"text"`
	Prefix string `json:"prefix"`
}

// Binding is what the operators of a class are in a stage, by ordinal.
type Binding struct {
	Source    int   `json:"source"`
	Stage     int   `json:"stage"`
	Execution int   `json:"execution"`
	Plan      int   `json:"plan"`
	Nodes     []int `json:"nodes"`
	Operators []int `json:"operators"`
	Twins     bool  `json:"twins"` // another subtree fitted as well
}

// Flags of samples.
const (
	FlagWeak     = 1 << 0 // the operator is in doubt
	FlagDisputed = 1 << 1 // rules disagree
	FlagDetail   = 1 << 2 // the detail clock was on
	FlagCut      = 1 << 3 // the stack is not whole
	FlagBefore   = 1 << 4 // before its task's start on the thread
)

// Flags of tasks.
const (
	TaskFailed   = 1 << 0
	TaskSelected = 1 << 1 // for the detail clock
	TaskLeftOut  = 1 << 2 // its run was not drawn
	TaskOpen     = 1 << 3 // no end was seen
)

// Kinds of frames.
const (
	KindUnknown = iota
	KindJava
	KindInterpreted
	KindStub
	KindNative
	KindKernel
)

// Model is a recording in columns. It is not changed once made, and safe for concurrent use.
type Model struct {
	Head
	Samples Samples
	Exact   ExactRows
	Tasks   TaskRows
	Tree    Tree
}

// Samples are the samples by time.
type Samples struct {
	Time   []uint32 // ticks
	Label  Index    // of Head.Labels
	Stack  []uint32 // of Tree's stacks; 0: none
	Task   Index    // of TaskRows; 0: outside any task
	Flags  []uint8
	Weight Runs
}

// ExactRows are CPU that no sample covers, each used between two times.
type ExactRows struct {
	Label, Task, Start, End []uint32
	Nanos                   []float64
	Below, Above            []float64 // a Python worker's lies in [Nanos - Below, Nanos + Above]
}

// TaskRows are the task attempts by start; 0 is outside any task.
type TaskRows struct {
	ID                                     []float64
	Stage, Execution, Partition, Try, Lane []int32
	Start, End                             []uint32 // ticks
	CPUNanos, SystemNanos, UnsampledNanos  []float64
	GCMillis                               []uint32
	Flags                                  []uint8
}

// Tree is all stacks as one tree of frames, from the threads' roots down.
type Tree struct {
	Parent []int32  // of nodes; always smaller than the node
	Frame  []uint32 // of nodes
	// Leaf, Operator and Decided are of stacks: the node of the leaf, the node on whose caller's
	// side the operator's frame stands, and the node that decided the label.
	Leaf, Operator, Decided []int32
	Name, File              []uint32 // of frames: Head.Strings
	Line                    []uint32 // of frames; 0 unknown
	Kind                    []uint8  // of frames
	Source                  []int32  // of frames: Head.Sources
}

// SlowTask is a task that is slow beside its peers. Seconds are those for which it held a slot.
type SlowTask struct {
	Stage    int     `json:"stage"` // index of Stages
	Task     int64   `json:"task"`  // id of the attempt
	Verdict  string  `json:"verdict"`
	Seconds  float64 `json:"seconds"`
	Peers    float64 `json:"peer_seconds"`
	Excess   float64 `json:"excess_seconds"`
	Operator string  `json:"operator,omitempty"` // that has most of its excess CPU
}

// SlowRecord is a record, a batch or a key at which a task stood still. It has no value.
type SlowRecord struct {
	Stage    int     `json:"stage"` // index of Stages
	Task     int64   `json:"task"`  // id of the attempt
	Where    string  `json:"where"` // "part-00003.csv +0, record 148,211"
	Seconds  float64 `json:"seconds"`
	CPU      float64 `json:"cpu_seconds"`
	Operator string  `json:"operator,omitempty"` // that has half of its CPU
	Code     string  `json:"code,omitempty"`     // where the task was, leaf first
}
