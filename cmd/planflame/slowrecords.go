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
		for k := range t.Dwells {
			addDwell(out, jvms[i].Application.ID, &t.Dwells[k])
		}
	}
	if !watched {
		return nil
	}
	slices.SortStableFunc(out.Records, func(a, b outcome.SlowRecord) int { return cmp.Compare(b.Net, a.Net) })
	return out
}

// likePeers is the kind of a dwell at a record that cost as much as the others of its task.
const likePeers = "like_others"

func addDwell(out *outcome.SlowRecords, application string, d *pipeline.Dwell) {
	if d.Kind == pipeline.DwellHalf {
		return // slow tasks have it
	}
	judged := slowtask.Dwell(d)
	kind := string(d.Kind)
	if d.IsRecord() {
		if judged.IsSlow() {
			out.Records = append(out.Records, outcome.SlowRecordOf(application, d))
			return
		}
		kind = likePeers
	}
	sums := out.Apart[kind]
	sums.Count++
	sums.Seconds += millis(d.NetMS).Seconds()
	out.Apart[kind] = sums
}
