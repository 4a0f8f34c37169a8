package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"github.com/planflame/planflame/bench/internal/report"
)

const casesClass = "io.planflame.bench.Cases"

// study is one of PerfDebug's case studies, in harness/Cases.java.
type study struct {
	name    string
	verdict string
	// slowOnly says that what its user mended was the slow task, and nothing else of the job.
	slowOnly bool
}

var studies = []study{{"taxi", "computation skew", true}, {"weather", "data skew", false}, {"movies", "data skew", true}} // a giant row is more bytes

// told is what Cases says of a session.
type told struct {
	walls []float64 // seconds: mended, mended, as it was
	slow  [2]int64  // records of their file that make a task slow
}

// cases runs the case studies, a session each.
func (o *options) cases(ctx context.Context, r *results) error {
	jar, err := o.compile(ctx)
	if err != nil {
		return err
	}
	gains := map[string][]float64{}
	var errors []float64
	for trial := range o.trials {
		for _, c := range studies {
			name := fmt.Sprintf("case-%s-%d", c.name, trial+1)
			file, folder := filepath.Join(o.work, name+".told"), filepath.Join(o.work, name+".input")
			if err := os.RemoveAll(folder); err != nil {
				return err
			}
			s, _, err := o.planflameRun(ctx, name, []string{"run", "--records"}, "--class", casesClass, jar, c.name, strconv.Itoa(trial+1), folder, file)
			if err != nil {
				return err
			}
			t, err := readTold(file)
			if err != nil {
				return err
			}
			for _, found := range c.judge(s, t, r.Figures) {
				r.Found = append(r.Found, name+": "+found)
			}
			replayed, measured := s.SlowTasks.Wall-s.SlowTasks.Without, t.walls[2]-t.walls[1]
			if c.slowOnly {
				r.Gains = append(r.Gains, [2]float64{replayed, measured})
				errors = append(errors, math.Abs(replayed-measured)/measured)
			}
			gains[c.name] = append(gains[c.name], t.walls[2]/t.walls[1])
		}
	}
	for name, of := range gains {
		r.Figures[name+"_gain"] = report.Median(of)
	}
	r.Figures["gain_error_cases"] = report.Median(errors)
	return nil
}

// judge counts what a session says of its slow task into figures, and returns what is not as it
// should be.
func (c *study) judge(s *summary, t *told, figures map[string]float64) (found []string) {
	figures[c.name+"_verdict"] += 0
	figures[c.name+"_verdict_of"]++
	if tasks := s.SlowTasks.Tasks; len(tasks) == 1 && tasks[0].Verdict == c.verdict {
		figures[c.name+"_verdict"]++
	} else {
		found = append(found, fmt.Sprintf("want one task of %s, got %v", c.verdict, tasks))
	}
	switch c.name {
	case "taxi": // which of the records that took half of the time are among the slow ones
		for i := range s.SlowTasks.Tasks {
			if half := s.SlowTasks.Tasks[i].Half; half != nil {
				figures["taxi_flagged"] += float64(half.Record[1] - half.Record[0] + 1)
				figures["taxi_flagged_right"] += float64(max(0, min(half.Record[1], t.slow[1])-max(half.Record[0], t.slow[0])+1))
			} else {
				found = append(found, fmt.Sprintf("no records are named of %v", &s.SlowTasks.Tasks[i]))
			}
		}
		if figures["taxi_flagged"] > 0 {
			figures["taxi_precision"] = figures["taxi_flagged_right"] / figures["taxi_flagged"]
		}
	case "movies":
		figures["movies_named"] += 0
		for _, record := range s.SlowRecords.Records {
			if record.FileRecord != nil && *record.FileRecord == t.slow {
				figures["movies_named"]++
			} else {
				found = append(found, fmt.Sprintf("not record %d: %v", t.slow[0], record))
			}
		}
	}
	return found
}

func readTold(path string) (*told, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := csv.NewReader(f)
	lines.FieldsPerRecord = -1
	all, err := lines.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(all) != 4 || len(all[3]) != 3 {
		return nil, fmt.Errorf("%s: want three walls and the slow records, got %q", path, all)
	}
	t := &told{walls: make([]float64, 3)}
	for i := range t.walls {
		if _, err := fmt.Sscan(all[i][1], &t.walls[i]); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, i+1, err)
		}
	}
	if _, err := fmt.Sscan(all[3][1]+" "+all[3][2], &t.slow[0], &t.slow[1]); err != nil {
		return nil, fmt.Errorf("%s: line 4: %w", path, err)
	}
	return t, nil
}
