package main

import (
	"cmp"
	"slices"

	"github.com/planflame/planflame/cmd/planflame/internal/outcome"
	"github.com/planflame/planflame/internal/columns"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/slowtask"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/tasksample"
)

// slowRecords finds the records at which tasks stood still. It is nil if no JVM watched them.
func slowRecords(jvms []window.JVMProfile) *outcome.SlowRecords {
	out := &outcome.SlowRecords{Records: []outcome.SlowRecord{}, Apart: map[string]outcome.DwellSums{}}
	watched := false
	for i := range jvms {
		t := &jvms[i].Times
		watched = watched || t.Watch.Looks > 0 || len(t.Dwells) > 0
		out.Add(&t.Watch)
		dwells := slowtask.Told(t.Dwells)
		for k := range dwells {
			addDwell(out, jvms[i].Application.ID, &dwells[k])
		}
	}
	if !watched {
		return nil
	}
	slices.SortStableFunc(out.Records, func(a, b outcome.SlowRecord) int { return cmp.Compare(b.Net, a.Net) })
	return out
}

// recordRows are slow records as the page lists them, like slowRows.
func recordRows(s *outcome.SlowRecords, m *columns.Model) (out []columns.SlowRecord) {
	if s == nil {
		return nil
	}
	for i := range s.Records {
		r := &s.Records[i]
		stage := stageAt(m, r.ApplicationID, r.StageID, r.Attempt)
		switch {
		case stage < 0:
		case len(out) == mostPageRows:
			m.Meta.LostSlow++
		default:
			_, where := r.Lines()
			out = append(out, columns.SlowRecord{Stage: stage, Task: int64(r.TaskID), Where: where, Seconds: r.Seconds, CPU: r.CPU, Operator: r.Operator, Code: r.Code()})
		}
	}
	return out
}

// stageAt is the index of a stage attempt of the model; -1 if it has none.
func stageAt(m *columns.Model, application string, id tasksample.StageID, attempt tasksample.StageAttempt) int {
	return slices.IndexFunc(m.Stages, func(st columns.Stage) bool {
		return st.Application == application && st.ID == id && st.Attempt == attempt
	})
}

func addDwell(out *outcome.SlowRecords, application string, d *pipeline.Dwell) {
	switch {
	case d.Kind == pipeline.DwellHalf: // slow tasks have it
	case d.Kind == pipeline.DwellRows: // debug has it
	case d.IsRecord():
		out.Records = append(out.Records, outcome.SlowRecordOf(application, d))
	default:
		sums := out.Apart[string(d.Kind)]
		sums.Count++
		sums.Seconds += millis(d.NetMS).Seconds()
		out.Apart[string(d.Kind)] = sums
	}
}
