package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// slowRecords is what summary.json says of slow records.
type slowRecords struct {
	Watched   uint64       `json:"watched_tasks"`
	Unwatched uint64       `json:"unwatched_tasks"`
	Watcher   float64      `json:"watcher_cpu_share"`
	Steady    float64      `json:"watcher_steady_cpu_share"`
	Period    float64      `json:"watcher_period_seconds"`
	Records   []slowRecord `json:"records"`
}

type slowRecord struct {
	Stage      int       `json:"stage_id"`
	Partition  int       `json:"partition"`
	File       string    `json:"file"`
	Path       string    `json:"path_sha256"`
	Offset     int64     `json:"file_offset"`
	FileRecord *[2]int64 `json:"file_record"`
	Net        float64   `json:"net_seconds"`
	Frames     []string  `json:"frames"`
}

func (r slowRecord) String() string {
	record := "?"
	if r.FileRecord != nil {
		record = fmt.Sprint(*r.FileRecord)
	}
	return fmt.Sprintf("stage %d partition %d, %s +%d record %s, %.2f s in %s", r.Stage, r.Partition, r.File, r.Offset, record, r.Net, strings.Join(r.Frames, " < "))
}

// slowCase is a program with one slow record.
type slowCase struct {
	figure  string // that counts it
	program string
	source  string // rdd, csv, parquet, or python: csv with a Python UDF
	how     string
	millis  int
	in      *input
}

func (c *slowCase) argument() string {
	return fmt.Sprintf("%s,%s,%s,%d,%s", c.program, c.source, c.how, c.millis, c.in.path)
}

// batchRows are the rows of a batch of Parquet: Spark's default.
const batchRows = 4096

// finds reports whether a record is the slow one of the case, or the batch that holds it.
func (c *slowCase) finds(r *slowRecord, batch bool) (bool, error) {
	files := []string{c.in.path}
	if c.source == "parquet" {
		var err error
		if files, err = filepath.Glob(filepath.Join(c.in.path+".parquet", "part-*.parquet")); err != nil || len(files) != 1 {
			return false, fmt.Errorf("%s.parquet: %d files, not one: %w", c.in.path, len(files), err)
		}
	}
	names, err := hashes(files[0])
	if err != nil || r.FileRecord == nil || !slices.Contains(names, r.Path) {
		return false, err
	}
	want := int64(c.in.line) // a file of Parquet has one part
	if c.source != "parquet" {
		want = c.in.record(r.Offset)
	}
	if batch {
		return r.FileRecord[0] <= want && want <= r.FileRecord[1] && r.FileRecord[1]-r.FileRecord[0] < batchRows, nil
	}
	return *r.FileRecord == [2]int64{want, want}, nil
}

// found runs the programs with one slow record each. In a trial, half of the records sleep and half
// compute.
func (o *options) found(ctx context.Context, r *results) error {
	jar, err := o.compile(ctx)
	if err != nil {
		return err
	}
	for trial := range o.trials {
		random := rand.New(rand.NewPCG(uint64(trial), 23))
		var rows, batches []slowCase
		for i, program := range programs {
			how := []string{"sleep", "burn"}[(trial+i)%2]
			for _, c := range []slowCase{
				{figure: "found_10s", source: "rdd", millis: 10_000}, {figure: "found_1s", source: "rdd", millis: 1000},
				{figure: "found_csv", source: "csv", millis: 1000}, {figure: "found_batch", source: "parquet", millis: 1000},
			} {
				c.program, c.how = program, how
				if err := o.writeCase(&c, random); err != nil {
					return err
				}
				if c.source == "parquet" {
					batches = append(batches, c)
				} else {
					rows = append(rows, c)
				}
			}
		}
		java := []string{"--class", programsClass, jar}
		for _, s := range []foundSession{
			{fmt.Sprintf("found-%d", trial+1), java, rows, ""}, {fmt.Sprintf("found-batch-%d", trial+1), java, batches, "found_row"},
		} {
			if err := o.foundIn(ctx, r, s); err != nil {
				return err
			}
		}
	}
	return nil
}

// python runs the programs with a Python UDF that takes long for one row.
func (o *options) python(ctx context.Context, r *results) error {
	for trial := range o.trials {
		random := rand.New(rand.NewPCG(uint64(trial), 23))
		s := foundSession{fmt.Sprintf("found-python-%d", trial+1), []string{filepath.Join(harnessRoot, "python.py")}, nil, "found_python_row"}
		for i, program := range programs {
			// The worker is ahead of the task by what their socket holds. So the task does not
			// notice a second for which the worker stands still.
			c := slowCase{figure: "found_python", program: program, source: "python", how: []string{"sleep", "burn"}[(trial+i)%2], millis: 3000}
			if err := o.writeCase(&c, random); err != nil {
				return err
			}
			s.cases = append(s.cases, c)
		}
		if err := o.foundIn(ctx, r, s); err != nil {
			return err
		}
	}
	return nil
}

// writeCase writes the input of a case.
func (o *options) writeCase(c *slowCase, random *rand.Rand) error {
	path, err := filepath.Abs(filepath.Join(o.work, fmt.Sprintf("%s-%s.csv", c.figure, c.program)))
	if err != nil {
		return err
	}
	if err := os.RemoveAll(path + ".parquet"); err != nil {
		return err
	}
	if err := os.MkdirAll(o.work, 0o755); err != nil {
		return err
	}
	c.in, err = writeInput(path, random, true)
	return err
}

// foundSession are cases that run in one session, and again with planflame debug if their records
// are batches.
type foundSession struct {
	name   string
	job    []string // of spark-submit, without the cases
	cases  []slowCase
	figure string // of the rows that planflame debug names; "": the first run names rows
}

func submit(job []string, cases []slowCase) []string {
	job = slices.Clone(job)
	for i := range cases {
		job = append(job, cases[i].argument())
	}
	return job
}

// foundIn runs a session with cases, and a second one that looks for the rows of batches.
func (o *options) foundIn(ctx context.Context, r *results, f foundSession) error {
	name, cases, batch := f.name, f.cases, f.figure != ""
	s, texts, err := o.planflameRun(ctx, name, []string{"run", "--records"}, submit(f.job, cases)...)
	if err != nil {
		return err
	}
	if s.SlowRecords == nil || s.SlowRecords.Unwatched > 0 {
		return fmt.Errorf("%s: tasks were not watched: %+v", name, s.SlowRecords)
	}
	if err := r.count(name, cases, s.SlowRecords.Records, batch); err != nil {
		return err
	}
	if err := o.leaks(r, name, cases, texts); err != nil || !batch {
		return err
	}
	again := name + "-debug"
	second, texts, err := o.planflameRun(ctx, again, []string{"debug", o.results(name), "--write-again", "--json"}, submit(f.job, cases)...)
	if err != nil {
		return err
	}
	r.again(s, second)
	var rows struct {
		Batches []struct {
			Rows []slowRecord `json:"rows"`
		} `json:"batches"`
	}
	if err := texts.result(&rows); err != nil {
		return fmt.Errorf("%s: %w", again, err)
	}
	var all []slowRecord
	for _, b := range rows.Batches {
		all = append(all, b.Rows...)
	}
	for i := range cases {
		cases[i].figure = f.figure
	}
	if err := r.count(again, cases, all, false); err != nil {
		return err
	}
	return o.leaks(r, again, cases, texts)
}

// again keeps how much task CPU a second run takes over its first, at most.
func (r *results) again(first, second *summary) {
	r.Figures["debug_ratio"] = max(r.Figures["debug_ratio"], second.TaskCPU/first.TaskCPU)
}

// count adds to the figures of the cases which of them were found, and all other records to those
// that are false.
func (r *results) count(name string, cases []slowCase, records []slowRecord, batch bool) error {
	isTrue := make([]bool, len(records))
	for i := range cases {
		c := &cases[i]
		found := false
		for k := range records {
			finds, err := c.finds(&records[k], batch)
			if err != nil {
				return err
			}
			found, isTrue[k] = found || finds, isTrue[k] || finds
		}
		r.Figures[c.figure+"_of"]++
		r.Figures[c.figure] += 0
		if found {
			r.Figures[c.figure]++
		} else {
			r.Found = append(r.Found, fmt.Sprintf("%s: not found: %s %s %s, line %d", name, c.program, c.source, c.how, c.in.line))
		}
	}
	r.Figures["false_records"] += 0
	for k, is := range isTrue {
		if !is {
			r.Figures["false_records"]++
			r.Found = append(r.Found, fmt.Sprintf("%s: false: %v", name, records[k]))
		}
	}
	return nil
}
