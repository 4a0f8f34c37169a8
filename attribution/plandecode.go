package attribution

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-faster/jx"
)

// dictionaryVersion is the version of the plan dictionary that is understood.
const dictionaryVersion = 1

// ParsePlanUpdate decodes a plan dictionary (FORMAT.md). Unknown keys are ignored. Of a key that
// comes twice the last one counts, but for counts. An error names the key that is missing or wrong,
// and the node.
func ParsePlanUpdate(data []byte) (PlanUpdate, error) { return parsePlanUpdate(data, nil) }

// parsePlanUpdate is ParsePlanUpdate, but takes texts of known instead of equal ones.
func parsePlanUpdate(data []byte, known map[string]string) (PlanUpdate, error) {
	d := planDecoder{known: known, version: -1, metrics: make([]Metric, 0, bytes.Count(data, []byte(`"id":`))), counts: []Count{}}
	d.update.Tree.Nodes = make([]Node, 0, bytes.Count(data, []byte(`"parent":`)))
	if err := d.dictionary(jx.DecodeBytes(data)); err != nil {
		return PlanUpdate{}, fmt.Errorf("parse plan dictionary: %w", err)
	}
	d.trim()
	return d.update, nil
}

// trim gives back memory that nothing needs: of texts with keys in them, and of keys that came
// twice.
func (d *planDecoder) trim() {
	nodes := d.update.Tree.Nodes
	if cap(nodes) > 2*len(nodes) {
		nodes = append(make([]Node, 0, len(nodes)), nodes...)
	}
	for i := range nodes {
		if cap(d.metrics) > len(d.metrics) {
			nodes[i].Metrics = append([]Metric{}, nodes[i].Metrics...)
		}
		if cap(d.counts) > 2*len(d.counts) {
			nodes[i].Counts = append([]Count{}, nodes[i].Counts...)
		}
	}
	d.update.Tree.Nodes = nodes
}

// planDecoder decodes one plan dictionary.
type planDecoder struct {
	known   map[string]string
	version int
	update  PlanUpdate
	metrics []Metric // of all nodes: one piece of memory
	counts  []Count  // the same
}

// object decodes an object by a function of keys, which decodes the key's value. A value of null is
// none.
func object(j *jx.Decoder, value func(key []byte) error) error {
	values, err := j.ObjIter()
	for err == nil && values.Next() {
		if j.Next() == jx.Null {
			err = j.Null()
		} else if err = value(values.Key()); err != nil {
			return fmt.Errorf("key %q: %w", values.Key(), err)
		}
	}
	return cmp.Or(err, values.Err())
}

// array decodes an array by a function of an element.
func array(j *jx.Decoder, element func(j *jx.Decoder) error) error {
	elements, err := j.ArrIter()
	for err == nil && elements.Next() {
		err = element(j)
	}
	return cmp.Or(err, elements.Err())
}

func (d *planDecoder) dictionary(j *jx.Decoder) error {
	executions := 0
	err := object(j, func(key []byte) (err error) {
		switch string(key) {
		case "version":
			d.version, err = j.Int()
		case "execution_id":
			executions++
			d.update.ExecutionID, err = j.Int64()
		case "update":
			d.update.Tree.Update, err = j.Int()
		case "nodes":
			err = d.nodes(j)
		default:
			err = d.text(j, d.update.text(key))
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case !errors.Is(j.Skip(), io.EOF):
		return errors.New("something stands behind it")
	case d.version == -1:
		return errors.New(`key "version" is missing`)
	case d.version != dictionaryVersion:
		return fmt.Errorf(`key "version" is %d, understood is %d`, d.version, dictionaryVersion)
	case executions == 0:
		return errors.New(`key "execution_id" is missing`)
	case d.update.Tree.Update < 0:
		return fmt.Errorf(`key "update" is %d`, d.update.Tree.Update)
	}
	return nil
}

// text is the text that a key stands for; nil for any other key.
func (u *PlanUpdate) text(key []byte) *string {
	switch string(key) {
	case "query":
		return &u.Query
	case "query_name":
		return &u.QueryName
	case "plan":
		return &u.Plan
	case "description":
		return &u.Description
	case "call_site":
		return &u.CallSite
	}
	return nil
}

// text decodes a text; to is nil for what is of no use.
func (d *planDecoder) text(j *jx.Decoder, to *string) error {
	if to == nil {
		return j.Skip()
	}
	text, err := j.StrBytes()
	*to = d.shared(text)
	return err
}

func (d *planDecoder) shared(text []byte) string {
	if known, ok := d.known[string(text)]; ok {
		return known
	}
	return strings.ToValidUTF8(string(text), "\uFFFD")
}

func (d *planDecoder) nodes(j *jx.Decoder) error {
	d.update.Tree.Nodes, d.metrics, d.counts = d.update.Tree.Nodes[:0], d.metrics[:0], d.counts[:0]
	err := array(j, func(j *jx.Decoder) error {
		i := len(d.update.Tree.Nodes)
		n, err := d.node(j, i)
		if err != nil {
			return fmt.Errorf("node %d: %w", i, err)
		}
		d.update.Tree.Nodes = append(d.update.Tree.Nodes, n)
		return nil
	})
	if err != nil {
		return err
	}
	for i, n := range d.update.Tree.Nodes {
		if n.Codegen >= len(d.update.Tree.Nodes) {
			return fmt.Errorf(`node %d: key "codegen" is %d of %d nodes`, i, n.Codegen, len(d.update.Tree.Nodes))
		}
	}
	return nil
}

// node decodes node i.
func (d *planDecoder) node(j *jx.Decoder, i int) (Node, error) {
	const missing = -2
	n := Node{Parent: missing, Codegen: -1}
	metrics, counts := len(d.metrics), len(d.counts)
	err := object(j, func(key []byte) (err error) {
		switch string(key) {
		case "parent":
			n.Parent, err = j.Int()
		case "codegen":
			n.Codegen, err = j.Int()
		case "codegen_stage_id":
			n.CodegenStageID, err = j.Int()
		case "subquery":
			n.Subquery, err = j.Bool()
		case "metrics":
			d.metrics = d.metrics[:metrics]
			err = array(j, d.metric)
		case "counts":
			d.counts = d.counts[:counts]
			err = d.count(j)
		default:
			err = d.text(j, n.text(key))
		}
		return err
	})
	switch {
	case err != nil:
		return n, err
	case n.Parent == missing:
		return n, errors.New(`key "parent" is missing`)
	case n.Parent < -1 || n.Parent >= i:
		return n, fmt.Errorf(`key "parent" is %d, not a node before this one`, n.Parent)
	case n.Codegen < -1:
		return n, fmt.Errorf(`key "codegen" is %d`, n.Codegen)
	}
	n.Metrics = d.metrics[metrics:len(d.metrics):len(d.metrics)]
	n.Counts = d.counts[counts:len(d.counts):len(d.counts)]
	slices.SortFunc(n.Counts, func(a, b Count) int { return cmp.Compare(a.Name, b.Name) })
	for k := 1; k < len(n.Counts); k++ {
		if n.Counts[k].Name == n.Counts[k-1].Name {
			return n, fmt.Errorf(`key "counts": key %q comes twice`, n.Counts[k].Name)
		}
	}
	return n, nil
}

// text is the text that a key stands for; nil for any other key.
func (n *Node) text(key []byte) *string {
	switch string(key) {
	case "class":
		return &n.Class
	case "name":
		return &n.Name
	case "text":
		return &n.Text
	case "operator":
		return &n.Operator
	case "operator_name":
		return &n.OperatorName
	case "line":
		return &n.Line
	case "role":
		return &n.Role
	case "mode":
		return &n.Mode
	case "stage":
		return &n.Stage
	}
	return nil
}

func (d *planDecoder) metric(j *jx.Decoder) error {
	var m Metric
	err := object(j, func(key []byte) (err error) {
		switch string(key) {
		case "id":
			m.ID, err = j.Int64()
		case "name":
			err = d.text(j, &m.Name)
		case "type":
			err = d.text(j, &m.Type)
		default:
			err = j.Skip()
		}
		return err
	})
	d.metrics = append(d.metrics, m)
	return err
}

func (d *planDecoder) count(j *jx.Decoder) error {
	return object(j, func(key []byte) error {
		name := d.shared(key)
		n, err := j.Int()
		d.counts = append(d.counts, Count{name, n})
		return err
	})
}
