package sparkprofile

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/tasksample"
)

// What the user leaves out is what the sampler itself would take.
func TestDefaultsAreTheSamplers(t *testing.T) {
	s, err := defaultConfig().settings()
	require.NoError(t, err)
	assert.Equal(t, sampler.Settings{
		Mode: sampler.PolicyAuto, BasePeriod: 50 * time.Millisecond, DetailPeriod: 5 * time.Millisecond, Fraction: 0.05, MinTasksPerStage: 3,
		StackBytes:    sampler.DefaultStackBytes,
		RoundInterval: roundInterval, Tells: true, ReadCode: true, RunFraction: 1,
	}, s)
	require.NoError(t, s.Validate())
}

func TestSettingsOfEveryKey(t *testing.T) {
	c := Config{Mode: "self", SamplingHz: 50, TaskSampling: defaultTaskSampling(), StackBytes: 1704}
	c.TaskSampling.RunFraction = 0.7
	s, err := c.settings()
	require.NoError(t, err)
	assert.Equal(t, sampler.Settings{
		Mode: sampler.PolicySelf, BasePeriod: 20 * time.Millisecond, StackBytes: 1704, RoundInterval: time.Second, Tells: true, ReadCode: true, RunFraction: 0.7,
	}, s)
	c.StackBytes = 0
	s, err = c.settings()
	require.NoError(t, err)
	assert.Equal(t, -1, s.StackBytes, "no copy, not the default one")
	c.Mode = "root"
	_, err = c.settings()
	require.ErrorContains(t, err, `mode: mode "root"`)
}

func TestSettingsOfPolicies(t *testing.T) {
	c := defaultConfig()
	c.TaskSampling.Rates.BaseHz = 0
	s, err := c.settings()
	require.NoError(t, err)
	assert.Equal(t, sampler.NoBase, s.BasePeriod)
	assert.Equal(t, 5*time.Millisecond, c.period(), "the only clock's")
	fixed := tasksample.Fixed{BaseHz: 20, DetailHz: 200, Fraction: 0.05, Least: 3}
	for policy, want := range map[string]tasksample.Policy{
		policyFixed: nil, policyBudget: &tasksample.Budget{Of: fixed, NodeHz: 77},
		policyTail: tasksample.Tail{Of: fixed, Multiple: 4, MinEnded: 10, Least: 200 * time.Millisecond},
	} {
		c := defaultConfig()
		c.TaskSampling.Policy, c.TaskSampling.Budget.SamplesPerSecond = policy, 77
		s, err := c.settings()
		require.NoError(t, err)
		assert.Equal(t, want, s.Rates, policy)
	}

	// Of a budget of 900 samples an hour that three nodes share each keeps 300 of what would be
	// many more: 1 - S/300 with S = 300 · (1 - 1/e).
	c = defaultConfig()
	c.TaskSampling.Policy, c.TaskSampling.Budget.QuerySamplesPerHour, c.TaskSampling.Budget.Nodes = policyBudget, 900, 3
	s, err = c.settings()
	require.NoError(t, err)
	now := time.Unix(1000, 0)
	s.QueryBudget.Use("q1-abc", 300, now)
	assert.InDelta(t, math.Exp(-1), s.QueryBudget.Kept("q1-abc", now), 1e-9)
	c.TaskSampling.Budget.QuerySamplesPerHour = 0
	s, err = c.settings()
	require.NoError(t, err)
	assert.Nil(t, s.QueryBudget)

	// Where nothing is ever selected a policy must not ask for a second event, which the bound
	// of copied stacks leaves out.
	c = defaultConfig()
	c.TaskSampling.Policy, c.TaskSampling.Rates.Fraction = policyBudget, 0
	s, err = c.settings()
	require.NoError(t, err)
	assert.Zero(t, s.DetailPeriod)
	assert.Zero(t, s.Rates.Rates(tasksample.StageFacts{}).DetailHz)
}
