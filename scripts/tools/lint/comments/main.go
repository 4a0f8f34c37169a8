// Command comments holds the comments of source files to the house's language. It fails on:
//
//   - a sentence of more than 30 words
//   - words that make a reader stop (unclear in check.go)
//   - a comment line wider than 100 columns
//   - an exported Go name whose comment is missing or repeats the name alone
//
// Drawings, tables, indented code and directives are left alone, and so are generated files. A tab
// counts as four columns. A word has a letter or a digit, as in docs/prose_test.go.
//
// Usage: comments FILE …
package main

import (
	"fmt"
	"os"
)

func main() {
	found := 0
	for _, path := range os.Args[1:] {
		if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
			continue // deleted and not yet committed; or a link to a file that is checked itself
		}
		source, err := os.ReadFile(path)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		problems, err := check(path, source)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		for _, p := range problems {
			fmt.Printf("%s:%d: %s\n", path, p.line, p.text)
		}
		found += len(problems)
	}
	if found > 0 {
		fmt.Fprintf(os.Stderr, "comments: %d problems\n", found)
		os.Exit(1)
	}
}
