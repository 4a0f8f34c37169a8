package main

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/recording"
)

// bodyKey names the text of a class, but for the order of its lines and of the words in them, and
// for the number of the class.
type bodyKey [sha256.Size]byte

// fingerprint finds the same class and line in another JVM. Spark takes parameters and calls of
// methods out of sets whose order is another in every JVM, and numbers classes as AQE comes upon
// them.
type fingerprint struct {
	key   bodyKey
	lines []string // what line i+1 is known by within the class: its words, and how often they have been there before
}

var (
	words       = regexp.MustCompile(`\w+|\S`) // identifiers, numbers and single other characters
	comments    = regexp.MustCompile(`/\*.*?\*/`)
	classNumber = regexp.MustCompile(`(GeneratedIteratorForCodegenStage)\d+`)
)

func fingerprintOf(body string) fingerprint {
	var f fingerprint
	seen := map[string]int{}
	for line := range strings.SplitSeq(classNumber.ReplaceAllString(body, "$1"), "\n") {
		in := words.FindAllString(comments.ReplaceAllString(line, ""), -1)
		slices.Sort(in)
		name := strings.Join(in, " ")
		seen[name]++
		f.lines = append(f.lines, fmt.Sprint(name, "#", seen[name]))
	}
	delete(seen, "") // blank lines and comments
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		fmt.Fprintln(h, seen[name], name)
	}
	f.key = bodyKey(h.Sum(nil))
	return f
}

// line is what line n is known by; ok is false if there is none.
func (f fingerprint) line(n int) (name string, ok bool) {
	if n < 1 || n > len(f.lines) {
		return "", false
	}
	return f.lines[n-1], true
}

// place is a line of a class of a statement.
type place struct {
	statement string
	body      bodyKey
	line      string // as the fingerprint knows it; "" the class itself
}

// weights are the CPU of the samples of a recorded run, as it was sampled (uncalibrated).
type weights struct {
	lines   map[place]time.Duration // samples that a line of a whole-stage class decided
	unlined time.Duration           // a whole-stage class decided, but its source or the line was not known
	other   time.Duration           // anything else decided
}

// weigh reads the recording at path; executions maps the executions that count to their statements.
func weigh(path string, executions map[int64]string) (*weights, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only: nothing to lose
	r, err := recording.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer r.Close()
	w := newWeigher(executions)
	if err := r.Replay(w); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	w.Finish()
	if len(w.sums.lines) == 0 {
		return nil, fmt.Errorf("%s: no sample of a line of the executions that count", path)
	}
	return w.sums, nil
}

// weigher is the sink of a recording and the consumer of what a pipeline makes of it.
type weigher struct {
	*pipeline.Pipeline
	executions map[int64]string
	bodies     map[loaderKey]fingerprint
	symbols    map[sampler.JVMID]symbolTable
	sums       *weights
}

type loaderKey struct {
	jvm    sampler.JVMID
	loader jvmlog.LoaderID
}

// symbolTable has the recorded names of native code by address.
type symbolTable map[uint64]codemap.Frame

// Symbol implements pipeline.Symbolizer.
func (t symbolTable) Symbol(addr uint64) (codemap.Frame, bool) {
	f, ok := t[addr]
	return f, ok
}

func newWeigher(executions map[int64]string) *weigher {
	w := &weigher{executions: executions, bodies: map[loaderKey]fingerprint{}, symbols: map[sampler.JVMID]symbolTable{},
		sums: &weights{lines: map[place]time.Duration{}}}
	w.Pipeline = pipeline.New(pipeline.Settings{Hold: pipeline.UntilEnd, MaxHeld: 1 << 20, Symbols: func(v sampler.JVM) pipeline.Symbolizer {
		w.symbols[v.ID] = symbolTable{}
		return w.symbols[v.ID]
	}}, (*lineConsumer)(w))
	return w
}

// Symbol implements recording.Sink.
func (w *weigher) Symbol(id sampler.JVMID, f codemap.Frame) {
	if t := w.symbols[id]; t != nil {
		t[f.Addr] = f
	}
}

// Record implements sampler.Sink.
func (w *weigher) Record(id sampler.JVMID, t jvmlog.MonoTime, r jvmlog.Record) {
	if s, ok := r.(*jvmlog.Source); ok {
		w.bodies[loaderKey{id, s.Loader}] = fingerprintOf(s.Body)
	}
	w.Pipeline.Record(id, t, r)
}

// lineConsumer is a weigher as a pipeline.Consumer.
type lineConsumer weigher

// Sample implements pipeline.Consumer.
func (c *lineConsumer) Sample(l *pipeline.Labelled) {
	statement, counts := c.executions[int64(l.Execution)]
	if !counts {
		return
	}
	v := l.Verdict
	if v.Frame < 0 || v.Frame >= len(l.Frames) || !strings.HasPrefix(l.Frames[v.Frame].Class, generatedClass+"GeneratedIterator") {
		c.sums.other += l.Weight
		return
	}
	frame := l.Frames[v.Frame]
	body := c.bodies[loaderKey{l.JVM, frame.Loader}]
	line, known := body.line(frame.Line)
	if !known {
		c.sums.unlined += l.Weight
		return
	}
	c.sums.lines[place{statement, body.key, line}] += l.Weight
}

// JVM implements pipeline.Consumer.
func (c *lineConsumer) JVM(sampler.JVM, pipeline.Application) {}

// Task implements pipeline.Consumer.
func (c *lineConsumer) Task(pipeline.TaskCPU) {}

// SamplerStats implements pipeline.Consumer.
func (c *lineConsumer) SamplerStats(sampler.JVMID, sampler.Stats) {}

// JVMGone implements pipeline.Consumer.
func (c *lineConsumer) JVMGone(sampler.JVMID) {}
