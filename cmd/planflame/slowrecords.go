package main

import (
	"cmp"
	"slices"

	"github.com/planflame/planflame/cmd/planflame/internal/outcome"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/slowtask"
	"github.com/planflame/planflame/internal/window"
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

func addDwell(out *outcome.SlowRecords, application string, d *pipeline.Dwell) {
	switch {
	case d.Kind == pipeline.DwellHalf: // slow tasks have it
	case d.IsRecord():
		out.Records = append(out.Records, outcome.SlowRecordOf(application, d))
	default:
		sums := out.Apart[string(d.Kind)]
		sums.Count++
		sums.Seconds += millis(d.NetMS).Seconds()
		out.Apart[string(d.Kind)] = sums
	}
}
