package usualcost

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/planflame/planflame/costmodel"
)

// Node is what a plan tells of an operator.
type Node struct {
	Role   string
	Name   string // the operator's name for people, with the end of an exchange
	Mode   string // of an aggregate
	Text   string
	Counts map[string]float64 // of expressions, types and keys; Describe keeps it
}

// partitions is the number of partitions that an exchange writes.
var partitions = regexp.MustCompile(`partitioning\(.*, (\d+)\)`)

// Describe sets kind, role, features, rows and segments of an operator. Its Runs and Tasks must be
// set. rows are those that it took in; without them the operator is of a kind of its own, whose
// cost is per run.
func (n *Node) Describe(o *costmodel.Operator, rows float64) {
	o.Kind, o.Role, o.Features = n.Role+" "+Physical(n.Name), n.Role, n.Counts
	if n.Mode != "" {
		o.Kind += " " + n.Mode
	}
	if rows <= 0 {
		o.Rows, o.Kind, o.Role = o.Runs, o.Kind+" without rows", o.Role+" without rows"
		return
	}
	o.Rows = rows
	if found := partitions.FindStringSubmatch(n.Text); found != nil {
		each, _ := strconv.ParseFloat(found[1], 64) // digits
		o.Segments = min(each*o.Tasks, rows)
	}
}

// Physical is the physical operator that an operator's name begins with, with the end of an
// exchange.
func Physical(name string) string {
	physical, _, _ := strings.Cut(name, " ")
	switch {
	case strings.HasSuffix(name, " (write)"):
		return physical + " (write)"
	case strings.HasSuffix(name, " (read)"):
		return physical + " (read)"
	}
	return physical
}
