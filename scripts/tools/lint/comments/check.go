package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"
)

const (
	mostWords   = 30  // of a sentence
	mostColumns = 100 // of a comment line
	tabColumns  = 4
)

// problem is what is wrong at a line, which counts from 1.
type problem struct {
	line int
	text string
}

var (
	generated = regexp.MustCompile(`^(?://|/\*|#).*DO NOT EDIT`)
	slashed   = regexp.MustCompile(`^\s*(//|\*( |$)|/\*)`)
	hashed    = regexp.MustCompile(`^\s*# \S`)
	leftAlone = regexp.MustCompile(`^\s*//(\t|[a-z]+:)|[─│▶┌└├═╪]`)
	// unclear are the words that docs/prose_test.go forbids in the docs.
	unclear   = regexp.MustCompile(`(?i)\b(?:dearer|anew|nobody|tells whether|that of|those of|whereof)\b`)
	sentence  = regexp.MustCompile(`[.!?][")]*\s+`)
	hasLetter = regexp.MustCompile(`[\pL\d]`)
)

// language returns how a file's comments are written: "go", "c", or "#" for lines that begin with
// it; "" for files that have none.
func language(path string, source []byte) string {
	switch filepath.Ext(path) {
	case ".go":
		return "go"
	case ".c", ".h", ".java", ".mjs", ".ts", ".svelte":
		return "c"
	case ".sh", ".py", ".yaml", ".yml":
		return "#"
	case "":
		if filepath.Base(path) == "Makefile" || bytes.HasPrefix(source, []byte("#!")) {
			return "#"
		}
	}
	return ""
}

// check returns the problems of one file. Only Go that does not parse is an error.
func check(path string, source []byte) ([]problem, error) {
	lines := strings.Split(string(source), "\n")
	for _, line := range lines[:min(5, len(lines))] {
		if generated.MatchString(line) {
			return nil, nil
		}
	}
	var problems []problem
	var blocks []block
	switch language(path, source) {
	case "go":
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, source, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		blocks = blocksOfGo(files, file)
		if !strings.HasSuffix(path, "_test.go") {
			problems = names(files, file)
		}
		problems = append(problems, wide(lines, slashed)...)
	case "c":
		blocks = blocksOfC(string(source))
		problems = wide(lines, slashed)
	case "#":
		blocks = blocksOfHash(lines)
		problems = wide(lines, hashed)
	}
	for _, b := range blocks {
		problems = append(problems, prose(b)...)
	}
	return problems, nil
}

// wide returns the comment lines that are too wide.
func wide(lines []string, comment *regexp.Regexp) []problem {
	var out []problem
	for i, line := range lines {
		columns := utf8.RuneCountInString(line) + strings.Count(line, "\t")*(tabColumns-1)
		if columns > mostColumns && comment.MatchString(line) && !leftAlone.MatchString(line) && !table.MatchString(line) {
			out = append(out, problem{i + 1, fmt.Sprintf("comment line of %d columns, more than %d", columns, mostColumns)})
		}
	}
	return out
}

// prose returns long sentences and unclear words of a paragraph.
func prose(b block) []problem {
	var out []problem
	for _, s := range sentence.Split(b.text+" ", -1) {
		n := 0
		for word := range strings.FieldsSeq(s) {
			if hasLetter.MatchString(word) {
				n++
			}
		}
		if n > mostWords {
			out = append(out, problem{b.line, fmt.Sprintf("sentence of %d words, more than %d: %s", n, mostWords, s)})
		}
	}
	for _, word := range unclear.FindAllString(b.text, -1) {
		out = append(out, problem{b.line, fmt.Sprintf("unclear words %q", word)})
	}
	return out
}

// documented is a name with the comments that may explain it.
type documented struct {
	name *ast.Ident
	docs []*ast.CommentGroup
}

// names returns the exported names of a file whose comment says no more than the name: of
// functions, types, methods of exported types, constants and variables. The comment of a group of
// constants or variables explains each of them.
func names(files *token.FileSet, file *ast.File) []problem {
	var all []documented
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type)) {
				all = append(all, documented{d.Name, []*ast.CommentGroup{d.Doc}})
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					all = append(all, documented{s.Name, []*ast.CommentGroup{d.Doc, s.Doc, s.Comment}})
				case *ast.ValueSpec:
					for _, name := range s.Names {
						all = append(all, documented{name, []*ast.CommentGroup{d.Doc, s.Doc, s.Comment}})
					}
				}
			}
		}
	}
	var out []problem
	for _, d := range all {
		if d.name.IsExported() && !explained(d) {
			out = append(out, problem{files.Position(d.name.Pos()).Line, "no comment says more of " + d.name.Name + " than its name"})
		}
	}
	return out
}

// receiver returns the name of a method's type.
func receiver(e ast.Expr) string {
	for {
		switch t := e.(type) {
		case *ast.StarExpr:
			e = t.X
		case *ast.IndexExpr:
			e = t.X
		case *ast.IndexListExpr:
			e = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}

// fillers say nothing beside a name.
var fillers = regexp.MustCompile(`(?i)^(?:a|an|the|is|are|of|returns|return|gets|sets|this|its|and)$`)

// explained reports whether a comment has a word that is neither in the name nor a filler.
func explained(d documented) bool {
	name := strings.ToLower(d.name.Name)
	for _, group := range d.docs {
		for word := range strings.FieldsSeq(group.Text()) {
			word = strings.ToLower(strings.Trim(word, ".,:;()\""))
			if hasLetter.MatchString(word) && !fillers.MatchString(word) && !strings.Contains(name, word) {
				return true
			}
		}
	}
	return false
}
