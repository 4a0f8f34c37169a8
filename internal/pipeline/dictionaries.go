package pipeline

import (
	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// DictionaryConsumer is a Consumer that also takes what the lines of generated code belong to.
type DictionaryConsumer interface {
	Consumer
	// Dictionary is called before the first sample of a stage attempt that a generated class
	// decides. The callee may keep the dictionary, but neither the sample nor its frames.
	Dictionary(*Labelled, attribution.Dictionary)
}

// tagged is a generated class in a stage attempt.
type tagged struct {
	loader jvmlog.LoaderID
	stage  stageKey
}

// mostTagged bounds the dictionaries that are remembered as delivered: beyond it they are delivered
// again.
const mostTagged = 1 << 16

// dictionary delivers what the lines of the class belong to that decided a sample.
func (j *jvm) dictionary(l *Labelled) {
	at := l.Verdict.Frame
	if j.p.dictionaries == nil || l.Of == nil || at < 0 || at >= len(l.Frames) || !isGenerated(l.Frames[at]) {
		return
	}
	key := tagged{l.Frames[at].Loader, stageKey{l.Of.Stage, l.Of.StageAttempt}}
	if j.tagged[key] {
		return
	}
	if j.tagged == nil || len(j.tagged) >= mostTagged {
		j.tagged = map[tagged]bool{}
	}
	j.tagged[key] = true
	scope, _ := j.ops.scope(l.Of)
	if d, ok := j.ops.attributor.Dictionary(uint64(key.loader), scope); ok {
		j.p.dictionaries.Dictionary(l, d)
	}
}
