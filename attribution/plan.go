package attribution

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
)

// PlanUpdate is one update of one execution's plan, as a plan dictionary carries it.
type PlanUpdate struct {
	ExecutionID int64
	Query       string
	QueryName   string
	Plan        string
	Description string
	CallSite    string
	Tree        Tree
}

// dictionary is the JSON of FORMAT.md, "Plan dictionary". Pointers tell a missing key from a zero.
type dictionary struct {
	Version     *int             `json:"version"`
	ExecutionID *int64           `json:"execution_id"`
	Update      int              `json:"update"`
	Query       string           `json:"query"`
	QueryName   string           `json:"query_name"`
	Plan        string           `json:"plan"`
	Description string           `json:"description"`
	CallSite    string           `json:"call_site"`
	Nodes       []dictionaryNode `json:"nodes"`
}

type dictionaryNode struct {
	Parent         *int               `json:"parent"`
	Class          string             `json:"class"`
	Name           string             `json:"name"`
	Text           string             `json:"text"`
	Operator       string             `json:"operator"`
	OperatorName   string             `json:"operator_name"`
	Line           string             `json:"line"`
	Role           string             `json:"role"`
	Mode           string             `json:"mode"`
	Counts         map[string]int     `json:"counts"`
	Codegen        *int               `json:"codegen"`
	CodegenStageID int                `json:"codegen_stage_id"`
	Stage          string             `json:"stage"`
	Subquery       bool               `json:"subquery"`
	Metrics        []dictionaryMetric `json:"metrics"`
}

type dictionaryMetric struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	Type string `json:"type"`
}

// dictionaryVersion is the version of the plan dictionary that is understood.
const dictionaryVersion = 1

// ParsePlanUpdate decodes a plan dictionary. Unknown keys are ignored. An error names the key that
// is missing or wrong, and the node.
func ParsePlanUpdate(data []byte) (PlanUpdate, error) { return parsePlanUpdate(data, nil) }

// parsePlanUpdate is ParsePlanUpdate. Where it can it takes texts of known instead of equal ones.
func parsePlanUpdate(data []byte, known map[string]string) (PlanUpdate, error) {
	if u, ok := scanPlanUpdate(data, known); ok {
		return u, nil
	}
	return decodePlanUpdate(data)
}

func decodePlanUpdate(data []byte) (PlanUpdate, error) {
	var d dictionary
	if err := json.Unmarshal(data, &d); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return PlanUpdate{}, fmt.Errorf("parse plan dictionary: key %q: %w", wrong.Field, err)
		}
		return PlanUpdate{}, fmt.Errorf("parse plan dictionary: %w", err)
	}
	switch {
	case d.Version == nil:
		return PlanUpdate{}, errors.New(`parse plan dictionary: key "version" is missing`)
	case *d.Version != dictionaryVersion:
		return PlanUpdate{}, fmt.Errorf(`parse plan dictionary: key "version" is %d, understood is %d`, *d.Version, dictionaryVersion)
	case d.ExecutionID == nil:
		return PlanUpdate{}, errors.New(`parse plan dictionary: key "execution_id" is missing`)
	case d.Update < 0:
		return PlanUpdate{}, fmt.Errorf(`parse plan dictionary of execution %d: key "update" is %d`, *d.ExecutionID, d.Update)
	}
	u := PlanUpdate{ExecutionID: *d.ExecutionID, Query: d.Query, QueryName: d.QueryName, Plan: d.Plan, Description: d.Description, CallSite: d.CallSite,
		Tree: Tree{Update: d.Update, Nodes: make([]Node, 0, len(d.Nodes))}}
	for i := range d.Nodes {
		n, err := d.Nodes[i].node(i, len(d.Nodes))
		if err != nil {
			return PlanUpdate{}, fmt.Errorf("parse plan dictionary of execution %d, update %d, node %d: %w", u.ExecutionID, d.Update, i, err)
		}
		u.Tree.Nodes = append(u.Tree.Nodes, n)
	}
	return u, nil
}

// node checks and converts node i of n.
func (d *dictionaryNode) node(i, n int) (Node, error) {
	if d.Parent == nil {
		return Node{}, errors.New(`key "parent" is missing`)
	}
	if *d.Parent < -1 || *d.Parent >= i {
		return Node{}, fmt.Errorf(`key "parent" is %d, not a node before this one`, *d.Parent)
	}
	codegen := -1
	if d.Codegen != nil {
		codegen = *d.Codegen
	}
	if codegen < -1 || codegen >= n {
		return Node{}, fmt.Errorf(`key "codegen" is %d of %d nodes`, codegen, n)
	}
	metrics := make([]Metric, len(d.Metrics))
	for k, m := range d.Metrics {
		metrics[k] = Metric(m)
	}
	counts := make([]Count, 0, len(d.Counts))
	for _, name := range slices.Sorted(maps.Keys(d.Counts)) {
		counts = append(counts, Count{name, d.Counts[name]})
	}
	return Node{Parent: *d.Parent, Class: d.Class, Name: d.Name, Text: d.Text, Operator: d.Operator, OperatorName: d.OperatorName, Line: d.Line,
		Role: d.Role, Mode: d.Mode, Counts: counts, Codegen: codegen, CodegenStageID: d.CodegenStageID, Stage: d.Stage, Subquery: d.Subquery,
		Metrics: metrics}, nil
}

// Share replaces the update's texts by equal ones in known, and adds the others there. Updates of a
// plan, and plans of an application, repeat most of their texts. Without it each would be kept as
// often as it was read. Share returns how many bytes of text it added.
func (u *PlanUpdate) Share(known map[string]string) (added int) {
	share := func(s *string) {
		if *s == "" {
			return
		}
		text, ok := known[*s]
		if !ok {
			text = *s
			known[text] = text
			added += len(text)
		}
		*s = text
	}
	for _, s := range []*string{&u.Query, &u.QueryName, &u.Plan, &u.Description, &u.CallSite} {
		share(s)
	}
	for i := range u.Tree.Nodes {
		n := &u.Tree.Nodes[i]
		for _, s := range []*string{&n.Class, &n.Name, &n.Text, &n.Operator, &n.OperatorName, &n.Line, &n.Role, &n.Mode, &n.Stage} {
			share(s)
		}
		for k := range n.Counts {
			share(&n.Counts[k].Name)
		}
		for k := range n.Metrics {
			share(&n.Metrics[k].Name)
			share(&n.Metrics[k].Type)
		}
	}
	return added
}

// Merge adds an update to the plan. An update that is there already is replaced, names that the
// update knows win over what was there. Updates stay ascending. It is an error to merge another
// execution's update.
func (p *Plan) Merge(u PlanUpdate) error {
	if p.ExecutionID != u.ExecutionID {
		return fmt.Errorf("merge plan of execution %d: update %d is of execution %d", p.ExecutionID, u.Tree.Update, u.ExecutionID)
	}
	for _, name := range []struct {
		to   *string
		from string
	}{{&p.Query, u.Query}, {&p.QueryName, u.QueryName}, {&p.Plan, u.Plan}, {&p.Description, u.Description}, {&p.CallSite, u.CallSite}} {
		if name.from != "" {
			*name.to = name.from
		}
	}
	p.merges++
	i := sort.Search(len(p.Updates), func(i int) bool { return p.Updates[i].Update >= u.Tree.Update })
	if i < len(p.Updates) && p.Updates[i].Update == u.Tree.Update {
		p.Updates[i] = u.Tree
		return nil
	}
	p.Updates = append(p.Updates, Tree{})
	copy(p.Updates[i+1:], p.Updates[i:])
	p.Updates[i] = u.Tree
	return nil
}
