package render

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/planflame/planflame/internal/columns"
	"github.com/planflame/planflame/internal/pipeline"
)

// stageName is the root of a label's stacks.
func stageName(m *columns.Model, label int) string {
	l := &m.Labels[label]
	switch {
	case l.Stage >= 0 && l.Place != "":
		return fmt.Sprintf("stage %d %s", m.Stages[l.Stage].ID, l.Place)
	case l.Stage >= 0:
		return fmt.Sprintf("stage %d", m.Stages[l.Stage].ID)
	case l.Group != "":
		return "[" + l.Group + "]"
	}
	return "[outside of stages]"
}

// path is a stack from the root: its stage, then frames, or the operator's frame alone.
func path(m *columns.Model, s *columns.StackSum, operatorsOnly bool) []string {
	out := []string{stageName(m, s.Label)}
	frames := m.Frames(s.Label, s.Stack)
	slices.Reverse(frames)
	for _, f := range frames {
		if !operatorsOnly || f.Type == pipeline.FrameOperator {
			out = append(out, f.Name)
		}
	}
	return out
}

var noSeparator = strings.NewReplacer(";", ",", "\n", " ")

// Collapsed writes a selection as collapsed stacks: the stage at the root, frames with the
// operators' among them, and the CPU in microseconds. Lines are sorted.
func Collapsed(w io.Writer, m *columns.Model, s columns.Selection, operatorsOnly bool) error {
	sums := map[string]float64{}
	for _, sum := range m.StackSums(s) {
		names := path(m, &sum, operatorsOnly)
		for i := range names {
			names[i] = noSeparator.Replace(names[i])
		}
		sums[strings.Join(names, ";")] += sum.CPU
	}
	p := &printer{w: w}
	for _, key := range slices.Sorted(maps.Keys(sums)) {
		if us := math.Round(sums[key] / 1e3); us > 0 {
			p.line("%s %.0f", key, us)
		}
	}
	return p.err
}

// scopeFile is a file of speedscope (speedscope.app/file-format-schema.json).
type scopeFile struct {
	Schema   string `json:"$schema"`
	Exporter string `json:"exporter"`
	Name     string `json:"name"`
	Shared   struct {
		Frames []scopeFrame `json:"frames"`
	} `json:"shared"`
	Profiles []*scopeProfile `json:"profiles"`
}

type scopeFrame struct {
	Name string `json:"name"`
}

type scopeProfile struct {
	Type    string  `json:"type"`
	Name    string  `json:"name"`
	Unit    string  `json:"unit"`
	Start   float64 `json:"startValue"`
	End     float64 `json:"endValue"`
	Samples [][]int `json:"samples"`
	Weights []int64 `json:"weights"`
}

// Speedscope writes a selection for speedscope: a profile for each query, and one for the rest.
func Speedscope(w io.Writer, m *columns.Model, s columns.Selection, operatorsOnly bool) error {
	file := scopeFile{Schema: "https://www.speedscope.app/file-format-schema.json", Exporter: "planflame", Name: m.Meta.Title, Profiles: []*scopeProfile{}}
	file.Shared.Frames = []scopeFrame{}
	frames, profiles := map[string]int{}, map[int]*scopeProfile{}
	for _, sum := range m.StackSums(s) {
		query := m.Labels[sum.Label].Query
		p := profiles[query]
		if p == nil {
			p = &scopeProfile{Type: "sampled", Name: "of no query", Unit: "nanoseconds", Samples: [][]int{}, Weights: []int64{}}
			if query >= 0 {
				p.Name = m.Queries[query].Name
			}
			profiles[query] = p
			file.Profiles = append(file.Profiles, p)
		}
		stack := []int{}
		for _, name := range path(m, &sum, operatorsOnly) {
			n, known := frames[name]
			if !known {
				n = len(file.Shared.Frames)
				frames[name] = n
				file.Shared.Frames = append(file.Shared.Frames, scopeFrame{name})
			}
			stack = append(stack, n)
		}
		cpu := math.Round(sum.CPU)
		p.Samples, p.Weights, p.End = append(p.Samples, stack), append(p.Weights, int64(cpu)), p.End+cpu
	}
	return json.NewEncoder(w).Encode(file)
}
