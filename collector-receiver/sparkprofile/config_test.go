package sparkprofile

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/confmap"

	"github.com/planflame/planflame/sampler/selector"
	"github.com/planflame/planflame/tasksample"
)

func load(keys map[string]any) (*Config, error) {
	cfg := NewFactory().CreateDefaultConfig().(*Config)
	if err := confmap.NewFromStringMap(keys).Unmarshal(cfg); err != nil {
		return cfg, err
	}
	return cfg, confmap.Validate(cfg)
}

// TestConfigEveryKey sets each key to a value of its own.
func TestConfigEveryKey(t *testing.T) {
	cfg, err := load(map[string]any{
		"window": "3s", "mode": "self", "sampling_hz": 7, "stack_bytes": 1704,
		"service_name": "s31", "task_attributes": true,
		"query_summary": true, "sample_counts": true, "max_series": 67, "labels": []any{"team", "cost.center"},
		"include":        []any{map[string]any{"uid": []any{83, 185}, "cgroup": []any{"*spark*"}, "application": []any{"nightly-*"}, "label": map[string]any{"team": "r?sk"}}, map[string]any{"uid": []any{89}}},
		"trusted_labels": []any{map[string]any{"uid": []any{97}, "cgroup": []any{"*risk*"}, "labels": map[string]any{"tenant": "t101"}}},
		"exclude":        []any{map[string]any{"label": map[string]any{"cost.center": "*"}}},
		"task_sampling": map[string]any{"policy": "tail", "base_hz": 37, "detail_hz": 41, "fraction": 0.43,
			"min_tasks_per_stage": 47, "run_fraction": 0.73, "calibration": "stage", "budget": map[string]any{"samples_per_second": 61, "nodes": 79}},
		"recording": map[string]any{"directory": "/var/lib/x", "max_bytes": 17 << 20, "queries": []any{"nightly-*", "q1-97"}},
	})
	require.NoError(t, err)
	assert.Equal(t, &Config{
		Window: 3 * time.Second, Mode: "self", SamplingHz: 7, StackBytes: 1704,
		ServiceName: "s31", TaskAttributes: true,
		QuerySummary: true, SampleCounts: true, MaxSeries: 67, Labels: []string{"team", "cost.center"},
		Include:       []Selector{{UID: []int{83, 185}, Cgroup: []string{"*spark*"}, Application: []string{"nightly-*"}, Label: map[string]string{"team": "r?sk"}}, {UID: []int{89}}},
		Exclude:       []Selector{{Label: map[string]string{"cost.center": "*"}}},
		TrustedLabels: []TrustedLabels{{UID: []int{97}, Cgroup: []string{"*risk*"}, Labels: map[string]string{"tenant": "t101"}}},
		TaskSampling:  TaskSampling{Policy: "tail", Rates: tasksample.Rates{BaseHz: 37, DetailHz: 41, Fraction: 0.43, Least: 47}, RunFraction: 0.73, Calibration: "stage", Budget: Budget{SamplesPerSecond: 61, Nodes: 79}},
		Recording:     Recording{Directory: "/var/lib/x", MaxBytes: 17 << 20, Queries: []string{"nightly-*", "q1-97"}},
	}, cfg)
	assert.Equal(t, 142_857_143*time.Nanosecond, cfg.period())
}

// Keys that are right by themselves and wrong together.
func TestTaskSamplingRefusals(t *testing.T) {
	for want, keys := range map[string]map[string]any{
		"task_sampling::base_hz: 0 samples selected tasks only":     {"base_hz": 0, "fraction": 0},
		"task_sampling::budget::samples_per_second: 0, want more":   {"policy": "budget", "budget": map[string]any{"samples_per_second": 0}},
		"task_sampling::detail_hz: 0, and policy tail":              {"policy": "tail", "detail_hz": 0},
		"task_sampling::base_hz: 0, and task_sampling::policy tail": {"policy": "tail", "base_hz": 0},
		"task_sampling::base_hz: 0, and task_sampling::calibration": {"base_hz": 0},
		"task_sampling::budget::query_samples_per_hour: 83, and":    {"budget": map[string]any{"query_samples_per_hour": 83}},
		"task_sampling::budget::query_samples_per_hour: -83, want":  {"policy": "budget", "budget": map[string]any{"query_samples_per_hour": -83}},
		`task_sampling::calibration: "node" is not window or stage`: {"calibration": "node"},
		"task_sampling::budget::nodes: 0, want 1":                   {"policy": "budget", "budget": map[string]any{"query_samples_per_hour": 83, "nodes": 0}},
	} {
		_, err := load(map[string]any{"task_sampling": keys})
		require.ErrorContains(t, err, want)
	}
	pure := map[string]any{"base_hz": 0, "calibration": "stage"}
	_, err := load(map[string]any{"task_sampling": pure})
	require.NoError(t, err)
	pure["calibration"] = "window"
	_, err = load(map[string]any{"task_sampling": pure, "sampling_hz": 20})
	require.NoError(t, err, "sampling_hz is a base rate")
	_, err = load(map[string]any{"task_sampling": map[string]any{"base_hz": 0, "fraction": 1}})
	require.NoError(t, err, "all tasks are selected")
	budget := map[string]any{"task_sampling": map[string]any{"policy": "budget", "budget": map[string]any{"query_samples_per_hour": 83}}}
	_, err = load(budget)
	require.NoError(t, err)
	budget["sampling_hz"] = 20
	_, err = load(budget)
	require.ErrorContains(t, err, "query_samples_per_hour", "there is no budget")
}

func TestSelectorRefusals(t *testing.T) {
	for want, list := range map[string][]any{
		"include[1]::uid: a selector needs at least one":                   {map[string]any{"uid": []any{1}}, map[string]any{}},
		"include[0]::uid[1]: -7 is not in 0":                               {map[string]any{"uid": []any{7, -7}}},
		"include[0]::uid[0]: 4294967296 is not in":                         {map[string]any{"uid": []any{1 << 32}}},
		"include[0]::cgroup[0]: an empty pattern":                          {map[string]any{"cgroup": []any{""}}},
		"include[0]::application[1]: an empty pattern":                     {map[string]any{"application": []any{"*", ""}}},
		"include[0]::label::team: an empty pattern":                        {map[string]any{"label": map[string]any{"team": ""}}},
		`include[0]::label: "spark.app.id" is no label that users can set`: {map[string]any{"label": map[string]any{"spark.app.id": "*"}}},
		"invalid keys: user":                                               {map[string]any{"user": []any{1}}},
	} {
		_, err := load(map[string]any{"include": list})
		assert.ErrorContains(t, err, want)
		_, err = load(map[string]any{"exclude": list})
		assert.ErrorContains(t, err, strings.ReplaceAll(want, "include", "exclude"))
	}
}

func TestRules(t *testing.T) {
	cfg, err := load(nil)
	require.NoError(t, err)
	rules, err := cfg.rules()
	require.NoError(t, err)
	assert.Nil(t, rules, "all JVMs")
	cfg, err = load(map[string]any{
		"include": []any{map[string]any{"uid": []any{185}}, map[string]any{"application": []any{"nightly-*"}}},
		"exclude": []any{map[string]any{"cgroup": []any{"*/test/*"}, "label": map[string]any{"team": "qa"}}},
	})
	require.NoError(t, err)
	rules, err = cfg.rules()
	require.NoError(t, err)
	qa, risk := &selector.Application{Name: "x", Labels: map[string]string{"team": "qa"}}, &selector.Application{Name: "nightly-3", Labels: map[string]string{"team": "risk"}}
	test := selector.Process{UID: 185, Cgroups: []string{"/a/test/b"}}
	assert.Equal(t, selector.No, rules.Judge(test, qa))
	assert.Equal(t, selector.Yes, rules.Judge(test, risk))
	assert.Equal(t, selector.Yes, rules.Judge(selector.Process{UID: 185}, qa), "another cgroup")
	assert.Equal(t, selector.No, rules.Judge(selector.Process{UID: 7}, qa))
	assert.Equal(t, selector.Yes, rules.Judge(selector.Process{UID: 7}, risk))
}

func TestDefaultsAreValid(t *testing.T) {
	cfg, err := load(nil)
	require.NoError(t, err)
	assert.Equal(t, 15*time.Second, cfg.Window)
}

// Every refusal names its key.
func TestConfigRefusals(t *testing.T) {
	for key, values := range map[string][]any{
		"task_sampling::policy": {"", "random"}, "task_sampling::base_hz": {-1, 10_001, 0.01}, "task_sampling::detail_hz": {-1, 10_001, 2000},
		"task_sampling::fraction": {-0.1, 1.1}, "task_sampling::run_fraction": {-0.1, 0, 0.0009, 1.1, math.NaN()},
		"window":                 {"0s", "-5s", "999ms", "11m"},
		"mode":                   {"", "root", "Auto"},
		"sampling_hz":            {-1, 10_001, 0.01, 1184},
		"stack_bytes":            {-8, 7, 65_536},
		"max_series":             {0, 100_001},
		"labels: 33, at most 32": {strings.Split(strings.Repeat("x", 33), "")},
		"labels[1]":              {[]any{"team", "team"}, []any{"team", ""}, []any{"team", "host.name"}, []any{"team", "service.name"}, []any{"team", "spark.application.id"}},
		"windw":                  {"5s"},
	} {
		for _, v := range values {
			set, _, _ := strings.Cut(key, ": ")
			set, _, _ = strings.Cut(set, "[")
			_, err := load(map[string]any{set: v})
			if key == "task_sampling::detail_hz" && v == 2000 { // in range, but more than the agent copies
				key = "task_sampling: 2020 Hz"
			}
			require.ErrorContains(t, err, key, "%s: %v", key, v)
		}
	}
}

// The agent refuses, whole, settings by which it would copy more than 40 MB in a second of a
// thread's CPU; who opens events itself may.
func TestConfigThatTheAgentWouldRefuse(t *testing.T) {
	for _, test := range []struct {
		mode   string
		hz     float64
		stack  int
		passes bool
	}{
		{"auto", 1183, 32768, true},
		{"auto", 1184, 32768, false},
		{"self", 5000, 6976, true},
		{"self", 5000, 6984, false},
		{"privileged", 5000, 32768, true},
	} {
		_, err := load(map[string]any{"mode": test.mode, "sampling_hz": test.hz, "stack_bytes": test.stack})
		if test.passes {
			require.NoError(t, err, "%+v", test)
			continue
		}
		require.ErrorContains(t, err, "sampling_hz", "%+v", test)
		require.ErrorContains(t, err, "stack_bytes", "%+v", test)
	}
}
