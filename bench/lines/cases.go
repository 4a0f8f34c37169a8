package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/planflame/planflame/attribution"
)

// oracleCase is what the harness writes of one statement (LineOracle.java).
type oracleCase struct {
	Query string            `json:"query"`
	Spark string            `json:"spark"`
	Plans []json.RawMessage `json:"plans"` // the updates of the plan dictionary; nodes below are the nodes of the last
	Units []unit            `json:"units"`

	plan *attribution.Plan
}

// unit is one whole-stage class.
type unit struct {
	Whole        int               `json:"whole"` // its WholeStageCodegen node
	Class        string            `json:"class"`
	Body         string            `json:"body"`
	Comments     map[string]string `json:"comments"`
	Accumulators []int64           `json:"accumulators"` // of the stage that ran it; none: it did not run
	Signed       string            `json:"signed"`
	Owners       []int             `json:"owners"` // number in signatures → node
	Mutations    []mutation        `json:"mutations"`
}

// mutation is the text of a class after a change of one expression of a node.
type mutation struct {
	Node    int    `json:"node"`
	What    string `json:"what"`
	Body    string `json:"body"`
	Refused string `json:"refused"` // Spark did not generate code; Body is empty
}

// readCase reads a case and its plan. Errors name the file.
func readCase(path string) (*oracleCase, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	c, err := parseCase(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

func parseCase(text []byte) (*oracleCase, error) {
	c := &oracleCase{}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, err
	}
	if len(c.Plans) == 0 {
		return nil, fmt.Errorf("statement %q has no plan", c.Query)
	}
	for _, update := range c.Plans {
		u, err := attribution.ParsePlanUpdate(update)
		if err != nil {
			return nil, err
		}
		if c.plan == nil {
			c.plan = &attribution.Plan{ExecutionID: u.ExecutionID}
		}
		if err := c.plan.Merge(u); err != nil {
			return nil, err
		}
	}
	n := len(c.nodes())
	for i, u := range c.Units {
		for _, node := range append([]int{u.Whole}, u.Owners...) {
			if node < 0 || node >= n {
				return nil, fmt.Errorf("unit %d: node %d of %d", i, node, n)
			}
		}
		for k, m := range u.Mutations {
			if m.Node < 0 || m.Node >= n {
				return nil, fmt.Errorf("unit %d, mutation %d: node %d of %d", i, k, m.Node, n)
			}
		}
	}
	return c, nil
}

// nodes are the plan's nodes in its last update.
func (c *oracleCase) nodes() []attribution.Node { return c.plan.Updates[len(c.plan.Updates)-1].Nodes }

// target is the node to which planflame should give what a node wrote. For the whole-stage wrapper
// it is the topmost operator in it. For an input adapter it is the operator behind it and the query
// stages between.
func (c *oracleCase) target(node int) int {
	nodes := c.nodes()
	for standsFor(nodes[node].Name) {
		child := -1
		for i := node + 1; i < len(nodes); i++ {
			if nodes[i].Parent == node && !nodes[i].Subquery {
				child = i
				break
			}
		}
		if child < 0 {
			return node
		}
		node = child
	}
	return node
}

// same reports whether two nodes are one: a reused exchange stands in a plan more than once, and a
// node in several updates.
func same(a, b *attribution.Node) bool {
	if a == b {
		return true
	}
	return len(a.Metrics) > 0 && len(b.Metrics) > 0 && a.Metrics[0].ID == b.Metrics[0].ID
}
