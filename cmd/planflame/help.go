package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/planflame/planflame/cmd/planflame/internal/sparkconf"
)

const rootLong = `planflame shows which operators of which Spark SQL queries use the CPU.

  planflame run -- spark-submit job.py   run a job, and see its operators as a table
  planflame run -- python job.py         the same with PySpark alone
  planflame view                         the page of the last run, in the browser
  planflame diff BEFORE AFTER            two runs, operator by operator
  planflame report NEW --against OLD     why a run costs more
  planflame time                         where the wall time of the last run went

planflame doctor says whether this machine allows it. The job needs no change, and its output and exit code stay its own.`

// rarely groups the flags of a command in its help: those named come last, under a heading of their
// own.
func rarely(cmd *cobra.Command, names ...string) {
	cmd.SetUsageFunc(func(cmd *cobra.Command) error {
		often, rare := pflag.NewFlagSet("", pflag.ContinueOnError), pflag.NewFlagSet("", pflag.ContinueOnError)
		rarely := map[string]bool{}
		for _, name := range names {
			rarely[name] = true
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if rarely[f.Name] {
				rare.AddFlag(f)
			} else {
				often.AddFlag(f)
			}
		})
		_, err := fmt.Fprintf(cmd.OutOrStdout(), "Usage:\n  %s\n\nFlags:\n%s\nFlags that few need:\n%s", cmd.UseLine(), often.FlagUsages(), rare.FlagUsages())
		return err
	})
}

// unknownCommand is the error of a command that planflame does not have: often it is the user's own
// program.
func unknownCommand(root *cobra.Command, args []string) error {
	if close := root.SuggestionsFor(args[0]); len(close) > 0 {
		return fmt.Errorf("%s is no command: did you mean `planflame %s`?", args[0], strings.Join(close, "` or `planflame "))
	}
	if isProgram(args[0]) {
		words := make([]string, len(args))
		for i, arg := range args {
			words[i] = sparkconf.Quote(arg)
		}
		return fmt.Errorf("%s is no command: did you mean `planflame run -- %s`?", args[0], strings.Join(words, " "))
	}
	return fmt.Errorf("%s is no command: see planflame --help", args[0])
}

// isProgram reports whether a word is a program that could be run, or a file, as job.py.
func isProgram(word string) bool {
	if _, err := exec.LookPath(word); err == nil {
		return true
	}
	_, err := os.Stat(word)
	return err == nil
}
