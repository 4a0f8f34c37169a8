package window

import (
	"hash/maphash"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/tasksample"
)

// inners are executions that earlier Takes told and that run for others which were not over.
type inners map[innerKey]innerTimes

// innerKey has hashes of texts, which may be of any length.
type innerKey struct {
	application uint64
	outer       tasksample.ExecutionID
	query       uint64
}

// innerTimes are of executions of one query, in milliseconds.
type innerTimes struct {
	wall, free int64
	ended      int64 // the last
	ran        bool  // one did not fail: it was told as a run
}

// mostInners bounds inners. Beyond it those go that ended first, and the outer one tells what they
// have again.
const mostInners = 1 << 10

// nest takes out of executions what the executions that they run have as well. Tasks that run for
// an inner execution are none of the outer one's, and one of the same query is told once. It keeps
// those whose outer one is still to come, and returns how many others had to go for them.
func (before inners) nest(executions []pipeline.ExecutionTimes) (gone uint64) {
	at := map[innerKey]int{} // without a query → index in executions
	for i := range executions {
		x := &executions[i]
		x.TasksOf = x.ID
		at[innerKey{application: hash(x.ApplicationID), outer: x.ID}] = i
	}
	for key, in := range before {
		if k, known := at[innerKey{application: key.application, outer: key.outer}]; known {
			in.takeFrom(&executions[k], key.query)
			delete(before, key)
		}
	}
	for i := range executions {
		x := &executions[i]
		k, known := at[innerKey{application: hash(x.ApplicationID), outer: x.Root}]
		switch {
		case x.Root == x.ID:
		case known:
			outer := &executions[k]
			outer.TaskFreeMS = max(0, outer.TaskFreeMS-(x.EndedMS-x.StartedMS-x.TaskFreeMS))
			if x.Query != "" && x.Query == outer.Query {
				x.Inner, outer.TasksOf = true, x.ID
			}
		default:
			gone += before.add(x)
		}
	}
	return gone
}

// takeFrom takes out of an execution what an earlier Take told.
func (in innerTimes) takeFrom(outer *pipeline.ExecutionTimes, query uint64) {
	if outer.Query == "" || hash(outer.Query) != query {
		outer.TaskFreeMS = max(0, outer.TaskFreeMS-(in.wall-in.free))
		return
	}
	outer.Told = in.ran
	outer.ToldMS += in.wall
	outer.TaskFreeMS = max(0, outer.TaskFreeMS-in.wall)
}

func (before inners) add(x *pipeline.ExecutionTimes) (gone uint64) {
	key := innerKey{hash(x.ApplicationID), x.Root, hash(x.Query)}
	in, known := before[key]
	if !known && len(before) >= mostInners {
		first := key
		for other, o := range before {
			if first == key || o.ended < before[first].ended {
				first = other
			}
		}
		delete(before, first)
		gone = 1
	}
	in.wall, in.free, in.ended = in.wall+x.EndedMS-x.StartedMS, in.free+x.TaskFreeMS, max(in.ended, x.EndedMS)
	in.ran = in.ran || !x.Failed
	before[key] = in
	return gone
}

func hash(text string) uint64 { return maphash.String(hashSeed, text) }
