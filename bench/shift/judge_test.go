package main

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/shift"
)

// invent makes a session's records of the query burn: four operators of which each varies by sd, 36
// runs as always and six with each cause.
func invent(session string, seed uint64, sd float64) (out []*sparkRun) {
	rng := rand.New(rand.NewPCG(seed, 3))
	end := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	run := func(v variant, pass int) {
		r := &sparkRun{Session: session, Kind: usual, Query: "burn", Cause: v.Cause, Pass: pass,
			Run: &shift.Run{ID: shift.RunID{Application: session, Execution: int64(len(out))}, Query: "q1-burn", Plan: "p1", End: end.Add(time.Duration(len(out)) * time.Second)}}
		for i, b := range burning {
			cpu := (5 + float64(i)) * math.Exp(sd*rng.NormFloat64())
			if b.role == v.Role {
				cpu *= 1 + float64(v.Percent)/100
			}
			r.Run.Operators = append(r.Run.Operators, shift.Cost{Key: shift.Key{Stage: "s1", Operator: b.role + "@7"}, Name: b.role, CPU: cpu, Samples: 9000, Rows: 1e6})
			r.Run.CPU += cpu
		}
		r.TaskCPU = r.Run.CPU
		out = append(out, r)
	}
	for pass := range 6 {
		for _, v := range burns(6) {
			for range v.Each {
				run(v, pass)
			}
		}
	}
	return out
}

func TestInventedShiftsAreFound(t *testing.T) {
	rs := &records{Runs: invent("usual-0", 5, 0.01), Sessions: []string{"usual-0"}}
	got, err := judgePower(rs, &options{trials: 4, seed: 1, history: 30})
	require.NoError(t, err)
	require.Len(t, got, 20, "ten causes, by the session and by all")
	for _, p := range got {
		assert.InDelta(t, 1+float64(p.Percent)/100, p.Ratio, 0.03)
		assert.InDelta(t, 0.01, p.OwnCV, 0.006)
		assert.Zero(t, p.Wrong)
		assert.True(t, strings.HasPrefix(p.Operator, p.Role+"@"))
		if p.Percent >= 20 {
			assert.Equal(t, 1., p.Found[5], "%s", p)
		}
	}
}

func TestNothingIsToldOfRunsAsAlways(t *testing.T) {
	rs := &records{Runs: invent("usual-0", 7, 0.03), Sessions: []string{"usual-0"}}
	n, err := judgeNull(rs.these((*sparkRun).asAlways))
	require.NoError(t, err)
	assert.Equal(t, 36, n.Runs)
	assert.Equal(t, 4*36, n.All)
	assert.Equal(t, 4*31, n.OperatorRuns, "five runs to learn from")
	assert.Empty(t, n.Alarms)
	assert.InDelta(t, 2.996/124, n.Upper, 1e-4)
	assert.InDelta(t, 1, n.Spread, 0.5)
	require.Len(t, n.Queries, 1)
	assert.InDelta(t, 0.015, n.Queries[0].CV, 0.005, "four operators of 3 % each")
}

// A session in which executors come and go is judged by itself, and runs as always know nothing of
// it.
func TestJoiners(t *testing.T) {
	rs := &records{Runs: invent("joining", 7, 0.03), Sessions: []string{"joining"}}
	j, err := judgeJoiners(rs)
	require.NoError(t, err)
	require.Nil(t, j)
	rs.Runs = rs.these((*sparkRun).asAlways)
	for n, r := range rs.Runs {
		r.Kind = joining
		r.Run.Parts = []shift.Part{{ID: "1", CPU: 20}}
		if n >= 30 { // another executor a run, and what it did cost more
			r.Run.Parts = append(r.Run.Parts, shift.Part{ID: strconv.Itoa(n), CPU: 7})
			r.TaskCPU *= 1.5
		}
	}
	j, err = judgeJoiners(rs)
	require.NoError(t, err)
	assert.Equal(t, 7, j.Executors)
	assert.InDelta(t, 7./36, j.WithNew, 1e-9)
	assert.InDelta(t, 20+6*7, j.NewCPU, 1e-9)
	assert.InDelta(t, 1.5, j.Dearer, 0.1)
	assert.Equal(t, 36, j.Runs)
	n, err := judgeNull(rs.these((*sparkRun).asAlways))
	require.NoError(t, err)
	assert.Zero(t, n.Runs)
}

// Runs of a cause that makes one operator more expensive are alarms of that cause.
func TestCauseThatIsAShift(t *testing.T) {
	rs := &records{Runs: invent("usual-0", 9, 0.01), Sessions: []string{"usual-0"}}
	c, err := judgeCause(rs, []string{"burn"}, "filter 50 %", []string{"usual-0"}, func(r *sparkRun) bool { return r.Cause == "filter 50 %" })
	require.NoError(t, err)
	assert.Equal(t, 6, c.Runs)
	require.Len(t, c.Alarms, 1)
	assert.Contains(t, c.Alarms[0], "shift filter@7")
	assert.InDelta(t, 1+0.5*5/26, c.Ratio, 0.02)
}
