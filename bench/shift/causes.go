package main

import (
	"fmt"
	"math"

	"github.com/planflame/planflame/shift"
)

// Causes that no statement has.
const (
	causeSlow       = "a slower host"
	causeExecutors  = "other executors"
	causePartitions = "other partitions"
)

// cause is what was told of runs with a cause, after all runs as always in the order in which they
// ran.
type cause struct {
	Query  string               `json:"query"`
	Cause  string               `json:"cause"`
	Benign bool                 `json:"benign"` // no operator may be told
	Runs   int                  `json:"runs"`
	Ratio  float64              `json:"cpu_ratio"` // of the tasks' CPU by Spark's account, to the runs as always
	Alarms []string             `json:"alarms"`
	Events map[shift.Kind]int   `json:"events"`
	Status map[shift.Status]int `json:"status"`
}

// judgeCauses judges each cause's runs, session after session, each after the session's runs as
// always.
func judgeCauses(rs *records) (out []*cause, err error) {
	for _, v := range reports(1) {
		if v.Cause == "" {
			continue
		}
		c, err := judgeCause(rs, []string{v.Query}, v.Cause, rs.usualSessions(), func(r *sparkRun) bool { return r.Kind == usual && r.Cause == v.Cause && !r.Slow && r.Pass >= 0 })
		if err != nil {
			return nil, err
		}
		c.Benign = v.Cause == causeData || v.Cause == causeLiteral
		out = append(out, c)
	}
	slow, err := judgeCause(rs, rs.queries(), causeSlow, rs.usualSessions(), func(r *sparkRun) bool { return r.Slow && r.Cause == "" })
	if err != nil {
		return nil, err
	}
	slow.Benign = true
	out = append(out, slow)
	for _, k := range []kind{executors, partitions} {
		c, err := judgeCause(rs, rs.queries(), map[kind]string{executors: causeExecutors, partitions: causePartitions}[k], []string{"all"},
			func(r *sparkRun) bool { return r.Kind == k && r.Pass >= 0 })
		if err != nil {
			return nil, err
		}
		c.Benign = k == executors // more and smaller tasks each cost a scan its opening of the file, and an exchange its files, so both cost more
		out = append(out, c)
	}
	for _, c := range out {
		fmt.Println(c)
	}
	return out, nil
}

// judgeCause replays, for each session by itself ("all": all in one), the runs as always of all
// queries and then those with the cause of some.
func judgeCause(rs *records, queries []string, name string, sessions []string, is func(*sparkRun) bool) (*cause, error) {
	out := &cause{Cause: name, Alarms: []string{}, Events: map[shift.Kind]int{}, Status: map[shift.Status]int{}}
	if len(queries) == 1 {
		out.Query = queries[0]
	}
	wanted := map[string]bool{}
	for _, q := range queries {
		wanted[q] = true
	}
	var ratios []float64
	for _, s := range sessions {
		var before, with []*sparkRun
		for _, r := range rs.Runs {
			switch {
			case r.asAlways() && (s == "all" || r.Session == s):
				before = append(before, r)
			case wanted[r.Query] && is(r) && (s == "all" || r.Session == s):
				with = append(with, r)
			}
		}
		p, err := newReplay(1)
		if err != nil {
			return nil, err
		}
		usual := map[string][]float64{}
		if err := p.ordered(before, func(r *sparkRun, _ shift.Judgement) { usual[r.Query] = append(usual[r.Query], r.TaskCPU) }); err != nil {
			return nil, err
		}
		err = p.ordered(with, func(r *sparkRun, j shift.Judgement) {
			out.Runs++
			ratios = append(ratios, math.Log(r.TaskCPU/middle(usual[r.Query])))
			for _, v := range j.Operators {
				out.Status[v.Status]++
			}
			for _, e := range j.Events {
				out.Events[e.Kind]++
			}
			if e := alarm(j); e != nil {
				out.Alarms = append(out.Alarms, say(r, e))
			}
		})
		if err != nil {
			return nil, err
		}
	}
	out.Ratio = math.Exp(middle(ratios))
	return out, nil
}

func (c *cause) String() string {
	return fmt.Sprintf("%s %s: %d runs, CPU × %.2f, %d alarms, events %v, status %v", c.Query, c.Cause, c.Runs, c.Ratio, len(c.Alarms), c.Events, c.Status)
}
