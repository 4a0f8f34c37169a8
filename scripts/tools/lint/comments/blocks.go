package main

import (
	"go/ast"
	"go/token"
	"regexp"
	"strings"
)

// block is a paragraph or a list's item of a comment, without its marks. Line is its first, from 1.
type block struct {
	line int
	text string
}

var (
	item     = regexp.MustCompile(`^(?:(?:[-*•]|\d+[.)]) |Usage:|Needs:)`)
	table    = regexp.MustCompile(`\S {3,}\S`)
	javaTag  = regexp.MustCompile(`^(?:@\w|</?(?:p|ul|ol|li|pre)>)`)
	javaCode = regexp.MustCompile(`\{@\w+ ([^}]*)\}`)
)

// paragraphs joins the lines of one comment. Code is no prose: a text that begins with a tab, or a
// paragraph that begins with three blanks. Nor is a row of a table, with three blanks between
// words.
type paragraphs struct {
	out  []block
	open block
}

func (p *paragraphs) end() {
	if p.open.text != "" {
		p.out = append(p.out, p.open)
	}
	p.open = block{}
}

func (p *paragraphs) add(line int, text string) {
	trimmed := strings.TrimSpace(text)
	switch {
	case trimmed == "", leftAlone.MatchString("//" + text), table.MatchString(trimmed), p.open.text == "" && strings.HasPrefix(text, "   ") && !item.MatchString(trimmed):
		p.end()
		return
	case item.MatchString(trimmed), javaTag.MatchString(trimmed):
		p.end()
	}
	if p.open.text == "" {
		p.open.line = line
	}
	p.open.text += javaCode.ReplaceAllString(trimmed, "$1") + " "
}

// blocksOfGo returns the paragraphs of a Go file's comments. A trailing comment is one of its own.
func blocksOfGo(files *token.FileSet, file *ast.File) []block {
	var p paragraphs
	for _, group := range file.Comments {
		for _, c := range group.List {
			line := files.Position(c.Pos()).Line
			if text, ok := strings.CutPrefix(c.Text, "//"); ok {
				p.add(line, text)
				continue
			}
			p.addStarred(line, c.Text)
		}
		p.end()
	}
	return p.out
}

// addStarred adds the text between /* and */.
func (p *paragraphs) addStarred(line int, text string) {
	p.end()
	text = strings.TrimSuffix(strings.TrimLeft(strings.TrimPrefix(text, "/*"), "*"), "*/")
	for i, l := range strings.Split(text, "\n") {
		trimmed := strings.TrimLeft(l, " \t")
		if starred, ok := strings.CutPrefix(trimmed, "*"); ok && i > 0 {
			l = starred
		} else if i > 0 {
			l = trimmed
		}
		p.add(line+i, l)
	}
	p.end()
}

// tokens of C and Java in which a comment's marks are not a comment's, and comments themselves.
var cToken = regexp.MustCompile(`(?s)"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|/\*.*?\*/|//[^\n]*`)

// blocksOfC returns the paragraphs of the comments of C or Java. Comments of neighboring lines are
// one, unless code is before the second.
func blocksOfC(source string) []block {
	var p paragraphs
	last := -1
	for _, at := range cToken.FindAllStringIndex(source, -1) {
		text := source[at[0]:at[1]]
		line := strings.Count(source[:at[0]], "\n") + 1
		alone := strings.TrimSpace(source[strings.LastIndexByte(source[:at[0]], '\n')+1:at[0]]) == ""
		switch {
		case strings.HasPrefix(text, "/*"):
			p.addStarred(line, text)
		case strings.HasPrefix(text, "//"):
			if line != last+1 || !alone {
				p.end()
			}
			p.add(line, text[2:])
			last = line
		}
	}
	p.end()
	return p.out
}

// blocksOfHash returns the paragraphs of the lines that begin with #.
func blocksOfHash(lines []string) []block {
	var p paragraphs
	for i, line := range lines {
		text, ok := strings.CutPrefix(strings.TrimSpace(line), "#")
		if !ok || strings.HasPrefix(text, "!") {
			p.end()
			continue
		}
		p.add(i+1, text)
	}
	p.end()
	return p.out
}
