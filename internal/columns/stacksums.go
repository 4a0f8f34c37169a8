package columns

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
)

// StackSum is the CPU of one stack under one label.
type StackSum struct {
	Label   int
	Stack   uint32 // 0: none
	Samples uint64
	CPU     float64 // nanoseconds; with rows of exact CPU if Stack is 0
}

// StackSums are the stacks of a selection, by label and then by falling CPU.
func (m *Model) StackSums(s Selection) []StackSum {
	type key struct{ label, stack uint32 }
	at, out := map[key]int{}, []StackSum{}
	sum := func(k key) *StackSum {
		i, known := at[k]
		if !known {
			i = len(out)
			at[k] = i
			out = append(out, StackSum{Label: int(k.label), Stack: k.stack})
		}
		return &out[i]
	}
	in := m.scope(s)
	m.each(in, func(i int, label, _ uint32, cpu float64) {
		to := sum(key{label, m.Samples.Stack[i]})
		to.Samples++
		to.CPU += cpu
	})
	m.eachExact(in, func(i int, part float64) { sum(key{m.Exact.Label[i], 0}).CPU += part * m.Exact.Nanos[i] })
	slices.SortFunc(out, func(a, b StackSum) int {
		return cmp.Or(cmp.Compare(a.Label, b.Label), cmp.Compare(b.CPU, a.CPU), cmp.Compare(a.Stack, b.Stack))
	})
	return out
}

// OperatorName is the name of a label's operator, or its bucket in brackets.
func (m *Model) OperatorName(label int) string {
	l := &m.Labels[label]
	if l.Bucket != "" {
		return "[" + l.Bucket + "]"
	}
	return l.of.OperatorName
}

// Frames are the frames of a stack, leaf first, with the operator's.
func (m *Model) Frames(label int, stack uint32) []pipeline.StackFrame {
	operator := pipeline.StackFrame{Name: m.OperatorName(label), Type: pipeline.FrameOperator}
	var out []pipeline.StackFrame
	g := &m.Tree
	for node := g.Leaf[stack]; node >= 0; node = g.Parent[node] {
		f := g.Frame[node]
		out = append(out, pipeline.StackFrame{Name: m.Strings[g.Name[f]], File: m.Strings[g.File[f]], Line: int(g.Line[f]), Type: frameTypes[g.Kind[f]]})
		if node == g.Operator[stack] {
			out = append(out, operator)
		}
	}
	if g.Operator[stack] < 0 {
		out = append(out, operator)
	}
	return out
}

var frameTypes = [...]pipeline.FrameType{pipeline.FrameNative, pipeline.FrameJVM, pipeline.FrameJVM, pipeline.FrameJVM, pipeline.FrameNative, pipeline.FrameKernel}

// Profile is a selection as an Accumulator's, of one JVM each.
func (m *Model) Profile(s Selection) window.Profile {
	p := window.Profile{Calibrated: true, JVMs: make([]window.JVMProfile, len(m.JVMs))}
	for i := range p.JVMs {
		p.JVMs[i].Stacks = window.NewStacks()
	}
	for _, sum := range m.StackSums(s) {
		l := &m.Labels[sum.Label]
		if l.JVM == None {
			continue
		}
		j := &p.JVMs[l.JVM]
		j.Entries = append(j.Entries, window.Entry{Labels: l.of, Stack: j.Stacks.Intern(m.Frames(sum.Label, sum.Stack)), Samples: sum.Samples, CPU: nanos(sum.CPU)})
	}
	return p
}

// nanos rounds nanoseconds.
func nanos(ns float64) time.Duration { return time.Duration(math.Round(ns)) }
