package shift_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/shift/internal/scenario"
)

// A query alone has no fleet to learn from; its runs and operators vary by a fifth. Counted are an
// alarm before a shift, an alarm of another operator, and one dated more than a run early. Of these
// 600 draws it was 18, 10 and 4.
func TestAloneOnARestlessMachine(t *testing.T) {
	const draws = 600
	c := caseNamed(t, "150 %, restless, within 40, after 18 runs")
	r, err := scenario.Alone(5000, draws, scenario.Single{Shift: 1.4, Share: 0.33, Samples: c.Samples, History: c.History, Within: 60, Every: time.Hour, Noise: c.Noise})
	require.NoError(t, err)
	t.Log(r)
	assert.Less(t, r.Early, draws*6/100, "alarms before the shift")
	assert.Less(t, r.Wrong, draws*4/100, "another operator's alarm")
	assert.Less(t, r.Dated, draws*3/100, "dated more than a run early")
	assert.Greater(t, r.Found(60), 0.8, "found")
}
