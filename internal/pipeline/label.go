package pipeline

import (
	"cmp"
	"slices"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/tasksample"
)

// label names a sample's frames and finds its task, plan node and stage. Nil for a sample that does
// not count: of the detail clock, or of a run that is left out. The result is valid until the next
// call.
func (j *jvm) label(s *sampler.Sample) *Labelled {
	task, inside := j.timeline.at(s.TID, s.Time)
	if task != nil && task.LeftOut {
		j.p.counts.LeftOut++
		return nil
	}
	detail := task != nil && task.DetailOn(s.Time)
	if s.OfDetail() && !detail {
		j.p.counts.Surplus++
		return nil
	}
	weight := s.Weight(detail)
	l := &j.p.labelled
	*l = Labelled{
		Labels: j.labels(task), Time: s.Time, TID: s.TID, Thread: j.timeline.name(s.TID), Of: task, InTask: inside,
		Weight: weight, Expansion: expansion(s, task), Flags: s.Flags, Repaired: len(s.Repaired),
	}
	if j.p.settings.Without.StackRepair {
		s = unrepaired(s)
	}
	l.Frames = j.frames.resolve(j, s)
	var node nodeNames
	var place string
	rdd := j.ops.rdds.of(task)
	switch {
	case task == nil:
		l.Verdict = attribution.Verdict{Bucket: attribution.BucketFramework, Rule: "outside any task", Frame: -1}
	default:
		l.Verdict, node, place = j.ops.attribute(j.frames.forAttribution(l.Frames, !j.p.settings.Without.Lines), task)
		if !inside && l.Verdict.Node == nil && (l.Verdict.Bucket == attribution.BucketUnknown || l.Verdict.Bucket == attribution.BucketNoPlan) {
			l.Verdict.Bucket, l.Verdict.Rule = attribution.BucketFramework, "between tasks"
		}
	}
	switch {
	case l.Verdict.Node != nil:
		l.setOperator(node)
		l.Part = cmp.Or(l.Part, l.Verdict.Part)
		l.NodeText = l.Verdict.Node.Text
		l.Labels = l.of(l.Verdict.Plan, cmp.Or(place, l.Verdict.Node.Stage))
		if j.p.lines != nil && unclaimed(l.Verdict.Plan) {
			j.userLine(l.Query, l.Plan, l.Operator, l.Verdict.Node.Line)
		}
	case rdd.takes(l.Verdict):
		l.Verdict.Bucket = attribution.BucketNone
		l.setOperator(rdd.names)
	default:
		l.Bucket = l.Verdict.Bucket
		if l.Bucket == attribution.BucketNone {
			l.Bucket = attribution.BucketUnknown
		}
	}
	l.OperatorAt = operatorAt(l.Frames, l.Verdict.Frame)
	return l
}

func (l *Labels) setOperator(n nodeNames) {
	l.Operator, l.OperatorName, l.Role, l.Part = n.operator, n.name, n.role, n.part
}

// expansion is Labelled.Expansion.
func expansion(s *sampler.Sample, task *Task) float64 {
	if task == nil {
		return 1
	}
	of := 1 / task.RunProbability
	if s.OfDetail() && s.Base == 0 && task.Selected && task.InclusionProbability > 0 {
		of /= task.InclusionProbability
	}
	return of
}

// unrepaired is a sample as the kernel's frame-pointer chain alone has it; no one names interpreter
// frames then.
func unrepaired(s *sampler.Sample) *sampler.Sample {
	chain := *s
	chain.Interpreted, chain.Addrs = nil, slices.Clone(s.Addrs[:s.Kernel])
	inserted := s.Repaired
	for i := s.Kernel; i < len(s.Addrs); i++ {
		if len(inserted) > 0 && inserted[0] == i {
			inserted = inserted[1:]
			continue
		}
		chain.Addrs = append(chain.Addrs, s.Addrs[i])
	}
	return &chain
}

// labels are the labels that a task gives, without operator and bucket.
func (j *jvm) labels(task *Task) Labels {
	l := Labels{JVM: j.info.ID, Execution: tasksample.NoExecution, Stage: NoStage, Task: -1, Partition: -1}
	if task == nil {
		return l
	}
	l.Execution, l.Stage, l.StageAttempt, l.Task, l.Partition = task.Execution, task.Stage, task.StageAttempt, task.ID, task.Partition
	if plan := j.ops.plan(task.Execution); plan != nil {
		l.Query, l.QueryName, l.Plan = plan.Query, plan.QueryName, plan.Plan
		l.StagePlace = j.ops.place(task)
	} else if rdd := j.ops.rdds.of(task); rdd != nil {
		l.Query, l.QueryName, l.StagePlace = rdd.query, rdd.queryName, rdd.place
		if plan, place := j.ops.planOfRDD(task); plan != nil && rdd.nameless() {
			l.Query, l.QueryName, l.Plan, l.StagePlace = plan.Query, plan.QueryName, plan.Plan, place
		}
	}
	return l
}

func (j *jvm) taskCPU(end *taskEnd) TaskCPU {
	return TaskCPU{
		Labels: j.labels(end.task), Of: *end.task, Failed: end.failed,
		CPU: end.cpu, System: end.system, Unsampled: end.unsampled,
		KernelSampled: j.info.Mode == sampler.ModePrivileged, Sampled: end.sampled && j.info.Mode != sampler.ModeNone,
		Tier:        j.tier(end),
		ExecutorCPU: end.executorCPU,
		GC:          end.gc,
		Late:        j.executions.over[end.task.Execution],
		PlanLost:    j.ops.lost(end.task.Execution),
	}
}

// tier says which clocks sampled a task that ended.
func (j *jvm) tier(end *taskEnd) tasksample.Tier {
	switch {
	case !end.sampled || j.info.Mode == sampler.ModeNone:
		return tasksample.TierNone
	case len(end.task.Detail) > 0 && end.task.Selected:
		return tasksample.TierSelected
	case len(end.task.Detail) > 0:
		return tasksample.TierPromoted
	case end.based:
		return tasksample.TierBase
	}
	return tasksample.TierNone
}
