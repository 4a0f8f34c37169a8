package pipeline

import (
	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/sampler"
)

// UserLineConsumer is a Consumer that also takes the user's own lines. They are for people: no
// label holds them, so they make no series.
type UserLineConsumer interface {
	Consumer
	// UserLine is called for each line as it becomes known, more than once for some.
	UserLine(sampler.JVMID, UserLineOf, string)
}

// UserLineOf is what a line is of: an operator of a query, or the query's run where Operator is "".
type UserLineOf struct{ Query, Plan, Operator string }

// planLines passes on the lines of an update of a plan.
func (j *jvm) planLines(p *attribution.Plan, t *attribution.Tree) {
	if j.p.lines == nil {
		return
	}
	j.userLine(p.Query, p.Plan, "", p.CallSite)
	for i := range t.Nodes {
		j.userLine(p.Query, p.Plan, t.Nodes[i].Operator, t.Nodes[i].Line)
	}
}

// stageLines passes on the lines of a stage without a plan.
func (j *jvm) stageLines(s *rddStage) {
	if j.p.lines != nil {
		j.userLine(s.query, "", "", s.callSite)
		j.userLine(s.query, "", s.names.operator, s.line)
	}
}

func (j *jvm) userLine(query, plan, operator, line string) {
	if query != "" && line != "" {
		j.p.lines.UserLine(j.info.ID, UserLineOf{query, plan, operator}, line)
	}
}
