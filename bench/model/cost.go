package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
)

// cost holds the CPU of TPC-H's operators against models that have not seen their query. One model
// comes from the other queries of TPC-H, one from the other statements alone, which ran on smaller
// tables. Then it fits the model of all of them, which is the one to ship.
func (o *options) cost(r *results) error {
	left, err := o.check(r, "left one out", o.folder(tpch))
	if err != nil {
		return err
	}
	others := filepath.Join(o.work, "own.json")
	if err := o.fit(others, o.folder(own)); err != nil {
		return err
	}
	held, err := o.check(r, "learned on the others", o.folder(tpch), "--model", others)
	if err != nil {
		return err
	}
	r.Figures["query_error_mean"], r.Figures["query_error_median"] = left.ErrorMean, left.ErrorMedian
	r.Figures["query_error_heldout"], r.Figures["query_correlation_log"] = held.ErrorMean, held.LogCorrelation
	r.Figures["operator_factor_median"], r.Figures["operator_factor_p90"] = held.FactorMedian, held.FactorP90
	r.Figures["expensive_false"], r.Figures["predict_ms"] = held.Marked, held.PredictMS
	return o.fit(filepath.Join(o.work, "model.json"), o.folder(own), o.folder(tpch))
}

// modelCheck has those fields of planflame model check that are read here.
type modelCheck struct {
	ErrorMean      float64 `json:"query_error_mean"`
	ErrorMedian    float64 `json:"query_error_median"`
	LogCorrelation float64 `json:"query_correlation_log"`
	FactorMedian   float64 `json:"operator_factor_median"`
	FactorP90      float64 `json:"operator_factor_p90"`
	Marked         float64 `json:"marked_share"`
	PredictMS      float64 `json:"predict_ms"`
	Queries        []struct {
		Query     string  `json:"query"`
		Seconds   float64 `json:"seconds"`
		Predicted float64 `json:"predicted_seconds"`
		Worst     string  `json:"worst"`
		WorstOff  float64 `json:"worst_seconds"`
	} `json:"queries"`
}

func (o *options) check(r *results, how string, args ...string) (out modelCheck, err error) {
	text, err := exec.Command(o.planflame, append([]string{"model", "check", "--format", "json"}, args...)...).Output()
	if err != nil {
		return out, fmt.Errorf("planflame model check %v: %w", args, err)
	}
	if err := json.Unmarshal(text, &out); err != nil {
		return out, err
	}
	for _, q := range out.Queries {
		r.line("cost %s %s: %.2f s predicted, %.2f s taken; most off %s by %+.2f s", how, q.Query, q.Predicted, q.Seconds, q.Worst, q.WorstOff)
	}
	return out, nil
}

// fit fits a model on recordings.
func (o *options) fit(file string, dirs ...string) error {
	if said, err := exec.Command(o.planflame, append([]string{"model", "fit", "--out", file}, dirs...)...).CombinedOutput(); err != nil {
		return fmt.Errorf("planflame model fit %v: %w: %s", dirs, err, said)
	}
	return nil
}
