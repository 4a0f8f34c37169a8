package attribution

import "strings"

// A unit's text as a tree of scopes, flattened into events: what the walk over the call graph
// needs.

// event is one thing that happens in a method's text, in order.
type event struct {
	kind eventKind
	line int    // 0-based
	name string // eventMark: placeholder; eventCall: method
	to   int    // eventOpen, eventClose: brace depth behind it
}

type eventKind uint8

const (
	eventLine  eventKind = iota // a line of code begins
	eventMark                   // a placeholder comment
	eventOpen                   // {
	eventClose                  // }
	eventCall                   // a call of a method of this unit, by its simple name
)

// method is one method of a unit, with the anonymous classes inside it.
type method struct {
	name   string
	class  int    // index into structure.classes
	params string // its head from the first parenthesis on
	events []event
	depth  int // brace depth of its body
}

// class is the generated class or one nested in it.
type class struct {
	name   string
	nested bool // an inner class of its own with methods of its own, such as a fast hash map
}

// structure is the text of a unit, taken apart.
type structure struct {
	lines   []textLine
	methods []*method
	classes []class
	byName  map[string]*method // methods that may be called by their simple name alone
}

// scope is an open brace.
type scope struct {
	method *method // the method it lies in, nil none
	class  int
	opens  bool // this brace opened the method
}

// builder reads a text into a structure, character by character.
type builder struct {
	*structure
	stack  []scope
	header strings.Builder // text since the last ; { or }
	line   int
	began  bool // the event of the present line was emitted
}

// parseStructure finds classes and methods and the events of each method.
func parseStructure(lines []textLine) *structure {
	b := &builder{structure: &structure{lines: lines, byName: make(map[string]*method), classes: []class{{}}}}
	for n := range lines {
		b.line, b.began = n, false
		b.read(lines[n].code, lines[n].marks)
	}
	b.addCalls()
	return b.structure
}

// top is the innermost open brace; the zero value outside of all.
func (b *builder) top() scope {
	if len(b.stack) == 0 {
		return scope{}
	}
	return b.stack[len(b.stack)-1]
}

// read reads one line and the marks in it.
func (b *builder) read(code string, marks []mark) {
	for i := 0; ; i++ {
		for len(marks) > 0 && marks[0].at <= i {
			b.emit(event{kind: eventMark, line: b.line, name: marks[0].name})
			marks = marks[1:]
		}
		if i == len(code) {
			break
		}
		if m := b.top().method; m != nil && !b.began { // the line's code begins, behind the marks before it
			b.emit(event{kind: eventLine, line: b.line})
		}
		b.began = true
		b.char(code[i])
	}
	b.header.WriteByte(' ')
}

// emit adds an event to the method around it.
func (b *builder) emit(e event) {
	if m := b.top().method; m != nil {
		m.events = append(m.events, e)
	}
}

// char reads one character of code.
func (b *builder) char(c byte) {
	switch c {
	case '{':
		next := b.open(b.top(), b.header.String())
		b.stack = append(b.stack, next)
		b.header.Reset()
		if next.opens {
			next.method.depth = len(b.stack)
		}
		b.emit(event{kind: eventOpen, line: b.line, to: len(b.stack)})
	case '}':
		b.header.Reset()
		if len(b.stack) == 0 {
			return
		}
		b.emit(event{kind: eventClose, line: b.line, to: len(b.stack) - 1})
		b.stack = b.stack[:len(b.stack)-1]
	case ';':
		b.header.Reset()
	default:
		b.header.WriteByte(c)
	}
}

// open decides what a brace behind a header opens: a class, a method or a block.
func (s *structure) open(in scope, header string) scope {
	if in.method != nil {
		return scope{method: in.method, class: in.class} // blocks and anonymous classes belong to the method around them
	}
	words := strings.Fields(header)
	for i, w := range words {
		if w == "class" && i+1 < len(words) {
			name := words[i+1]
			s.classes = append(s.classes, class{name: name, nested: in.class != 0 && !strings.HasPrefix(name, "NestedClass")})
			return scope{class: len(s.classes) - 1}
		}
	}
	open := strings.IndexByte(header, '(')
	if open < 0 || strings.Contains(header[:open], "=") {
		return scope{class: in.class} // an initialiser
	}
	name := lastIdentifier(header[:open])
	if name == "" {
		return scope{class: in.class}
	}
	m := &method{name: name, class: in.class, params: header[open:]}
	s.methods = append(s.methods, m)
	if !s.classes[in.class].nested {
		s.byName[name] = m
	}
	return scope{method: m, class: in.class, opens: true}
}

// lastIdentifier returns the identifier with which s ends, blanks aside.
func lastIdentifier(s string) string {
	s = strings.TrimRight(s, " \t")
	i := len(s)
	for i > 0 && identPart(s[i-1]) {
		i--
	}
	return s[i:]
}

// addCalls inserts call events behind the line events of the lines that call methods of the unit.
func (s *structure) addCalls() {
	for _, m := range s.methods {
		out := make([]event, 0, len(m.events))
		for _, e := range m.events {
			out = append(out, e)
			if e.kind != eventLine || strings.IndexByte(s.lines[e.line].code, '(') < 0 {
				continue
			}
			code := s.lines[e.line].code
			identifiers(code, func(name string, end int) bool {
				if end < len(code) && code[end] == '(' {
					if callee, ok := s.byName[name]; ok && callee != m {
						out = append(out, event{kind: eventCall, line: e.line, name: name})
					}
				}
				return true
			})
		}
		m.events = out
	}
}
