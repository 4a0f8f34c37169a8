package columns

import "cmp"

// Outcomes says how the runs of a query ended, over all of its plans.
type Outcomes struct {
	Name   string
	Runs   int
	Failed int // of them
}

// Lost reports whether all runs failed.
func (o Outcomes) Lost() bool { return o.Failed > 0 && o.Failed == o.Runs }

// Outcomes counts the selected executions, by fingerprint of their query.
func (m *Model) Outcomes(s Selection) map[string]Outcomes {
	out := map[string]Outcomes{}
	for i := range m.Executions {
		x := &m.Executions[i]
		if x.Query == None || !m.selectsQuery(s, x.Query) || !m.selectsRun(s, i) {
			continue
		}
		q := &m.Queries[x.Query]
		of := out[q.Query]
		of.Name = cmp.Or(of.Name, q.Name)
		of.Runs++
		if x.Failed {
			of.Failed++
		}
		out[q.Query] = of
	}
	return out
}
