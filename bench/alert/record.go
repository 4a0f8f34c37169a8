package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/planflame/planflame/bench/internal/recorder"
	"github.com/planflame/planflame/bench/internal/report"
)

// record is all that a run of the bench leaves in its folder beside the Collector's requests and
// log.
type record struct {
	Team       string             `json:"team"`
	Executions []execution        `json:"executions"`
	Alerts     map[string]alerted `json:"alerts"` // by query
	Early      []alerted          `json:"early"`  // before anything had shifted
	Seconds    float64            `json:"seconds"`
	Machine    machine            `json:"machine"`
}

// alerted is an alert that became active.
type alerted struct {
	At     time.Time         `json:"at"`
	Labels map[string]string `json:"labels"`
	Said   map[string]string `json:"annotations"`
}

// run runs all applications under the shipped servers: -before as always, then shifted ones until
// all alerts are active, -after at most.
func (o *options) run(ctx context.Context) (*record, error) {
	jar, err := filepath.Abs(o.plugin)
	if err != nil {
		return nil, err
	}
	for _, stale := range []string{"queue", "prometheus", "alertmanager"} { // histories and alerts of an earlier run of the bench
		if err := os.RemoveAll(filepath.Join(o.dir, stale)); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return nil, err
	}
	lineitem, err := o.prepare(ctx)
	if err != nil {
		return nil, err
	}
	rec, err := recorder.Start(filepath.Join(o.dir, "requests.jsonl"))
	if err != nil {
		return nil, err
	}
	began, load := time.Now(), watchMachine()
	s, err := o.startServers(ctx, rec.URL)
	if err != nil {
		return nil, errors.Join(err, rec.Close())
	}
	out := &record{Team: o.team, Alerts: map[string]alerted{}}
	err = o.nights(ctx, s, out, jar, lineitem)
	out.Seconds, out.Machine = time.Since(began).Seconds(), load.since()
	return out, errors.Join(err, s.stop(), rec.Close(), report.Write(filepath.Join(o.dir, "record.json"), out))
}

// nights runs the applications and notes which alerts become active.
func (o *options) nights(ctx context.Context, s *servers, out *record, jar, lineitem string) error {
	watched, stop := context.WithCancel(ctx)
	watch := make(chan error, 1)
	shifted := make(chan struct{})
	all := make(chan struct{})
	go func() { watch <- o.watch(watched, s, out, shifted, all) }()
	run := func(n int, shifted bool) error {
		executions, err := o.night(ctx, n, shifted, jar, lineitem)
		out.Executions = append(out.Executions, executions...)
		for _, e := range executions {
			fmt.Fprintf(os.Stderr, "application %d, shifted %t: %s %.1f s of task CPU in %.1f s\n", n, shifted, e.Query, e.TaskCPU, e.Wall)
		}
		return err
	}
	err := func() error {
		for n := range o.before {
			if err := run(n, false); err != nil {
				return err
			}
		}
		close(shifted)
		for n := range o.after {
			select {
			case <-all:
				return nil
			default:
			}
			if err := run(o.before+n, true); err != nil {
				return err
			}
		}
		select {
		case <-all:
		case <-ctx.Done():
		case <-time.After(patience):
		}
		return nil
	}()
	stop()
	return errors.Join(err, <-watch)
}

// patience is how long the last run's alert may take: window, settle, interval, scrape and
// evaluation are 80 s together.
const patience = 3 * time.Minute

// watch asks the Alertmanager every second, notes the first alert of each query, and closes all
// when each has one.
func (o *options) watch(ctx context.Context, s *servers, out *record, shifted, all chan struct{}) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	early := map[string]bool{}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		found, err := s.shifts(ctx, o.team)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		for _, f := range found {
			query, a := f.Labels["spark_query_name"], alerted{time.Now(), f.Labels, f.Annotations}
			select {
			case <-shifted:
			default:
				if !early[query] {
					early[query], out.Early = true, append(out.Early, a)
				}
				continue
			}
			if _, known := out.Alerts[query]; known || early[query] {
				continue
			}
			out.Alerts[query] = a
			fmt.Fprintf(os.Stderr, "alert: %s\n", a.Said["summary"])
			if len(out.Alerts) == len(queries) {
				close(all)
			}
		}
	}
}

func readRecord(path string) (*record, error) {
	var r record
	if err := report.Read(path, &r); err != nil {
		return nil, fmt.Errorf("-reuse: %w", err)
	}
	return &r, nil
}
