package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/planflame/planflame/bench/internal/recorder"
	"github.com/planflame/planflame/bench/internal/session"
	"github.com/planflame/planflame/collector-connector/sparkshift"
	"github.com/planflame/planflame/shift"
)

// sparkRun is one execution of a statement: what it was, and what the Collector said of it.
type sparkRun struct {
	Session      string
	Kind         kind
	Query, Cause string // "" as always
	Pass         int    // negative: to warm up
	Slow         bool   // on the slower host
	Run          *shift.Run
	TaskCPU      float64 // seconds, Spark's own account
}

// asAlways tells that nothing was done to the run.
func (r *sparkRun) asAlways() bool { return r.Kind == usual && r.Cause == "" && !r.Slow && r.Pass >= 0 }

// records are all sessions that were recorded.
type records struct {
	Runs     []*sparkRun // in the order of their ends
	Sessions []string
	Missing  int // executions of which nothing came
	Dropped  int // points that make no sense
	Hz       int
}

// load reads the sessions recorded in a folder.
func load(dir string) (*records, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.collector", "session.json"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("-work %s: no session is recorded there", dir)
	}
	out := &records{}
	for _, f := range files {
		if err := out.session(filepath.Dir(f)); err != nil {
			return nil, fmt.Errorf("session in %s: %w", filepath.Dir(f), err)
		}
	}
	slices.SortStableFunc(out.Runs, func(a, b *sparkRun) int { return a.Run.End.Compare(b.Run.End) })
	return out, out.check()
}

// session adds the session of which the Collector's side is in a folder.
func (rs *records) session(side string) error {
	dir := strings.TrimSuffix(side, ".collector")
	var m meta
	text, err := os.ReadFile(filepath.Join(side, "session.json"))
	if err = errors.Join(err, json.Unmarshal(text, &m)); err != nil {
		return err
	}
	requests, err := recorder.Read(filepath.Join(side, "requests.jsonl"))
	if err != nil {
		return err
	}
	cpu, err := session.TaskCPU(filepath.Join(dir, "events"))
	if err != nil {
		return err
	}
	runs, dropped := sparkshift.Runs(requests, time.Now())
	byExecution := map[int64]*shift.Run{}
	for _, r := range runs {
		byExecution[r.ID.Execution] = r
	}
	name := filepath.Base(dir)
	rs.Sessions, rs.Dropped, rs.Hz = append(rs.Sessions, name), rs.Dropped+dropped, m.Hz
	text, err = os.ReadFile(filepath.Join(dir, "executions.jsonl"))
	if err != nil {
		return err
	}
	// What follows the last end of a line was not written whole.
	lines := bytes.Split(text, []byte("\n"))
	for i, line := range lines[:len(lines)-1] {
		var l struct {
			ID        string
			Pass      int
			Execution int64
		}
		if err := json.Unmarshal(line, &l); err != nil {
			return fmt.Errorf("executions.jsonl, line %d: %w", i+1, err)
		}
		r := byExecution[l.Execution]
		if r == nil {
			rs.Missing++
			continue
		}
		query, cause := parseID(l.ID)
		rs.Runs = append(rs.Runs, &sparkRun{Session: name, Kind: m.Kind, Query: query, Cause: cause, Pass: l.Pass, Slow: m.Kind == usual && l.Pass >= m.Passes,
			Run: r, TaskCPU: cpu[l.Execution].Seconds()})
	}
	return nil
}

// check refuses records in which a cause made another query: then its history would be another one,
// and nothing could be found.
func (rs *records) check() error {
	prints := map[string]string{}
	for _, r := range rs.Runs {
		if was := prints[r.Query]; was != "" && was != r.Run.Query {
			return fmt.Errorf("%s, query %s with cause %q: fingerprint %s, was %s", r.Session, r.Query, r.Cause, r.Run.Query, was)
		}
		prints[r.Query] = r.Run.Query
	}
	return nil
}

// these are the runs that a condition holds for.
func (rs *records) these(is func(*sparkRun) bool) (out []*sparkRun) {
	for _, r := range rs.Runs {
		if is(r) {
			out = append(out, r)
		}
	}
	return out
}

// where are the runs of a query that a condition holds for.
func (rs *records) where(query string, is func(*sparkRun) bool) (out []*sparkRun) {
	for _, r := range rs.Runs {
		if r.Query == query && is(r) {
			out = append(out, r)
		}
	}
	return out
}

// queries are the names of all queries.
func (rs *records) queries() (out []string) {
	for _, r := range rs.Runs {
		if !slices.Contains(out, r.Query) {
			out = append(out, r.Query)
		}
	}
	slices.Sort(out)
	return out
}

// usualSessions are the names of the sessions that ran everything.
func (rs *records) usualSessions() (out []string) {
	for _, s := range rs.Sessions {
		if slices.ContainsFunc(rs.Runs, func(r *sparkRun) bool { return r.Session == s && r.Kind == usual }) {
			out = append(out, s)
		}
	}
	return out
}
