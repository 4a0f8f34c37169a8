package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/planflame/planflame/bench/internal/session"
	"github.com/planflame/planflame/shift"
)

// accuracy adds the sessions that bench/accuracy recorded in a folder: its statements, each a query
// by itself, again and again in several JVMs. They were sampled by `planflame run`: what an
// operator cost in a run has no stage and no rows, and the error of its samples.
func (rs *records) accuracy(dir string) error {
	logs, err := filepath.Glob(filepath.Join(dir, "*", "executions.jsonl"))
	if err != nil {
		return err
	}
	if len(logs) == 0 {
		return fmt.Errorf("%s: no session in it", dir)
	}
	end := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) // the order is all that counts
	for _, log := range logs {
		executions, err := session.Read(filepath.Dir(log))
		if err != nil {
			return err
		}
		name := filepath.Base(dir) + "/" + filepath.Base(filepath.Dir(log))
		rs.Sessions = append(rs.Sessions, name)
		for _, e := range executions {
			end = end.Add(time.Second)
			r := &sparkRun{Session: name, Kind: usual, Query: filepath.Base(dir) + " " + e.Statement, Pass: e.Pass, TaskCPU: e.TaskCPU.Seconds()}
			r.Run = &shift.Run{ID: shift.RunID{Application: name, Execution: e.ID}, Query: r.Query, Plan: "p1", End: end}
			for id, op := range e.Operators {
				r.Run.CPU += op.CPU.Seconds()
				if !strings.HasPrefix(id, "[") && op.CPU > 0 {
					r.Run.Operators = append(r.Run.Operators, shift.Cost{Key: shift.Key{Operator: id}, Name: op.Name, CPU: op.CPU.Seconds(), Samples: float64(op.Samples)})
				}
			}
			rs.Runs = append(rs.Runs, r)
		}
	}
	return nil
}
