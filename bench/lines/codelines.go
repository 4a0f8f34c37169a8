package main

import (
	"fmt"
	"strconv"
	"strings"
)

// codeLine is a line of generated text that has code in it.
type codeLine struct {
	number int    // in the text, from 1
	code   string // without comments and outer blanks
	owner  int    // who wrote its first character of code, by number; unsigned: no one said
	mixed  bool   // others wrote characters of it too
}

const unsigned = -1

// signature comments are /*@<3*/ (3 begins to write), /*@<3e*/ (an expression of 3 does) and /*@>*/
// (whoever began last ends).
const (
	signatureOpen  = "/*@<"
	signatureClose = "/*@>*/"
)

// codeLines takes comments and blank lines out of generated text, and reads its signatures. Errors
// name the line: a signature that is malformed or not closed.
func codeLines(text string) ([]codeLine, error) {
	var (
		out     []codeLine
		owners  []int
		inBlock bool
	)
	for i, line := range strings.Split(text, "\n") {
		now := codeLine{number: i + 1, owner: unsigned}
		var code strings.Builder
		put := func(s string) {
			if strings.TrimSpace(s) != "" {
				now.wrote(top(owners), strings.TrimSpace(code.String()) == "")
			}
			code.WriteString(s)
		}
		for line != "" {
			switch {
			case inBlock:
				_, rest, ended := strings.Cut(line, "*/")
				line, inBlock = rest, !ended
			case strings.HasPrefix(line, signatureClose):
				if len(owners) == 0 {
					return nil, fmt.Errorf("line %d: a signature ends that did not begin", i+1)
				}
				owners, line = owners[:len(owners)-1], line[len(signatureClose):]
			case strings.HasPrefix(line, signatureOpen):
				name, rest, ended := strings.Cut(line[len(signatureOpen):], "*/")
				owner, err := strconv.Atoi(strings.TrimSuffix(name, "e"))
				if err != nil || owner < 0 || !ended {
					return nil, fmt.Errorf("line %d: signature %q", i+1, name)
				}
				owners, line = append(owners, owner), rest
			case strings.HasPrefix(line, "/*"):
				line, inBlock = line[2:], true
			case strings.HasPrefix(line, "//"):
				line = ""
			case line[0] == '"' || line[0] == '\'':
				n := literal(line)
				put(line[:n])
				line = line[n:]
			default:
				put(line[:1])
				line = line[1:]
			}
		}
		if now.code = strings.TrimSpace(code.String()); now.code != "" {
			out = append(out, now)
		}
	}
	if len(owners) != 0 {
		return nil, fmt.Errorf("%d signatures do not end", len(owners))
	}
	return out, nil
}

func (c *codeLine) wrote(owner int, first bool) {
	if first {
		c.owner = owner
	} else if c.owner != owner {
		c.mixed = true
	}
}

func top(owners []int) int {
	if len(owners) == 0 {
		return unsigned
	}
	return owners[len(owners)-1]
}

// literal is the length of the string or character literal that line begins with; an open one ends
// with the line.
func literal(line string) int {
	for i := 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case line[0]:
			return i + 1
		}
	}
	return len(line)
}

// sameCode reports whether two texts are the same but for comments and blank lines; if not, it
// is the first line that differs.
func sameCode(a, b []codeLine) (bool, string) {
	for i := range min(len(a), len(b)) {
		if a[i].code != b[i].code {
			return false, fmt.Sprintf("line %d: %q, signed %q", a[i].number, a[i].code, b[i].code)
		}
	}
	return len(a) == len(b), fmt.Sprintf("%d lines of code, signed %d", len(a), len(b))
}
