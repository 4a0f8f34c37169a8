package main

import (
	"cmp"
	"slices"
	"time"

	"github.com/planflame/planflame/cmd/planflame/internal/outcome"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/skew"
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

func wallOf(d *pipeline.Dwell) time.Duration { return time.Duration(d.End - d.Begin) }

// wholeNet estimates the net time of a whole dwell. NetMS is from the second look on, which may be
// 320 ms after the first. The same share of the whole dwell counts.
func wholeNet(d *pipeline.Dwell) time.Duration {
	known := d.NetMS + d.GCMS + d.QueueMS
	if known <= 0 {
		return 0
	}
	return time.Duration(wallOf(d).Seconds() * float64(d.NetMS) / float64(known) * float64(time.Second))
}

func addDwell(out *outcome.SlowRecords, application string, d *pipeline.Dwell) {
	judged := skew.Dwell{Net: wholeNet(d), Wall: wallOf(d), Reading: millis(d.ReadingMS), Records: d.Records, Batch: d.Batch}
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
