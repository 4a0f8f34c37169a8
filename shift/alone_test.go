package shift_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/shift"
	"github.com/planflame/planflame/shift/internal/scenario"
)

// One query alone, whose runs and operators vary by a fifth, and no fleet to learn that from: how often there is an alarm before a shift, one of another operator, and
// how often a shift is dated more than one run early. Of these 600 draws it was 18, 10 and 4; TestAlert of test/e2e begins anew in each case.
func TestAloneOnARestlessMachine(t *testing.T) {
	const draws = 600
	c := caseNamed(t, "150 %, restless, within 40, after 18 runs")
	var before, wrong, early, found int
	for seed := range uint64(draws) {
		q := scenario.New(5000+seed, 5, c.Noise)
		q.Samples = c.Samples
		q.Weigh(0, 0.33)
		set := shift.DefaultSettings()
		set.MinimumCoreHours = 0
		f, err := shift.NewFleet(set)
		require.NoError(t, err)
		var ends []time.Time
		for k := range c.History + 60 {
			if k == c.History {
				q.Operators[0].Factor = 2.4
			}
			r := q.Run()
			ends = append(ends, r.End)
			j, err := f.Add(r, r.End)
			require.NoError(t, err)
			alarm := slices.IndexFunc(j.Events, func(e shift.Event) bool { return e.Kind.Alarm() })
			if alarm < 0 {
				continue
			}
			e := j.Events[alarm]
			switch at := slices.Index(ends, e.Since); {
			case k < c.History:
				before++
			case len(e.Changes) > 1 || e.Changes[0].Operator != q.Operators[0].ID:
				wrong++
			case at < c.History-1:
				early++
			default:
				found++
			}
			break
		}
	}
	t.Logf("%d found as they are; %d alarms before, %d of another operator too, %d dated early", found, before, wrong, early)
	assert.Less(t, before, draws*6/100, "alarms before the shift")
	assert.Less(t, wrong, draws*4/100, "another operator's alarm")
	assert.Less(t, early, draws*3/100, "dated more than a run early")
	assert.Greater(t, found, draws*80/100, "found")
}
