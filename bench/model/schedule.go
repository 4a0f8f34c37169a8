package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os/exec"
)

// schedule holds what planflame predicts of sleeping tasks on other numbers of slots against what
// they took there.
func (o *options) schedule(r *results) error {
	slots := map[name]int{sleep4: 4, sleep8: 8, sleep16: 16}
	sum, n := 0.0, 0
	for from := range slots {
		for to, on := range slots {
			if from == to {
				continue
			}
			predicted, err := o.stages(from, on)
			if err != nil {
				return err
			}
			took, err := o.stages(to, 0)
			if err != nil {
				return err
			}
			for statement, wall := range took {
				off := predicted[statement]/wall - 1
				sum, n = sum+math.Abs(off), n+1
				r.line("schedule %s %s → %s: %.2f s predicted, %.2f s taken, %+.1f %%", statement, from, to, predicted[statement], wall, 100*off)
			}
		}
	}
	if n == 0 {
		return fmt.Errorf("no stage of sleeping tasks in %s", o.folder(sleep4))
	}
	r.Figures["schedule_error"], r.Figures["schedule_cases"] = sum/float64(n), float64(n)
	return nil
}

// timeJSON has those fields of planflame time --format json that are read here.
type timeJSON struct {
	Applications []struct {
		Wall      float64 `json:"wall_seconds"`
		AskedWall float64 `json:"asked_seconds"`
		Stages    []struct {
			Execution  int64   `json:"execution"`
			Tasks      int     `json:"tasks"`
			Start      float64 `json:"start_seconds"`
			Wall       float64 `json:"wall_seconds"`
			AskedStart float64 `json:"asked_start_seconds"`
			Asked      float64 `json:"asked_seconds"`
		} `json:"stages"`
	} `json:"applications"`
}

// times runs planflame time on a recording.
func (o *options) times(n name, slots int) (out timeJSON, err error) {
	text, err := exec.Command(o.planflame, "time", o.folder(n), "--format", "json", "--cores", fmt.Sprint(slots)).Output()
	if err != nil {
		return out, fmt.Errorf("planflame time %s: %w", o.folder(n), err)
	}
	return out, json.Unmarshal(text, &out)
}

// stages are the seconds of the stage of each sleeping statement of a recording: on a number of
// slots as predicted, or for 0 as it ran.
func (o *options) stages(n name, slots int) (map[string]float64, error) {
	times, err := o.times(n, slots)
	if err != nil {
		return nil, err
	}
	executions, err := o.executions(n)
	if err != nil {
		return nil, err
	}
	out := map[string]float64{}
	for _, a := range times.Applications {
		for _, s := range a.Stages {
			statement := executions[s.Execution]
			if statement == "" {
				continue // no statement of the bench
			}
			out[statement] = s.Wall
			if slots > 0 {
				out[statement] = s.Asked
			}
		}
	}
	return out, nil
}
