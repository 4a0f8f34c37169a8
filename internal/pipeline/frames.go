package pipeline

import (
	"cmp"
	"strings"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/printable"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
)

// frameBuffer holds the frames of the sample at hand, so that samples allocate no frames.
type frameBuffer struct {
	frames []codemap.Frame
	ends   []int // of the frames of each user address
	plain  []attribution.Frame
}

// resolve names the addresses of a sample, leaf first. The result is valid until the next call.
//
// The interrupted instruction is the leaf; so is the first user address under kernel frames, where
// the thread left user mode. All others are return addresses. A generated frame's file names its
// text: Spark calls the classes of different queries alike.
func (b *frameBuffer) resolve(j *jvm, s *sampler.Sample) []codemap.Frame {
	b.frames = b.frames[:0]
	for _, addr := range s.Addrs[:s.Kernel] {
		b.frames = append(b.frames, j.symbol(addr, codemap.Frame{Kind: codemap.Kernel, Addr: addr}))
	}
	from := len(b.frames)
	b.frames, b.ends = j.code.ResolveStack(s.Time, s.Addrs[s.Kernel:], b.frames, b.ends[:0])
	interpreted := s.Interpreted
	for n, end := range b.ends {
		i := s.Kernel + n
		for len(interpreted) > 0 && interpreted[0].Frame < i {
			interpreted = interpreted[1:]
		}
		if len(interpreted) > 0 && interpreted[0].Frame == i && b.frames[from].Kind == codemap.Interpreted {
			b.frames[from] = j.interp.name(s.Time, interpreted[0], b.frames[from])
		}
		if end == from+1 && b.frames[from].Kind == codemap.Unknown {
			b.frames[from] = j.symbol(s.Addrs[i], b.frames[from])
			if b.frames[from].Kind == codemap.Unknown {
				j.p.counts.UnnamedFrames++
			}
		}
		from = end
	}
	for i := range b.frames {
		if f := &b.frames[i]; isGenerated(*f) {
			f.File = cmp.Or(j.ops.attributor.File(uint64(f.Loader)), f.File)
		}
	}
	return b.frames
}

// symbol asks the symbolizer; without an answer the frame stays as it is.
func (j *jvm) symbol(addr uint64, frame codemap.Frame) codemap.Frame {
	if j.symbols == nil {
		return frame
	}
	if named, ok := j.symbols.Symbol(addr); ok {
		named.Addr, named.Method = addr, printable.Text(named.Method)
		return named
	}
	return frame
}

// forAttribution is the same stack in attribution's terms; without lines a generated frame is known
// by its names alone. The result is valid until the next call.
func (b *frameBuffer) forAttribution(frames []codemap.Frame, lines bool) []attribution.Frame {
	b.plain = b.plain[:0]
	for _, f := range frames {
		p := attribution.Frame{
			Kind: kinds[f.Kind], Class: f.Class, Method: f.Method, File: f.File, Line: f.Line,
			Loader: uint64(f.Loader), Level: int(f.Level),
		}
		if !lines && isGenerated(f) {
			p.Line, p.Loader = 0, 0
		}
		b.plain = append(b.plain, p)
	}
	return b.plain
}

// kinds maps codemap's kinds of frames to attribution's.
var kinds = [...]attribution.FrameKind{
	codemap.Unknown:     attribution.FrameUnknown,
	codemap.Java:        attribution.FrameJava,
	codemap.Interpreted: attribution.FrameInterpreted,
	codemap.Stub:        attribution.FrameStub,
	codemap.Native:      attribution.FrameNative,
	codemap.Kernel:      attribution.FrameKernel,
}

// generatedPackage holds every class that Spark generates.
const generatedPackage = "org.apache.spark.sql.catalyst.expressions.GeneratedClass"

func isGenerated(f codemap.Frame) bool { return strings.HasPrefix(f.Class, generatedPackage) }

// operatorAt is the index of the frame on whose caller's side the operator frame stands (see the
// package comment); -1 for no frames.
func operatorAt(frames []codemap.Frame, decided int) int {
	if decided < 0 || decided >= len(frames) {
		return len(frames) - 1
	}
	at := decided
	for isGenerated(frames[at]) && at+1 < len(frames) && isGenerated(frames[at+1]) {
		at++
	}
	return at
}
