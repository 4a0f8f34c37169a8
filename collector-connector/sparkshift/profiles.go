package sparkshift

import (
	"context"
	"regexp"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pprofile"

	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/shift"
	"github.com/planflame/planflame/shift/growth"
)

// attrFrameType is what a location of a profile has, beside the attributes of metrics.
const attrFrameType = "profile.frame.type"

// What a profile of CPU says of itself, and the type of an operator's frame.
const (
	typeCPU       = "cpu"
	unitCPU       = "nanoseconds"
	frameOperator = "planflame"
)

// deepest is how many frames below an operator's are told apart. What is deeper counts as the last
// one's own.
const deepest = 128

// takeProfiles puts the CPU of a request's stacks to their runs. Samples that make no sense are
// counted; samples of no operator of a run are passed over.
func (e *engine) takeProfiles(ctx context.Context, pd pprofile.Profiles) {
	if e.config.MaxStackNodes == 0 {
		return
	}
	r := newStackReader(pd.Dictionary())
	e.mu.Lock()
	now := e.now()
	dropped := r.take(pd, func(id shift.RunID, k shift.Key, stack []growth.Frame, cpu float64) bool {
		return e.stacks.add(id, k, stack, cpu, now)
	})
	e.mu.Unlock()
	e.countDropped(ctx, "sample", dropped)
}

// stackReader reads the profiles of one request. What the tables hold is read once.
type stackReader struct {
	dict   pprofile.ProfilesDictionary
	labels []sampleLabel // :: attribute table
	stacks []stack       // :: stack table
	frames []frame       // :: function table
}

// sampleLabel is an attribute that says what a sample, or a frame, is of.
type sampleLabel struct {
	read     bool
	key      string
	text     string
	number   int64
	isNumber bool
}

type stack struct {
	read, good bool
	frames     []growth.Frame // below the operator's, its callee first
}

type frame struct {
	read  bool
	frame growth.Frame
}

func newStackReader(dict pprofile.ProfilesDictionary) *stackReader {
	return &stackReader{dict: dict, labels: make([]sampleLabel, dict.AttributeTable().Len()), stacks: make([]stack, dict.StackTable().Len()),
		frames: make([]frame, dict.FunctionTable().Len())}
}

// take gives each sample of CPU of an operator of a run to add, in seconds, and returns how many
// make no sense, or are not taken.
func (r *stackReader) take(pd pprofile.Profiles, add func(shift.RunID, shift.Key, []growth.Frame, float64) bool) (dropped int) {
	for _, rp := range pd.ResourceProfiles().All() {
		application := text(rp.Resource().Attributes(), semconv.ApplicationID)
		if application == "" {
			continue
		}
		for _, sp := range rp.ScopeProfiles().All() {
			for _, p := range sp.Profiles().All() {
				if t := p.SampleType(); r.text(t.TypeStrindex()) != typeCPU || r.text(t.UnitStrindex()) != unitCPU {
					continue
				}
				for _, s := range p.Samples().All() {
					o := r.of(s)
					if !o.good {
						dropped++
						continue
					}
					if !o.ofOperator {
						continue
					}
					stack := r.stack(s.StackIndex())
					if !stack.good || s.Values().Len() != 1 || s.Values().At(0) <= 0 {
						dropped++
						continue
					}
					if !add(shift.RunID{Application: application, Execution: o.execution}, o.key, stack.frames, float64(s.Values().At(0))/1e9) {
						dropped++
					}
				}
			}
		}
	}
	return dropped
}

// owner is whose CPU a sample is.
type owner struct {
	good       bool // the sample's attributes are there
	ofOperator bool // of an operator of an execution, for which the others stand
	execution  int64
	key        shift.Key
}

func (r *stackReader) of(s pprofile.Sample) (o owner) {
	run := false
	for _, i := range s.AttributeIndices().All() {
		if i < 0 || int(i) >= len(r.labels) {
			return owner{}
		}
		switch l := r.label(i); l.key {
		case semconv.ExecutionID:
			o.execution, run = l.number, l.isNumber
		case semconv.StagePlace:
			o.key.Stage = l.text
		case semconv.OperatorID:
			o.key.Operator = l.text
		}
	}
	// What is no operator's has the name of its bucket there: an operator's id is role@signature.
	o.good, o.ofOperator = true, run && strings.Contains(o.key.Operator, "@")
	return o
}

func (r *stackReader) label(i int32) *sampleLabel {
	l := &r.labels[i]
	if !l.read {
		kv := r.dict.AttributeTable().At(int(i))
		*l = sampleLabel{read: true, key: r.text(kv.KeyStrindex()), text: kv.Value().AsString()}
		if kv.Value().Type() == pcommon.ValueTypeInt {
			l.number, l.isNumber = kv.Value().Int(), true
		}
	}
	return l
}

func (r *stackReader) stack(i int32) *stack {
	if i < 0 || int(i) >= len(r.stacks) {
		return &stack{}
	}
	s := &r.stacks[i]
	if !s.read {
		*s = stack{read: true}
		s.frames, s.good = r.below(r.dict.StackTable().At(int(i)).LocationIndices())
	}
	return s
}

// below are the frames of a stack, leaf first, that are below the operator's, the operator's callee
// first. false where the tables lack one.
func (r *stackReader) below(locations pcommon.Int32Slice) (out []growth.Frame, good bool) {
	table := r.dict.LocationTable()
	var leafFirst []growth.Frame
	for _, at := range locations.All() {
		if at < 0 || int(at) >= table.Len() {
			return nil, false
		}
		l := table.At(int(at))
		if r.isOperator(l) {
			for i := len(leafFirst) - 1; i >= 0 && len(out) < deepest; i-- {
				out = append(out, leafFirst[i])
			}
			return out, true
		}
		for _, line := range l.Lines().All() {
			f := line.FunctionIndex()
			if f < 0 || int(f) >= len(r.frames) {
				return nil, false
			}
			leafFirst = append(leafFirst, r.frame(f))
		}
	}
	return nil, true
}

func (r *stackReader) isOperator(l pprofile.Location) bool {
	for _, i := range l.AttributeIndices().All() {
		if i >= 0 && int(i) < len(r.labels) {
			if a := r.label(i); a.key == attrFrameType {
				return a.text == frameOperator
			}
		}
	}
	return false
}

func (r *stackReader) frame(i int32) growth.Frame {
	f := &r.frames[i]
	if !f.read {
		*f = frame{true, growth.NewFrame(lasting(r.text(r.dict.FunctionTable().At(int(i)).NameStrindex())))}
	}
	return f.frame
}

// text is a string of the table; "" where it has none.
func (r *stackReader) text(i int32) string {
	if i < 0 || int(i) >= r.dict.StringTable().Len() {
		return ""
	}
	return r.dict.StringTable().At(int(i))
}

var (
	hidden   = regexp.MustCompile(`(\$\$Lambda)[$0-9]*|/0x[0-9a-f]+`)
	numbered = regexp.MustCompile(`(GeneratedIteratorForCodegenStage|GeneratedMethodAccessor|GeneratedConstructorAccessor|\$Proxy)[0-9]+`)
)

// lasting is a frame's name without what differs between two JVMs or two plans that run the same
// code. It drops numbers and addresses of classes made at run time, and of stages.
func lasting(name string) string {
	if strings.Contains(name, "/0x") || strings.Contains(name, "$$Lambda") {
		name = hidden.ReplaceAllString(name, "$1")
	}
	if strings.Contains(name, "Generated") || strings.Contains(name, "$Proxy") {
		name = numbered.ReplaceAllString(name, "$1")
	}
	return name
}
