package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

const causesClass = "io.planflame.bench.Causes"

// cause is a reason for which harness/Causes.java makes tasks slow.
type cause struct {
	name    string
	verdict string
	conf    []string // of spark-submit
	// spreads says that tasks that run beside the slow one are slow for the same reason.
	spreads bool
}

var causes = []cause{
	{name: "data", verdict: "data skew"},
	{name: "computation", verdict: "computation skew"},
	{name: "gc", verdict: "gc", conf: []string{"--driver-memory", "1g"}, spreads: true},
	{name: "wait", verdict: "wait"},
	{name: "host", verdict: "host", spreads: true},
}

// slowed is a task that was made slow.
type slowed struct {
	Stage     int `json:"stage_id"`
	Partition int `json:"partition"`
}

// verdicts runs a session with all trials of a cause, for each cause.
func (o *options) verdicts(ctx context.Context, r *results) error {
	jar, err := o.compile(ctx)
	if err != nil {
		return err
	}
	right := 0
	for i := range causes {
		c := &causes[i]
		name := "cause-" + c.name
		file := filepath.Join(o.work, name+".slowed")
		s, err := o.session(ctx, name, append(c.conf, "--class", causesClass, jar, c.name, strconv.Itoa(o.trials), "23", file)...)
		if err != nil {
			return err
		}
		trials, err := readSlowed(file)
		if err != nil {
			return err
		}
		if len(trials) != o.trials {
			return fmt.Errorf("%s: %d trials, not %d", file, len(trials), o.trials)
		}
		j := c.judge(s, trials)
		right += j.right
		r.Figures["right_"+c.name] = float64(j.right)
		r.Figures["victims_"+c.name] = float64(j.victims)
		if c.verdict == "gc" {
			r.Figures["gc_culprit"], r.Figures["gc_culprit_of"] = float64(j.told), float64(j.hadVictims)
		}
		r.Figures["flags_false"] += float64(j.flagsFalse)
		for _, f := range j.found {
			r.Found = append(r.Found, name+": "+f)
		}
	}
	r.Figures["trials"] = float64(o.trials)
	r.Figures["verdict_right"] = float64(right) / float64(o.trials*len(causes))
	return nil
}

// judgment is how far a session is right. Victims are flagged beside the slow task, with its
// verdict.
type judgment struct {
	right, flagsFalse int
	victims           int // of all trials
	hadVictims        int // trials
	told              int // trials in which the slow task was named as the culprit of all victims
	found             []string
}

// judge holds a session against the tasks that were made slow. A trial is right if the task is
// flagged with the verdict, and all other flagged tasks of its stage are its victims.
func (c *cause) judge(s *slowTasks, trials []slowed) (j judgment) {
	n := len(trials)
	hit, wrong, victims, blamed := make([]bool, n), make([]bool, n), make([]int, n), make([]int, n)
	for i := range s.Tasks {
		x := &s.Tasks[i]
		trial := -1
		for k := range trials {
			if trials[k].Stage == x.Stage {
				trial = k
			}
		}
		switch {
		case trial < 0:
			j.flagsFalse++
			j.found = append(j.found, fmt.Sprintf("false: %v", x))
		case x.Verdict == c.verdict && x.Partition == trials[trial].Partition:
			hit[trial] = x.PausedBy == nil
		case x.Verdict == c.verdict && c.spreads:
			victims[trial]++
			if by := x.PausedBy; by != nil && *by == trials[trial] {
				blamed[trial]++
			} else if c.verdict == "gc" {
				j.found = append(j.found, fmt.Sprintf("partition %d was the culprit: %v", trials[trial].Partition, x))
			}
		default:
			wrong[trial] = true
			j.found = append(j.found, fmt.Sprintf("partition %d was slow: %v", trials[trial].Partition, x))
		}
	}
	for k := range trials {
		j.victims += victims[k]
		if victims[k] > 0 {
			j.hadVictims++
			if hit[k] && blamed[k] == victims[k] {
				j.told++
			}
		}
		switch {
		case hit[k] && !wrong[k]:
			j.right++
		case !hit[k]:
			j.found = append(j.found, fmt.Sprintf("stage %d partition %d: not %s", trials[k].Stage, trials[k].Partition, c.verdict))
		}
	}
	return j
}

func readSlowed(path string) ([]slowed, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	out := make([]slowed, len(lines))
	for i, line := range lines {
		if _, err := fmt.Sscan(line[0]+" "+line[1], &out[i].Stage, &out[i].Partition); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, i+1, err)
		}
	}
	return out, nil
}
