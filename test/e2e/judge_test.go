//go:build e2e

package e2e

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// madeFinding is a finding of summary.json.
type madeFinding struct {
	Rule    string  `json:"rule"`
	Query   string  `json:"query"`
	Stage   *int64  `json:"stage_id"`
	Seconds float64 `json:"seconds"`
	Share   float64 `json:"share"`
	Text    string  `json:"text"`
	Try     string  `json:"try"`
}

// findingsSummary is what summary.json says of findings.
type findingsSummary struct {
	Findings []madeFinding `json:"findings"`
	Queries  []struct {
		Query      string  `json:"query"`
		Executions []int64 `json:"sql_execution_ids"`
	} `json:"queries"`
	ProcessCPU float64 `json:"process_cpu_seconds"`
}

// judgeFindings holds each finding of a run against the event log of its application, and looks in
// the log for skew and spill that planflame did not find. No figure of planflame's but the
// finding's own is used. The event log knows nothing of compiling, so the job's output has it
// (test/jobs/jvm.py). It returns the rules of the findings.
func judgeFindings(t *testing.T, out, events, output string) []string {
	t.Helper()
	log := readTimeLog(t, events)
	var s findingsSummary
	readJSON(t, filepath.Join(out, "summary.json"), &s)
	var rules []string
	found := map[string]bool{}
	for _, f := range s.Findings {
		t.Logf("%s: %s. Try: %s", f.Rule, f.Text, f.Try)
		rules = append(rules, f.Rule)
		if f.Stage != nil {
			require.Contains(t, f.Text, fmt.Sprintf("stage %d", *f.Stage))
			require.NotNil(t, log.stages[stageID{*f.Stage, 0}], f.Text)
			found[fmt.Sprintf("%s %d", f.Rule, *f.Stage)] = true
		}
		var executions []int64
		for _, q := range s.Queries {
			if q.Query == f.Query {
				executions = append(executions, q.Executions...)
			}
		}
		log.judge(t, f, executions)
	}
	// Findings of less than 1 s or 5 % of the run are not made. The cost of skew is less than the
	// longest task; the time of spill is less than the stage's.
	least := max(1, 0.05*float64(log.end-log.begin)/1e3)
	for id, st := range log.stages {
		if len(st.run) == 0 {
			continue
		}
		longest, mean := st.longest(), st.sums.Run/float64(len(st.run))
		if st.skewed() && longest-max(st.median(), mean) >= least {
			assert.True(t, found[fmt.Sprintf("skew %d", id.id)], "skew of stage %d", id.id)
		}
		if st.sums.DiskSpilled >= 128<<20 && st.seconds() >= least {
			assert.True(t, found[fmt.Sprintf("spill %d", id.id)], "spill of stage %d", id.id)
		}
	}
	judgeCold(t, s.Findings, output)
	return rules
}

// judgeCold holds whether a run is cold against the clocks of the JVM's compiler threads, read by
// the job at its end. They lack a thread that ended before, and generated code and class loading,
// which were a tenth of a short run's CPU at most.
func judgeCold(t *testing.T, made []madeFinding, output string) {
	t.Helper()
	clocks := numbers(t, output, `compiler threads: ([\d.]+) of ([\d.]+) CPU s of the JVM`)
	share := clocks[0] / clocks[1]
	k := slices.IndexFunc(made, func(f madeFinding) bool { return f.Rule == "cold" })
	if k < 0 {
		assert.Less(t, share, 0.55, "the run is cold, and no finding says so")
		return
	}
	assert.Greater(t, share, 0.4, made[k].Text)
	figures := numbers(t, made[k].Text, `used ([\d.]+) of their ([\d.]+) CPU s`)
	assert.InDelta(t, clocks[0], figures[0], 0.1*clocks[1]+0.5, made[k].Text)
	assert.InDelta(t, clocks[1], figures[1], 0.1*clocks[1]+0.5, made[k].Text)
}

func (s *stageLog) longest() float64 { return float64(slices.Max(s.run)) / 1e3 }
func (s *stageLog) seconds() float64 { return float64(s.finish-s.submitted) / 1e3 }

func (s *stageLog) skewed() bool {
	return len(s.run) >= 4 && s.longest() >= 5*s.median() && s.longest() >= 0.5*s.seconds()
}

// judge fails unless the event log says what a finding says.
func (l *timeLog) judge(t *testing.T, f madeFinding, executions []int64) {
	t.Helper()
	var st *stageLog
	if f.Stage != nil {
		st = l.stages[stageID{*f.Stage, 0}]
	} else {
		require.Contains(t, []string{"driver", "program", "cold"}, f.Rule, "a finding without a stage: %s", f.Text)
	}
	says := func(format string, args ...any) { t.Helper(); assert.Contains(t, f.Text, fmt.Sprintf(format, args...)) }
	switch f.Rule {
	case "skew":
		assert.True(t, st.skewed(), f.Text)
		says("its longest task ran %.1f s and the median %.2f s, of %d tasks", st.longest(), st.median(), len(st.tasks))
	case "spill":
		assert.GreaterOrEqual(t, st.sums.DiskSpilled, float64(128<<20), f.Text)
		says("spilled %d MiB to disk, %d MiB in memory", int64(st.sums.DiskSpilled)>>20, int64(st.sums.MemorySpilled)>>20)
	case "waits":
		busy := st.sums.CPU + st.sums.DeserializeCPU + st.sums.FetchWait + st.sums.GC
		assert.LessOrEqual(t, busy, 0.05*st.held, f.Text)
		figures := numbers(t, f.Text, `held slots for ([\d.]+) s and were busy for ([\d.]+) s`)
		assert.InDelta(t, st.held, figures[0], 0.02*st.held+0.05, f.Text)
		assert.GreaterOrEqual(t, figures[1], busy-0.01, "a Python worker's CPU, which Spark does not have, is in planflame's: %s", f.Text)
	case "driver":
		free, wall, seen := 0., 0., map[int64]bool{} // an execution can run others of its query: their time counts once
		for _, id := range executions {
			for ms := l.executions[id][0]; ms < l.executions[id][1]; ms++ {
				if seen[ms] {
					continue
				}
				seen[ms] = true
				wall += 1e-3
				if l.running[ms-l.begin] == 0 {
					free += 1e-3
				}
			}
		}
		assert.GreaterOrEqual(t, free, 0.49*wall, f.Text)
		says("of its %.1f s", wall)
		assert.InDelta(t, free, f.Seconds, 0.02*wall, f.Text)
	case "program":
		free := l.withoutQuery()
		assert.GreaterOrEqual(t, free, 0.25*float64(l.end-l.begin)/1e3, f.Text)
		assert.LessOrEqual(t, f.Seconds, free+0.01, f.Text)
	case "python": // of which Spark has no CPU: it is no more than the time that tasks held slots, and more than the JVM's
		held, jvm, python := 0., 0., false
		for id, s := range l.stages {
			if id.id == *f.Stage || s.execution != nil && slices.Contains(executions, *s.execution) {
				held, jvm = held+s.held, jvm+s.sums.CPU+s.sums.DeserializeCPU
				python = python || s.python
			}
		}
		assert.True(t, python, "Python runs in the stages of %s", f.Text)
		assert.LessOrEqual(t, f.Seconds, 1.02*held, f.Text)
		assert.GreaterOrEqual(t, 1.05*f.Seconds, jvm, f.Text)
	case "schema":
		cpu := 0.
		for _, s := range l.stages {
			if s.execution == nil && (strings.HasPrefix(s.name, "csv at ") || strings.HasPrefix(s.name, "json at ") || strings.HasPrefix(s.name, "load at ")) {
				cpu += s.sums.CPU + s.sums.DeserializeCPU
			}
		}
		assert.Nil(t, st.execution, "the stage is of no query: %s", f.Text)
		// Compiling code is none of the operator's CPU. A sample stands for 10 ms at most: 1 s has
		// a hundred.
		assert.LessOrEqual(t, f.Seconds, 1.3*cpu, f.Text)
		assert.GreaterOrEqual(t, f.Seconds, 0.5*cpu, f.Text)
	case "twice":
		ids := numbers(t, f.Text, `\(execution (\d+)\).* did: the same (\d+) operators`)
		other := numbers(t, f.Text, `what .*\(execution (\d+)\) did`)
		require.NotNil(t, st.execution)
		shared := 0
		for node := range l.plans[int64(ids[0])] {
			if l.plans[int64(other[0])][node] {
				shared++
			}
		}
		assert.GreaterOrEqual(t, shared, 2, "nodes that both plans have, with all below them: %s", f.Text)
		assert.Equal(t, int64(ids[0]), *st.execution)
	case "cold": // see judgeCold
	default:
		t.Errorf("no judge of %s: %s", f.Rule, f.Text)
	}
}

// numbers are the groups of a pattern in a text.
func numbers(t *testing.T, text, pattern string) (out []float64) {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(text)
	require.NotNil(t, m, text)
	for _, s := range m[1:] {
		v, err := strconv.ParseFloat(s, 64)
		require.NoError(t, err)
		out = append(out, v)
	}
	return out
}

// plainNode is a plan node's text without the numbers that differ from query to query.
var plainNode = regexp.MustCompile(`#\d+L?|\[(codegen|plan|id|plan_id)[^\]]*\]|\*\(\d+\) `)

// subplans are the texts of all subplans of a plan, each with what is below it.
func (p *planTexts) subplans(into map[string]bool) string {
	text := plainNode.ReplaceAllString(p.Text, "")
	for i := range p.Nodes {
		text += "\n" + p.Nodes[i].subplans(into)
	}
	into[text] = true
	return text
}

// planTexts is a plan in an event log.
type planTexts struct {
	Text  string      `json:"simpleString"`
	Nodes []planTexts `json:"children"`
}
