package pipeline

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/planflame/planflame/attribution"
)

// Python workers are processes of their own, and /proc does not say which task a worker serves.
// Tasks say which stage they belong to, and a stage's plan says which of its nodes run Python. So
// the CPU that a JVM's workers used between two readings belongs to the Python node of the stage
// whose tasks ran in between.
//
//	one stage, one node             the node has it
//	one stage, several nodes        the stage's bucket has it; each node may have up to all of it
//	several, one after the other    each has a share by its tasks' time, and may have none or all of it
//	several at once                 the bucket of what they have in common has it; each node may have up to all of it
//	none                            the places before have it for a little while, as above, unless a worker starts: it works for the driver

// pythonPart is a part of what Python workers used in an interval. The true CPU of its labels lies
// between cpu - below and cpu + above.
type pythonPart struct {
	labels            Labels
	functions         string
	cpu, below, above time.Duration
}

// bookPython delivers the CPU of Python workers and returns the part without a plan node.
func (j *jvm) bookPython(s *spent) (unplaced time.Duration) {
	if s.account.Started > 0 {
		j.pythonLast = nil // unless tasks run, a worker that starts plans a query on the driver
	}
	places := j.pythonPlaces(s.from, s.to)
	j.pythonLast = places
	for _, part := range j.pythonParts(places, s.account.Workers) {
		frame := "python worker"
		if part.labels.Bucket == BucketPython {
			unplaced += part.cpu
		} else if part.functions != "" {
			frame += " " + part.functions
		}
		part.labels.Group, part.labels.Task, part.labels.Partition = GroupChildren, -1, -1
		stack := []StackFrame{{Name: frame, Type: FramePython}, part.labels.OperatorFrame()}
		j.p.outside.Outside(Outside{Labels: part.labels, CPU: part.cpu, Below: part.below, Above: part.above, From: s.from, To: s.to, Stack: stack,
			Late: j.executions.over[part.labels.Execution]})
	}
	if unplaced > 0 {
		j.p.counts.UnplacedPython++
	}
	return unplaced
}

// bookFeed delivers the CPU of the threads that compute the rows for Python workers. It is not
// known for which of the stage's operators they work.
func (j *jvm) bookFeed(s *spent, cpu time.Duration) {
	places := j.pythonPlaces(s.threads, s.to)
	for i := range places {
		places[i].nodes = nil
	}
	for _, part := range j.pythonParts(places, cpu) {
		l := part.labels.in(BucketPythonFeed)
		l.Group, l.Task, l.Partition = GroupThreads, -1, -1
		j.p.outside.Outside(Outside{Labels: l, CPU: part.cpu, From: s.threads, To: s.to, Stack: []StackFrame{l.OperatorFrame()}, Late: j.executions.over[l.Execution]})
	}
}

// pythonParts divides CPU that was used for Python at places.
func (j *jvm) pythonParts(places []pythonPlace, cpu time.Duration) []pythonPart {
	if len(places) == 0 {
		return []pythonPart{{labels: j.outsideLabels(GroupChildren).in(BucketPython), cpu: cpu}}
	}
	if len(places) > 1 && !apart(places) {
		labels := j.labels(places[0].task)
		var parts []pythonPart
		for _, p := range places {
			labels = j.common(labels, j.labels(p.task))
			parts = append(parts, j.mayHave(p, cpu)...)
		}
		return append(parts, pythonPart{labels: labels.in(BucketPython), cpu: cpu})
	}
	var busy, given time.Duration
	for _, p := range places {
		busy += p.busy
	}
	var parts []pythonPart
	for i, p := range places {
		share := cpu - given
		if i < len(places)-1 {
			share = time.Duration(math.Round(float64(cpu) * (float64(p.busy) / float64(max(busy, 1)))))
		}
		given += share
		parts = append(parts, j.pythonPart(p, share, cpu)...)
	}
	return parts
}

// pythonPart gives a place its share of what workers used in an interval.
func (j *jvm) pythonPart(p pythonPlace, share, all time.Duration) (parts []pythonPart) {
	part := pythonPart{labels: j.labels(p.task).in(BucketPython)}
	rdd := j.ops.rdds.of(p.task)
	switch {
	case len(p.nodes) == 1:
		part = j.pythonNode(p.task, p.nodes[0])
	case rdd != nil:
		part.labels = j.labels(p.task)
		part.labels.setOperator(rdd.names)
	default:
		parts = j.mayHave(p, all)
	}
	part.cpu = share
	if share < all {
		part.below, part.above = share, all-share
	}
	return append(parts, part)
}

// mayHave says of the nodes of a place that each may have used the workers' CPU, or none of it.
func (j *jvm) mayHave(p pythonPlace, cpu time.Duration) (parts []pythonPart) {
	for _, node := range p.nodes {
		part := j.pythonNode(p.task, node)
		part.above = cpu
		parts = append(parts, part)
	}
	return parts
}

// pythonNode is a part, without CPU, of a node of a task's stage.
func (j *jvm) pythonNode(task *Task, node *attribution.Node) pythonPart {
	part := pythonPart{labels: j.labels(task)}
	plan, place := j.ops.planOf(task, node)
	names := j.ops.names(plan, namedNode{node: node})
	part.labels.setOperator(names)
	part.labels = part.labels.of(plan, cmp.Or(place, node.Stage))
	if sendsToWorkers(node) {
		part.functions = pythonFunctions(node.Text)
	}
	return part
}

// in are the labels of a bucket.
func (l Labels) in(bucket attribution.Bucket) Labels {
	l.Bucket, l.Operator, l.OperatorName, l.Role, l.Part = bucket, "", "", "", attribution.PartNone
	return l
}

// pythonCall is a call of a Python function in the text of a plan node: BatchEvalPython
// [slow(id#0L)#3], MapInPandas scale(id#0L)#7.
var pythonCall = regexp.MustCompile(`([A-Za-z_<][\w<>.]*)\(`)

// maxFunctions bounds the functions that a frame names.
const maxFunctions = 3

// pythonFunctions are the names of the Python functions that a node's text calls, outermost first
// and each once, as far as it says.
func pythonFunctions(text string) string {
	_, calls, ok := strings.Cut(text, " ")
	if !ok {
		return ""
	}
	var names []string
	for _, m := range pythonCall.FindAllStringSubmatch(calls, -1) {
		if slices.Contains(names, m[1]) {
			continue
		}
		if len(names) == maxFunctions {
			names = append(names, "…")
			break
		}
		names = append(names, m[1])
	}
	return strings.Join(names, ", ")
}
