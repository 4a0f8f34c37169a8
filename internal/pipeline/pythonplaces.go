package pipeline

import (
	"cmp"
	"slices"
	"time"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// sentToWorkers is the SQLMetric that every plan node that runs Python workers has, and no other
// (Spark 3.5 to 4.3, PythonSQLMetrics and PythonCustomMetric). Such nodes are Arrow and pickled
// functions, table functions, pandas and Arrow maps, groups, windows and aggregates, and Python
// data sources.
const sentToWorkers = "data sent to Python workers"

// rddScan reads an RDD, which may be one of Python's.
const rddScan = "org.apache.spark.sql.execution.RDDScanExec"

// pythonPlace is where Python workers may have been at work: the stage of a task, and its nodes
// that may have run Python.
type pythonPlace struct {
	stageRun
	nodes []*attribution.Node
}

// common are the labels that two tasks share.
func (j *jvm) common(a, b Labels) Labels {
	if a.Query != b.Query || a.Plan != b.Plan {
		return j.outsideLabels(GroupChildren)
	}
	if a.Execution != b.Execution {
		a.Execution = tasksample.NoExecution
	}
	if a.Stage != b.Stage || a.StageAttempt != b.StageAttempt {
		a.Stage, a.StageAttempt = NoStage, 0
	}
	if a.StagePlace != b.StagePlace {
		a.StagePlace = ""
	}
	return a
}

// pythonTail bounds how long after a task a worker's CPU is still the task's. Workers tidy up after
// they have sent their result, and small sums are read with the next full reading.
const pythonTail = jvmlog.MonoTime(2 * time.Second)

// pythonPlaces are the distinct places where Python workers may have been at work in an interval:
// stages with Python nodes. Without any they are stages that may run a function of an RDD. Without
// these they are the stages of the interval before.
func (j *jvm) pythonPlaces(from, to jvmlog.MonoTime) []pythonPlace {
	var python, others []pythonPlace
	for _, run := range j.timeline.during(from, to) {
		nodes, ruledOut := j.ops.pythonNodes(run.task)
		switch {
		case ruledOut:
		case len(nodes) > 0 && sendsToWorkers(nodes[0]):
			python = append(python, pythonPlace{run, nodes})
		default:
			others = append(others, pythonPlace{run, nodes})
		}
	}
	if len(python) == 0 {
		python = others
	}
	if len(python) == 0 {
		var after []pythonPlace
		for _, p := range j.pythonLast {
			if from <= p.to+pythonTail && (len(p.nodes) == 0 || j.ops.plan(p.task.Execution) != nil) {
				after = append(after, p)
			}
		}
		return after
	}
	return j.distinct(python)
}

// distinct are places without those that differ in ids of a run alone.
func (j *jvm) distinct(places []pythonPlace) (out []pythonPlace) {
	for _, p := range places {
		at := slices.IndexFunc(out, func(known pythonPlace) bool { return j.samePlace(known, p) })
		if at < 0 {
			out = append(out, p)
			continue
		}
		known := &out[at]
		known.from, known.to, known.busy = min(known.from, p.from), max(known.to, p.to), known.busy+p.busy
	}
	return out
}

// apart reports whether places were at work one after the other.
func apart(places []pythonPlace) bool {
	byStart := slices.SortedFunc(slices.Values(places), func(a, b pythonPlace) int { return cmp.Compare(a.from, b.from) })
	for i := 1; i < len(byStart); i++ {
		if byStart[i].from < byStart[i-1].to {
			return false
		}
	}
	return true
}

// samePlace reports whether two places of one node each have the same labels except for the run's
// own ids.
func (j *jvm) samePlace(a, b pythonPlace) bool {
	if len(a.nodes) != 1 || len(b.nodes) != 1 {
		return false
	}
	x, y := j.pythonNode(a.task, a.nodes[0]).labels, j.pythonNode(b.task, b.nodes[0]).labels
	return x.Query != "" && x.Query == y.Query && x.StagePlace == y.StagePlace && x.Operator == y.Operator && x.OperatorName == y.OperatorName
}

// sendsToWorkers reports whether a plan node runs Python workers.
func sendsToWorkers(n *attribution.Node) bool {
	return slices.ContainsFunc(n.Metrics, func(m attribution.Metric) bool { return m.Name == sentToWorkers })
}

// pythonNodes are the plan nodes of a task's stage that run Python workers; without any, those that
// read an RDD, which may be one of Python's. One for each operator's name: AQE copies nodes.
// ruledOut says that the stage's plan has neither, so it cannot use workers.
func (o *operators) pythonNodes(task *Task) (nodes []*attribution.Node, ruledOut bool) {
	if task.Execution == tasksample.NoExecution {
		return nil, false
	}
	s := o.placed(task)
	if s == nil {
		return nil, false
	}
	if !s.asked {
		s.python, s.asked = o.nodesOf(task, s, sendsToWorkers), true
		if len(s.python) == 0 {
			s.python = o.nodesOf(task, s, func(n *attribution.Node) bool { return n.Class == rddScan })
		}
	}
	return s.python, s.matched && len(s.python) == 0
}

// nodesOf are the plan nodes that a stage runs and that are chosen, one for each operator's name.
// Some may be of another execution's plan.
func (o *operators) nodesOf(task *Task, s *stage, chosen func(*attribution.Node) bool) (out []*attribution.Node) {
	for _, plan := range s.plans(o.plan(task.Execution)) {
		from := len(out)
		for _, tree := range plan.Updates {
			for i := range tree.Nodes {
				n := &tree.Nodes[i]
				if !chosen(n) || !updates(n, s.accumulators) {
					continue
				}
				if !slices.ContainsFunc(out[from:], func(known *attribution.Node) bool {
					return o.names(plan, namedNode{node: known}) == o.names(plan, namedNode{node: n})
				}) {
					out = append(out, n)
				}
			}
		}
	}
	return out
}
