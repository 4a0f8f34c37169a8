package main

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/planflame/planflame/phase"
	"github.com/planflame/planflame/trial"
)

// trialVersion is the version of trial.json. A reader refuses others.
const trialVersion = 1

// trialFile is trial.json: a draw, and what the drawn queries cost before. It holds fingerprints
// and names of queries, and no text of theirs.
type trialFile struct {
	Version int           `json:"version"`
	Name    string        `json:"name"` // the label trial of the re-runs
	Made    time.Time     `json:"made"`
	Over    time.Duration `json:"over_ns,omitempty"` // what costs are of; 0: of the folders that were named
	Runs    int           `json:"runs"`
	// Spread and its source are what Half was computed from.
	Spread   float64     `json:"spread"`
	Like     string      `json:"like,omitempty"` // the trial that Spread is of
	Half     float64     `json:"half"`           // half width to expect of the 95 % interval, as a part of the new cost
	Phases   []filePhase `json:"phases"`
	Queries  []fileQuery `json:"queries"` // by fingerprint
	LeftOut  int         `json:"left_out,omitempty"`
	LeftCost float64     `json:"left_out_cpu_seconds,omitempty"` // of queries of which no one knows how often they ran
}

type filePhase struct {
	Name    string  `json:"name"`
	Queries int     `json:"queries"`
	CPU     float64 `json:"cpu_seconds"`
	Drawn   int     `json:"drawn"`
}

type fileQuery struct {
	ID          string      `json:"query"`
	Name        string      `json:"query_name"`
	Phase       int         `json:"phase"` // index
	Probability float64     `json:"probability"`
	CPU         phase.Mix   `json:"cpu_seconds"`     // by kind
	Drawn       int         `json:"drawn,omitempty"` // 1 is the first; 0: not drawn
	Usual       *trial.Runs `json:"usual,omitempty"` // of drawn queries: operators have no names
}

// newTrialFile puts a plan into words.
func newTrialFile(usable []*trialQuery, queries []trial.Query, p *trial.Plan) *trialFile {
	f := &trialFile{Version: trialVersion, Runs: len(p.Order), Spread: p.Spread, Half: p.Half}
	for i, q := range usable {
		f.Queries = append(f.Queries, fileQuery{ID: q.id, Name: q.name, Probability: p.Probability[i], CPU: queries[i].CPU})
	}
	for n, i := range p.Order {
		usual := trial.Runs{Count: usable[i].runs.Count}
		for _, o := range usable[i].runs.Operators {
			o.Name = ""
			usual.Operators = append(usual.Operators, o)
		}
		f.Queries[i].Drawn, f.Queries[i].Usual = n+1, &usual
	}
	for h, ph := range p.Phases {
		row := filePhase{Name: ph.Name, Queries: len(ph.Members)}
		for _, i := range ph.Members {
			f.Queries[i].Phase = h
			row.CPU += queries[i].Cost
			if f.Queries[i].Drawn > 0 {
				row.Drawn++
			}
		}
		f.Phases = append(f.Phases, row)
	}
	return f
}

// readTrialFile reads trial.json.
func readTrialFile(path string, from io.Reader) (*trialFile, error) {
	text, err := io.ReadAll(from)
	if err != nil {
		return nil, fmt.Errorf("read trial %s: %w", path, err)
	}
	var head struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("decode trial %s: %w", path, err)
	}
	if head.Version != trialVersion {
		return nil, fmt.Errorf("trial %s is of version %d, and this planflame reads version %d", path, head.Version, trialVersion)
	}
	var f trialFile
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("decode trial %s: %w", path, err)
	}
	for _, q := range f.Queries {
		if q.Drawn > 0 && (q.Usual == nil || !(q.Usual.Count > 0)) || !(q.Probability > 0 && q.Probability <= 1) || q.Phase < 0 || q.Phase >= len(f.Phases) {
			return nil, fmt.Errorf("trial %s: query %s makes no sense", path, q.ID)
		}
	}
	return &f, nil
}

// asQueries are the queries as trial takes them, and their probabilities.
func (f *trialFile) asQueries() (queries []trial.Query, probability []float64) {
	for _, q := range f.Queries {
		queries = append(queries, trial.Query{ID: q.ID, CPU: q.CPU, Cost: q.CPU.Sum()})
		probability = append(probability, q.Probability)
	}
	return queries, probability
}

// cost is the CPU of all queries, s.
func (f *trialFile) cost() (sum float64) {
	for _, p := range f.Phases {
		sum += p.CPU
	}
	return sum
}
