package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/spf13/pflag"
	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/cmd/planflame/internal/outcome"
)

// showing says how results are printed.
type showing struct {
	json bool
	sort string
	ids  bool
	all  bool
}

func (s *showing) flags(f *pflag.FlagSet) {
	f.StringVar(&s.sort, "sort", string(outcome.SortPlan), "order of a query's operators: plan (a tree) or cpu")
	f.BoolVar(&s.all, "all", false, "a row for every operator and query, however small")
	f.BoolVar(&s.ids, "ids", false, "also the stable ids of queries, plans, operators and stages")
}

func (s *showing) validate() error {
	if sort := outcome.Sort(s.sort); sort != outcome.SortPlan && sort != outcome.SortCPU {
		return fmt.Errorf("--sort %q: not plan or cpu", s.sort)
	}
	return nil
}

// table prints a summary as a table that fits a file: the terminal's width, and styles, if it is
// one.
func (s *showing) table(to *os.File, sum outcome.Summary) error {
	width, terminal := terminalWidth(to)
	return sum.Table(to, outcome.TableOptions{Width: width, Color: terminal && colors(os.LookupEnv), Sort: outcome.Sort(s.sort), IDs: s.ids, All: s.all})
}

// terminalWidth is the width of the terminal that a file is; COLUMNS, where it is set, says another
// for terminals and other files alike. 0 unknown.
func terminalWidth(f *os.File) (width int, terminal bool) {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if terminal = err == nil; terminal {
		width = int(size.Col)
	}
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && columns > 0 {
		width = columns
	}
	return width, terminal
}

// colors reports whether the environment lets a terminal have styles (no-color.org, terminfo's
// dumb).
func colors(env func(string) (string, bool)) bool {
	off, _ := env("NO_COLOR")
	term, _ := env("TERM")
	return off == "" && term != "dumb"
}

// asJSON prints a summary for programs.
func asJSON(to io.Writer, sum outcome.Summary, indent string) error {
	e := json.NewEncoder(to)
	e.SetIndent("", indent)
	return e.Encode(sum)
}
