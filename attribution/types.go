package attribution

// Frame is one frame of a stack as attribution looks at it; leaf first in a stack. Its fields are
// the types of the sampler's frames, which this package must not import.
type Frame struct {
	Kind   FrameKind
	Class  string // Java: binary name with dots
	Method string // Java method, or the symbol of other kinds
	File   string
	Line   int    // 0 unknown
	Loader uint64 // the agent's number of the class loader
	Level  int    // HotSpot compile level: 1-3 C1, 4 C2, 0 unknown or not compiled
}

// FrameKind says what sort of code a frame is.
type FrameKind uint8

// Kinds of frames.
const (
	FrameUnknown FrameKind = iota
	FrameJava
	FrameInterpreted
	FrameStub
	FrameNative
	FrameKernel
)

// Plan is everything known of one SQL execution's plan: all its updates.
type Plan struct {
	ExecutionID int64
	Query       string // fingerprint, "q1-…"
	QueryName   string
	Plan        string // fingerprint of the optimised plan
	Description string
	CallSite    string // the user's own line that ran it, "" unknown
	Updates     []Tree // ascending by Update; filled by Merge

	merges int // how often Merge was called: what was derived from the updates before is out of date
}

// Tree is one update of a plan: physical nodes in pre-order.
type Tree struct {
	Update int
	Nodes  []Node
}

// Node is a physical plan node (FORMAT.md, "Plan dictionary").
type Node struct {
	Parent         int // -1 for the root
	Class          string
	Name           string
	Text           string
	Operator       string // stable name; "" for wrappers
	OperatorName   string // for people
	Line           string // the user's own, "" unknown
	Role           string
	Mode           string
	Counts         []Count // what the cost of a row depends on, by name; none of an older agent
	Codegen        int     // index of the WholeStageCodegen node it is compiled into; -1 none
	CodegenStageID int     // of a WholeStageCodegen node itself; else 0
	Stage          string
	Subquery       bool
	Metrics        []Metric
}

// Count is how many expressions of a class, columns of a type, or keys a node has (FORMAT.md).
type Count struct {
	Name string
	N    int
}

// Metric is an SQLMetric of a node.
type Metric struct {
	ID   int64 // accumulator id
	Name string
	Type string
}

// MaxOthers bounds the plans beside its execution's own whose code a task may run.
const MaxOthers = 3

// Scope is what is known of the task that a stack belongs to.
type Scope struct {
	Plan *Plan // of the task's SQL execution; nil: there is none, or its dictionary has not arrived
	// Others are plans of other executions that have metrics among Accumulators: their code runs in
	// the task, too. At most MaxOthers count.
	Others       []*Plan
	Pending      bool    // an execution, whose dictionary has not arrived
	Accumulators []int64 // of the task's stage; nil when not known yet
}

// Verdict says where the CPU of a stack belongs.
type Verdict struct {
	Node     *Node  // nil: Bucket says where
	Plan     *Plan  // the plan that Node stands in; nil without Node
	Bucket   Bucket // BucketNone when Node is set
	Rule     string // the rule that decided, a short stable word, for counting
	Frame    int    // index of the frame that decided; -1 none
	Part     Part   // of Node's work; PartNone if none can be told, and of a shuffle, which a stage's metrics tell
	Disputed bool   // metric, prefix and region disagree in a way that lazy evaluation does not explain
	Weak     bool   // the line cannot be trusted (C1 code, interpreted without a line or a name)
}

// Bucket is a named place for CPU that belongs to no plan node. Its value is the name that users
// see.
type Bucket string

// Buckets.
const (
	BucketNone         Bucket = ""
	BucketFramework    Bucket = "task framework"
	BucketCodegen      Bucket = "codegen"
	BucketGC           Bucket = "gc"
	BucketJIT          Bucket = "jit"
	BucketDeserialize  Bucket = "task deserialization"
	BucketClassLoading Bucket = "class loading"
	BucketKernel       Bucket = "kernel (not sampled)"
	BucketNoPlan       Bucket = "no sql plan" // a task outside any SQL execution (RDD jobs)
	BucketPending      Bucket = "pending"     // its plan had not arrived
	BucketNoSamples    Bucket = "no samples"  // CPU of stages too short to be sampled
	BucketUnknown      Bucket = "unknown"
)
