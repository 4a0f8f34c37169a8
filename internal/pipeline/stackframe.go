package pipeline

import "github.com/planflame/planflame/sampler/codemap"

// StackFrame is a frame as it is shown: the operator frame and the named frames of a sample alike.
// Comparable.
type StackFrame struct {
	Name string    // "Class.method", a symbol, an operator's name
	File string    // source file or object; "" unknown
	Line int       // 0 unknown
	Type FrameType // the profile.frame.type of OpenTelemetry
}

// FrameType is OpenTelemetry's profile.frame.type, with one value of our own for operator frames.
type FrameType string

// Frame types.
const (
	FrameJVM      FrameType = "jvm"
	FrameNative   FrameType = "native"
	FrameKernel   FrameType = "kernel"
	FramePython   FrameType = "cpython"
	FrameOperator FrameType = "planflame" // the synthetic operator frame
)

// OperatorFrame is the synthetic frame of the operator, or of the bucket.
func (l *Labels) OperatorFrame() StackFrame { return StackFrame{Name: l.Name(), Type: FrameOperator} }

// Shown is a named frame as people see it.
func Shown(f codemap.Frame) StackFrame {
	s := StackFrame{Name: f.Method, File: f.File, Line: f.Line, Type: FrameNative}
	switch f.Kind {
	case codemap.Java, codemap.Interpreted:
		s.Type = FrameJVM
		if f.Class != "" {
			s.Name = f.Class + "." + f.Method
		}
	case codemap.Stub:
		s.Type = FrameJVM
	case codemap.Kernel:
		s.Type = FrameKernel
	}
	if s.Name == "" {
		s.Name = placeholders[f.Kind]
	}
	return s
}

// placeholders name frames without a name.
var placeholders = map[codemap.Kind]string{
	codemap.Unknown: "[unknown]", codemap.Java: "[java]", codemap.Interpreted: "[interpreter]",
	codemap.Stub: "[jvm stub]", codemap.Native: "[native]", codemap.Kernel: "[kernel]",
}
