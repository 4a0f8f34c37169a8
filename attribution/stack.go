package attribution

import "strings"

// Rules of verdicts, beside the rules of lines ("metric", "prefix", "lazy", "region", "continued",
// "nested"). They are counted by these names.
const (
	ruleNameMethod    = "method"   // a generated frame without a line, by its method's call site
	ruleNameNoSource  = "source"   // a generated frame whose source is not known, by its method's prefix
	ruleNameUnmapped  = "unmapped" // a generated frame whose unit fits no node of the plan
	ruleNameScan      = "scan"
	ruleNameCache     = "cache"
	ruleNameShufRead  = "shuffle read"
	ruleNameShufWrite = "shuffle write"
	ruleNameBroadcast = "broadcast"
	ruleNameState     = "state"
	ruleNamePython    = "python"
	ruleNameEngine    = "engine"
	ruleNameWrite     = "write"
	ruleNameCollect   = "collect"
	ruleNamePhysical  = "physical"
	ruleNameProject   = "projection" // a projection mapped over an iterator: its operator has no frame of its own
	ruleNameNative    = "native"
	ruleNameTask      = "task"
	ruleNameCodegen   = "codegen"
	ruleNameLoading   = "loading"
	ruleNameObjects   = "deserialize"
	ruleNameNone      = "none" // no rule knew any frame
)

// RuleUnnamed is the rule of a verdict that is unknown because an interpreted method without a name
// stands before the frame of an operator.
const RuleUnnamed = "interpreter"

// stack is one call of Attribute.
type stack struct {
	a       *Attributor
	frames  []Frame
	scope   Scope
	plan    *planIndex // of all plans whose code the task may run; nil without a plan
	set     accumulators
	setHash uint64
}

// decide walks from the leaf to the root; the first frame that a rule knows decides. No operator
// gets what a frame of the interpreter without a name runs: that method may be another operator's.
func (s *stack) decide() Verdict {
	v, unnamed := s.walk()
	if !unnamed || v.Node == nil {
		return v
	}
	s.a.tally.Unnamed++
	return Verdict{Bucket: BucketUnknown, Rule: RuleUnnamed, Frame: -1, Weak: true}
}

// walk finds the first frame that a rule knows; unnamed reports whether a frame of the interpreter
// before it has no name.
func (s *stack) walk() (v Verdict, unnamed bool) {
	stranger := -1 // first frame of a class that no rule knows
	described := s.described()
	for i := range s.frames {
		f := &s.frames[i]
		switch {
		case f.Kind == FrameNative:
			if bucket := nativeRule(f.Method); bucket != BucketNone {
				return s.jvm(i, bucket, ruleNameNative), unnamed
			}
			continue
		case f.Class == "" && f.Kind == FrameInterpreted:
			unnamed = true
			continue
		case f.Class == "" || f.Kind == FrameKernel || f.Kind == FrameStub, i <= described:
			continue
		}
		r := s.rule(f)
		if r.kind == ruleNeutral {
			continue
		}
		v, decided, known := s.frame(i, r, stranger)
		if decided {
			return v, unnamed
		}
		if !known && stranger < 0 {
			stranger = i
		}
	}
	return s.undecided(len(s.frames)-1, stranger), unnamed
}

var lambdaRule = &rule{kind: ruleDeserialize}

// rule is what is known of a frame: of its class, but that any class may have the method that
// brings its serialized lambdas back.
func (s *stack) rule(f *Frame) *rule {
	if f.Method == "$deserializeLambda$" {
		return lambdaRule
	}
	return s.a.rule(f.Class)
}

// describes reports whether a method of a physical operator says what the operator is and does not
// run it. The operator above asks for it, such as a sort for its input's columns, and the question
// goes down through other stages too.
func describes(method string) bool {
	method, _, _ = strings.Cut(method, "$") // $lzycompute
	switch method {
	case "children", "output", "schema", "outputOrdering", "outputPartitioning":
		return true
	}
	return false
}

// described is the frame nearest to the root that describes an operator, -1 without one. All frames
// up to it work for whoever asked.
func (s *stack) described() int {
	for i := len(s.frames) - 1; i >= 0; i-- {
		f := &s.frames[i]
		if describes(f.Method) && (strings.HasPrefix(f.Class, sqlx) || s.rule(f).kind == rulePhysical) {
			return i
		}
	}
	return -1
}

// frame applies the rule of one frame's class; known says whether a rule knew the class although it
// did not decide.
func (s *stack) frame(i int, r *rule, stranger int) (v Verdict, decided, known bool) {
	f := &s.frames[i]
	switch r.kind {
	case ruleNone:
		return v, false, false
	case ruleNeutral:
		return v, false, true
	case ruleExpression:
		if p := s.projection(i); p.tree != nil {
			return s.at(i, p, ruleNameProject), true, true
		}
		return v, false, true
	case rulePlanBase:
		if strings.Contains(f.Method, "getByteArrayRdd") { // SparkPlan: packs rows for the driver
			v := s.at(i, s.collector(), ruleNameCollect)
			if v.Node != nil && isBroadcast(v.Node) {
				v.Part = PartWrite
			}
			return v, true, true
		}
		return v, false, true
	case ruleWholeStage:
		return s.generated(i), true, true
	case rulePhysical:
		if helperFrame(f) && s.generatedCaller(i) {
			return v, false, true
		}
		if p := s.operator(i); p.tree != nil || s.plan == nil {
			v := s.at(i, p, ruleNamePhysical)
			v.Part = s.physicalPart(i, v.Node)
			return v, true, true
		}
		return v, false, true // of no node of this plan, such as a lambda of a parent class
	case ruleScan:
		return s.at(i, s.under(i, isScan, nil), ruleNameScan), true, true
	case ruleCache:
		return s.at(i, s.under(i, isCache, nil), ruleNameCache), true, true
	case ruleShuffleRead:
		return s.at(i, s.under(i, isShuffle, shuffleReadMetrics), ruleNameShufRead), true, true
	case ruleShuffleWrite:
		return s.at(i, s.writer(), ruleNameShufWrite), true, true
	case ruleState:
		p := s.caller(i) // the operator itself, or none: state is loaded when a task begins
		if p.tree == nil || !isStateful(p.node()) {
			p = s.under(i, isStateful, nil)
		}
		return s.at(i, p, ruleNameState), true, true
	case rulePython:
		return s.at(i, s.under(i, isPython, nil), ruleNamePython), true, true
	case ruleEngine:
		return s.at(i, s.under(i, isEngine, nil), ruleNameEngine), true, true
	case ruleWrite:
		return s.at(i, s.top(isWrite), ruleNameWrite), true, true
	case ruleBroadcast:
		from := s.caller(i)
		if from.tree == nil {
			return s.jvm(i, BucketDeserialize, ruleNameBroadcast), true, true
		}
		if p := s.below(from, isBroadcast, nil); p.tree != nil {
			v := s.at(i, p, ruleNameBroadcast)
			if isBroadcast(v.Node) {
				v.Part = PartRead
			}
			return v, true, true
		}
		return v, false, true // a variable of the operator's own, such as a scan's Hadoop configuration
	case ruleDeserialize:
		return s.objects(i)
	case ruleLoading:
		return s.jvm(i, BucketClassLoading, ruleNameLoading), true, true
	case ruleCodegen:
		return Verdict{Bucket: BucketCodegen, Rule: ruleNameCodegen, Frame: i}, true, true
	case ruleFramework, ruleTaskRun:
		if stranger >= 0 {
			return s.undecided(i, stranger), true, true
		}
		return Verdict{Bucket: BucketFramework, Rule: ruleNameTask, Frame: i}, true, true
	}
	return v, false, false
}

// objects decides who deserializes objects: a task its own description, a join its broadcast
// relation, an operator what it was sent.
func (s *stack) objects(i int) (Verdict, bool, bool) {
	for k := i + 1; k < len(s.frames); k++ {
		class := s.frames[k].Class
		if class == "" {
			continue
		}
		if strings.HasPrefix(class, "org.apache.spark.rdd.") || strings.HasPrefix(class, "org.apache.spark.InterruptibleIterator") {
			return Verdict{}, false, true // rows of an RDD, not the task's description
		}
		switch s.rule(&s.frames[k]).kind {
		case ruleTaskRun:
			return Verdict{Bucket: BucketDeserialize, Rule: ruleNameObjects, Frame: i}, true, true
		case ruleNeutral, ruleNone, ruleDeserialize, ruleLoading, ruleFramework, ruleExpression, rulePlanBase:
		default:
			return Verdict{}, false, true
		}
	}
	return Verdict{}, false, true
}

// jvm is a verdict for the JVM's own work, which belongs to compiling or to deserializing where
// those asked for it.
func (s *stack) jvm(i int, bucket Bucket, name string) Verdict {
	v := Verdict{Bucket: bucket, Rule: name, Frame: i}
	if bucket != BucketClassLoading {
		return v
	}
	for k := i + 1; k < len(s.frames); k++ {
		if s.frames[k].Class == "" {
			continue
		}
		switch s.rule(&s.frames[k]).kind {
		case ruleCodegen:
			return Verdict{Bucket: BucketCodegen, Rule: ruleNameCodegen, Frame: k}
		case ruleDeserialize:
			if d, ok, _ := s.objects(k); ok {
				return d
			}
		case ruleWholeStage, rulePhysical:
			return v
		}
	}
	return v
}

// undecided is the verdict of a stack that no rule knew; at is where the walk ended.
func (s *stack) undecided(at, stranger int) Verdict {
	switch {
	case s.scope.Pending:
		return Verdict{Bucket: BucketPending, Rule: ruleNameNone, Frame: -1}
	case s.scope.Plan == nil:
		return Verdict{Bucket: BucketNoPlan, Rule: ruleNameNone, Frame: -1}
	}
	if stranger < 0 {
		stranger = 0
	}
	if stranger < len(s.frames) {
		s.a.tally.undecided(s.frames[stranger].Class)
	}
	return Verdict{Bucket: BucketUnknown, Rule: ruleNameNone, Frame: -1}
}

// at is the verdict of frame i for a place, or for the bucket that says why there is none.
func (s *stack) at(i int, p place, name string) Verdict {
	v := Verdict{Node: p.node(), Plan: p.plan(), Rule: name, Frame: i}
	if v.Node != nil {
		return v
	}
	switch {
	case s.scope.Pending:
		v.Bucket = BucketPending
	case s.scope.Plan == nil:
		v.Bucket = BucketNoPlan
	default:
		v.Bucket = BucketUnknown
		s.a.tally.undecided(s.frames[i].Class)
	}
	return v
}

// generated decides a frame of a whole-stage class.
func (s *stack) generated(i int) Verdict {
	f := &s.frames[i]
	weak := f.Level >= 1 && f.Level <= 3
	u := s.a.units.get(f.Loader)
	if u == nil || !u.WholeStage() {
		s.a.tally.MissingSources++
		v := s.at(i, s.byMethod(f), ruleNameNoSource)
		v.Weak = true
		return v
	}
	op, name, part, disputed := 0, ruleNameMethod, PartNone, false
	if line, ok := u.Line(f.Line); ok {
		op, name, part, disputed = line.Operator, string(line.Rule), line.Part, line.Disputed
	} else {
		op, _ = u.Root(f.Method)
		weak = true
	}
	if s.plan == nil {
		return s.at(i, place{}, name)
	}
	b := s.a.bind(u, s)
	if b.whole.tree == nil {
		s.a.tally.Unmapped++
		v := s.at(i, s.byMethod(f), ruleNameUnmapped)
		v.Weak = true
		return v
	}
	if b.twins {
		s.a.tally.Ambiguous++
	}
	v := s.at(i, b.nodes[op].unwrap(), name)
	if v.Weak, v.Disputed = weak, disputed; v.Node != nil {
		v.Part = part
	}
	return v
}
