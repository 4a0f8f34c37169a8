// Command functions warns of Go functions that are long or have many parameters. It never fails: a
// reviewer judges.
//
// Usage: functions FILE …
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
)

const (
	mostLines      = 60 // of the whole function; the house style asks for 90 % below 40
	mostParameters = 5  // more is a struct
)

func main() {
	warnings := 0
	for _, path := range os.Args[1:] {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if ast.IsGenerated(file) {
			continue
		}
		ast.Inspect(file, func(node ast.Node) bool {
			f, ok := node.(*ast.FuncDecl)
			if !ok {
				return true
			}
			at := files.Position(f.Pos())
			if lines := files.Position(f.End()).Line - at.Line + 1; lines > mostLines {
				fmt.Printf("%s:%d: warning: %s has %d lines, more than %d\n", path, at.Line, f.Name.Name, lines, mostLines)
				warnings++
			}
			if n := f.Type.Params.NumFields(); n > mostParameters {
				fmt.Printf("%s:%d: warning: %s has %d parameters, more than %d\n", path, at.Line, f.Name.Name, n, mostParameters)
				warnings++
			}
			return false
		})
	}
	if warnings > 0 {
		fmt.Printf("functions: %d warnings\n", warnings)
	}
}
