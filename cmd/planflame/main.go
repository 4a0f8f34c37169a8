package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

// exitError carries the exit code of a job that ran.
type exitError struct{ code int }

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

// usageCode is the exit code of errors of planflame's own.
const usageCode = 2

func main() {
	err := newRoot().Execute()
	var exit exitError
	switch {
	case err == nil:
	case errors.As(err, &exit):
		os.Exit(exit.code)
	default:
		fmt.Fprintf(os.Stderr, "planflame: %v\n", err)
		os.Exit(usageCode)
	}
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "planflame",
		Short:         "Which operators of which Spark SQL queries use the CPU",
		Long:          rootLong,
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       versionName(),
		Args:          cobra.ArbitraryArgs,
	}
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		return unknownCommand(cmd, args)
	}
	root.SuggestionsMinimumDistance = 2
	root.Flags().SetInterspersed(false) // the flags behind an unknown command are that command's
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fmt.Errorf("%w: see %s --help", err, cmd.CommandPath())
	})
	root.AddCommand(newRun(), newRecord(), newDebug(), newReport(), newDiff(), newTime(), newModel(), newTrial(), newView(), newDoctor(), newVersion(), newMergeConf())
	return root
}
