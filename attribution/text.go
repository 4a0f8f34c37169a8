package attribution

import "strings"

// textLine is one line of generated text with comments and the contents of literals taken out.
type textLine struct {
	code    string   // what the compiler sees, trimmed; literals are empty
	marks   []mark   // comments of the form /*name*/, in order
	metrics []string // names of the SQLMetrics referred to
}

// mark is a placeholder comment at a place in a line's code.
type mark struct {
	name string
	at   int // offset in code before trimming of the end
}

// lexer takes comments and literals out of Java text, line by line.
type lexer struct {
	inBlock bool // within a comment that began on an earlier line
}

// splitLines lexes a whole text. Line n of the text is element n-1.
func splitLines(body string) []textLine {
	lines := make([]textLine, 0, strings.Count(body, "\n")+1)
	var lex lexer
	for len(body) > 0 {
		line, rest, _ := strings.Cut(body, "\n")
		lines = append(lines, lex.line(line))
		body = rest
	}
	return lines
}

// line lexes one line without its line feed.
func (l *lexer) line(s string) textLine {
	var out textLine
	code := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		if l.inBlock {
			end := strings.Index(s[i:], "*/")
			if end < 0 {
				break
			}
			i += end + 2
			l.inBlock = false
			continue
		}
		c := s[i]
		switch {
		case c == '"' || c == '\'':
			i = skipLiteral(s, i)
			code = append(code, c, c)
		case c == '/' && strings.HasPrefix(s[i:], "//"):
			i = len(s)
		case c == '/' && strings.HasPrefix(s[i:], "/*"):
			end := strings.Index(s[i+2:], "*/")
			if end < 0 {
				l.inBlock = true
				i = len(s)
				continue
			}
			out.comment(s[i+2:i+2+end], code)
			i += end + 4
		case len(code) == 0 && (c == ' ' || c == '\t' || c == '\r'):
			i++
		default:
			code = append(code, c)
			i++
		}
	}
	out.code = strings.TrimRight(string(code), " \t\r")
	return out
}

// comment notes a comment that was closed on its own line: a placeholder, or the name of a
// reference.
func (t *textLine) comment(text string, before []byte) {
	name := strings.TrimSpace(text)
	if name == "" || strings.ContainsAny(name, " \t") {
		return
	}
	if text == name { // placeholders have no blanks around them, names of references do
		t.marks = append(t.marks, mark{name, len(before)})
		return
	}
	const longest = 64 // `SQLMetric) references[n]` and the blank behind it
	reference := strings.TrimRight(string(before[max(0, len(before)-longest):]), " ")
	open := strings.LastIndex(reference, "SQLMetric) references[")
	if open >= 0 && !strings.Contains(reference[open+len("SQLMetric) references["):], " ") {
		t.metrics = append(t.metrics, name)
	}
}

// skipLiteral returns the offset behind the string or character literal that begins at i; an
// unclosed one ends with its line.
func skipLiteral(s string, i int) int {
	quote := s[i]
	for i++; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		}
	}
	return len(s)
}

// identifiers calls f with every identifier of code and the offset behind it, until f returns
// false.
func identifiers(code string, f func(name string, end int) bool) {
	for i := 0; i < len(code); {
		if !identStart(code[i]) {
			if code[i] >= '0' && code[i] <= '9' { // a number and its suffix
				for i < len(code) && (identPart(code[i]) || code[i] == '.') {
					i++
				}
				continue
			}
			i++
			continue
		}
		start := i
		for i < len(code) && identPart(code[i]) {
			i++
		}
		if !f(code[start:i], i) {
			return
		}
	}
}

func identStart(c byte) bool { return c == '_' || c == '$' || c|0x20 >= 'a' && c|0x20 <= 'z' }
func identPart(c byte) bool  { return identStart(c) || c >= '0' && c <= '9' }
