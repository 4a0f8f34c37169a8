package attribution

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"unicode/utf8"
)

// planScan reads a plan dictionary as the agent writes it: without white space and null, each key
// once and in small letters. Anything else sets bad, and so does whatever ParsePlanUpdate has an
// error for. Then encoding/json reads all of it, in about ten times the time.
type planScan struct {
	b       []byte            // what is left
	known   map[string]string // texts to take instead of equal new ones
	metrics []Metric          // of all nodes so far
	counts  []Count           // the same
	bad     bool
}

// scanPlanUpdate is ParsePlanUpdate of what planScan reads; ok is false for any other data.
func scanPlanUpdate(data []byte, known map[string]string) (u PlanUpdate, ok bool) {
	s := &planScan{b: data, known: known, metrics: make([]Metric, 0, bytes.Count(data, []byte(`"id":`))), counts: []Count{}}
	version, update, executions := int64(0), int64(0), 0
	s.object(func(key []byte) {
		switch string(key) {
		case "version":
			version = s.number()
		case "execution_id":
			u.ExecutionID = s.number()
			executions++
		case "update":
			update = s.number()
		case "nodes":
			s.bad = s.bad || u.Tree.Nodes != nil
			u.Tree.Nodes = s.nodes()
		default:
			s.textOrSkip(u.text(key), key)
		}
	})
	u.Tree.Update = int(update)
	s.bad = s.bad || len(s.b) > 0 || version != dictionaryVersion || executions == 0 || update < 0 || u.Tree.Nodes == nil
	for i := range u.Tree.Nodes {
		s.bad = s.bad || u.Tree.Nodes[i].Codegen >= len(u.Tree.Nodes)
	}
	return u, !s.bad
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

// nodes reads the plan's nodes. Metrics and counts of all have one piece of memory each.
func (s *planScan) nodes() []Node {
	nodes, ends := make([]Node, 0, bytes.Count(s.b, []byte(`"parent":`))), [][2]int{}
	s.array(func() {
		nodes = append(nodes, s.node(len(nodes)))
		ends = append(ends, [2]int{len(s.metrics), len(s.counts)})
	})
	from := [2]int{}
	for i, end := range ends {
		nodes[i].Metrics, nodes[i].Counts = s.metrics[from[0]:end[0]:end[0]], s.counts[from[1]:end[1]:end[1]]
		from = end
	}
	return nodes
}

// node reads node i. It appends the node's metrics and counts to what earlier nodes have.
func (s *planScan) node(i int) Node {
	n := Node{Parent: i, Codegen: -1} // no node is its own parent
	metrics, counts := len(s.metrics), len(s.counts)
	s.object(func(key []byte) {
		switch string(key) {
		case "parent":
			n.Parent = int(s.number())
		case "codegen":
			n.Codegen = int(s.number())
		case "codegen_stage_id":
			n.CodegenStageID = int(s.number())
		case "subquery":
			n.Subquery = s.boolean()
		case "metrics":
			s.bad = s.bad || len(s.metrics) > metrics
			s.array(func() { s.metrics = append(s.metrics, s.metric()) })
		case "counts":
			s.bad = s.bad || len(s.counts) > counts
			s.object(func(name []byte) { s.counts = append(s.counts, Count{s.shared(name), int(s.number())}) })
		default:
			s.textOrSkip(n.text(key), key)
		}
	})
	s.bad = s.bad || n.Parent < -1 || n.Parent >= i || n.Codegen < -1
	s.sort(s.counts[counts:])
	return n
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

// sort sorts the counts of a node, whose names must differ.
func (s *planScan) sort(counts []Count) {
	slices.SortFunc(counts, func(a, b Count) int { return cmp.Compare(a.Name, b.Name) })
	for i := range counts {
		s.bad = s.bad || i > 0 && counts[i].Name == counts[i-1].Name
	}
}

func (s *planScan) metric() (m Metric) {
	s.object(func(key []byte) {
		switch string(key) {
		case "id":
			m.ID = s.number()
		case "name":
			m.Name = s.shared(s.quoted())
		case "type":
			m.Type = s.shared(s.quoted())
		default:
			s.textOrSkip(nil, key)
		}
	})
	return m
}

// object calls value with each key of an object. value reads what the key stands for.
func (s *planScan) object(value func(key []byte)) {
	s.list('{', '}', func() {
		key := s.quoted()
		s.expect(':')
		if !s.bad {
			value(key)
		}
	})
}

// array calls value for each element of an array. value reads it.
func (s *planScan) array(value func()) { s.list('[', ']', value) }

func (s *planScan) list(open, end byte, value func()) {
	s.expect(open)
	for more := s.next() != end; more && !s.bad; more = s.next() == ',' && !s.bad {
		if s.next() == ',' {
			s.expect(',')
		}
		value()
	}
	s.expect(end)
}

// next is the byte at hand; 0 at the end.
func (s *planScan) next() byte {
	if len(s.b) == 0 {
		return 0
	}
	return s.b[0]
}

// expect takes a byte, which must be c.
func (s *planScan) expect(c byte) {
	if s.bad = s.bad || s.next() != c; !s.bad {
		s.b = s.b[1:]
	}
}

// quoted is the text at hand. It may be a piece of the data.
func (s *planScan) quoted() []byte {
	from, plain, ascii := s.b, true, true
	s.expect('"')
	n := 0
	for ; n < len(s.b) && s.b[n] != '"'; n++ {
		c := s.b[n]
		plain, ascii = plain && c >= ' ' && c != '\\', ascii && c < utf8.RuneSelf
		if c == '\\' {
			n++ // which may be a quote
		}
	}
	n = min(n, len(s.b))
	text := s.b[:n]
	s.b = s.b[n:]
	s.expect('"')
	if s.bad || plain && ascii {
		return text
	}
	if plain {
		s.bad = !utf8.Valid(text)
		return text
	}
	var decoded string
	s.bad = json.Unmarshal(from[:n+2], &decoded) != nil
	return []byte(decoded)
}

// shared is a text of known, else a new one.
func (s *planScan) shared(text []byte) string {
	if known, ok := s.known[string(text)]; ok {
		return known
	}
	return string(text)
}

// number is a whole number of at most 18 digits.
func (s *planScan) number() (v int64) {
	negative := s.next() == '-'
	if negative {
		s.expect('-')
	}
	n := 0
	for ; n < len(s.b) && s.b[n] >= '0' && s.b[n] <= '9'; n++ {
		v = 10*v + int64(s.b[n]-'0')
	}
	s.bad = s.bad || n == 0 || n > 18 || n > 1 && s.b[0] == '0'
	s.b = s.b[n:]
	if negative {
		return -v
	}
	return v
}

func (s *planScan) boolean() bool {
	for _, word := range []string{"false", "true"} {
		if rest, ok := bytes.CutPrefix(s.b, []byte(word)); ok {
			s.b = rest
			return word == "true"
		}
	}
	s.bad = true
	return false
}

// textOrSkip reads a text. Without a place for it, it skips the value of an unknown key, if that is
// simple. encoding/json knows keys in capital letters, too.
func (s *planScan) textOrSkip(to *string, key []byte) {
	if to != nil {
		*to = s.shared(s.quoted())
		return
	}
	s.bad = s.bad || bytes.ContainsFunc(key, func(r rune) bool { return r >= utf8.RuneSelf || 'A' <= r && r <= 'Z' })
	switch s.next() {
	case '"':
		s.quoted()
	case 't', 'f':
		s.boolean()
	default:
		s.number()
	}
}
