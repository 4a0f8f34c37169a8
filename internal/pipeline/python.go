package pipeline

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// Python workers are processes of their own; nothing in /proc says which task one works for. But tasks say which stage they are of, and a
// stage's plan says which of its nodes run Python. So what the workers of a JVM used between two readings belongs to the Python node of
// the stage whose tasks ran in between, if there is one such stage with one such node; else it stands in the bucket BucketPython.

// pythonPackage holds the physical nodes that run Python (Spark 3.5 to 4.3).
const pythonPackage = "org.apache.spark.sql.execution.python."

// pythonPlace is a plan node that may have used Python workers, or the stage alone where it is not known which node.
type pythonPlace struct {
	task *Task             // one of the stage's
	node *attribution.Node // nil: several, or none known
	name nodeNames
}

// bookPython delivers the CPU of Python workers and returns the part without a plan node.
func (j *jvm) bookPython(s *spent) (unplaced time.Duration) {
	l, frame := j.outsideLabels(GroupChildren), "python worker"
	place, ok := j.pythonPlace(s)
	if ok {
		l = j.labels(place.task)
		l.Task, l.Partition, l.Group = -1, -1, GroupChildren
	}
	if place.node != nil {
		l.Operator, l.OperatorName, l.Role = place.name.operator, place.name.name, place.name.role
		if l.StagePlace == "" {
			l.StagePlace = place.node.Stage
		}
		if functions := pythonFunctions(place.node.Text); functions != "" {
			frame += " " + functions
		}
	} else {
		l.Bucket = BucketPython
		unplaced = s.account.Workers
		j.p.counts.UnplacedPython++
	}
	stack := []StackFrame{{Name: frame, Type: FramePython}, {Name: l.Name(), Type: FrameOperator}}
	j.p.outside.Outside(Outside{Labels: l, CPU: s.account.Workers, Stack: stack})
	return unplaced
}

// pythonPlace finds the place of what Python workers used in an interval; ok is false where not even a stage is known.
func (j *jvm) pythonPlace(s *spent) (place pythonPlace, ok bool) {
	var python, others []pythonPlace // of stages with Python nodes, and of stages without any SQL
	for _, task := range j.timeline.during(s.from, s.to) {
		switch nodes := j.ops.pythonNodes(task); {
		case len(nodes) == 1:
			python = append(python, pythonPlace{task, nodes[0], j.ops.names(task, nodes[0])})
		case len(nodes) > 1:
			python = append(python, pythonPlace{task: task})
		default:
			others = append(others, pythonPlace{task: task})
		}
	}
	if len(python) == 0 {
		python = others // a function of an RDD
	}
	if len(python) == 0 {
		return pythonPlace{}, false
	}
	first := python[0]
	for _, p := range python[1:] {
		if !j.samePlace(first, p) {
			return pythonPlace{}, false
		}
	}
	return first, true
}

// samePlace says whether two places have the same labels but for the run's own ids.
func (j *jvm) samePlace(a, b pythonPlace) bool {
	if a.task.Stage == b.task.Stage && a.task.StageAttempt == b.task.StageAttempt {
		return true
	}
	x, y := j.labels(a.task), j.labels(b.task)
	return a.node != nil && b.node != nil && x.Query != "" && x.Query == y.Query && x.StagePlace == y.StagePlace && a.name == b.name
}

// placesKnown says whether the plans and stages are there of all tasks that ran in an interval; without Python there is no need of them.
func (j *jvm) placesKnown(s *spent) bool {
	return s.account.Workers == 0 || !slices.ContainsFunc(j.timeline.during(s.from, s.to), func(t *Task) bool { return !j.ops.known(t) })
}

// pythonNodes are the plan nodes of a task's stage that run Python, one for each operator's name: AQE copies nodes.
func (o *operators) pythonNodes(task *Task) []*attribution.Node {
	if task.Execution == tasksample.NoExecution {
		return nil
	}
	s := o.placed(task)
	if s == nil {
		return nil
	}
	if s.asked {
		return s.python
	}
	x := o.execution(task.Execution)
	var out []*attribution.Node
	for _, tree := range x.plan.Updates {
		for i := range tree.Nodes {
			n := &tree.Nodes[i]
			if !strings.HasPrefix(n.Class, pythonPackage) || !updates(n, s.accumulators) {
				continue
			}
			if !slices.ContainsFunc(out, func(known *attribution.Node) bool { return o.names(task, known) == o.names(task, n) }) {
				out = append(out, n)
			}
		}
	}
	s.python, s.asked = out, true
	return out
}

// names are the names of a plan node of a task's execution.
func (o *operators) names(task *Task, node *attribution.Node) nodeNames {
	x := o.execution(task.Execution)
	key := namedNode{node: node}
	names, ok := x.names[key]
	if !ok {
		names = namesOf(x.plan, key)
		x.names[key] = names
	}
	return names
}

// during are the tasks that ran at some time in [from, to], a task of each stage attempt.
func (tl *timeline) during(from, to jvmlog.MonoTime) []*Task {
	var out []*Task
	for _, th := range tl.threads {
		i, _ := slices.BinarySearchFunc(th.tasks, from, func(k *Task, t jvmlog.MonoTime) int {
			if k.End != 0 && k.End < t {
				return -1
			}
			return 1
		})
		for ; i < len(th.tasks) && th.tasks[i].Start <= to; i++ {
			k := th.tasks[i]
			if !slices.ContainsFunc(out, func(o *Task) bool { return o.Stage == k.Stage && o.StageAttempt == k.StageAttempt }) {
				out = append(out, k)
			}
		}
	}
	slices.SortFunc(out, func(a, b *Task) int { return int(a.Stage) - int(b.Stage) }) // threads are a map
	return out
}

// pythonCall is a call of a Python function in the text of a plan node: BatchEvalPython [slow(id#0L)#3], MapInPandas scale(id#0L)#7.
var pythonCall = regexp.MustCompile(`([A-Za-z_<][\w<>.]*)\(`)

// maxFunctions bounds the functions that a frame names.
const maxFunctions = 3

// pythonFunctions are the names of the Python functions that a node's text calls, outermost first and each once, as far as it says.
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
