package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/planflame/planflame/cmd/planflame/internal/sparkconf"
)

// newMergeConf is the command that a Spark below planflame run calls before it reads its
// configuration.
func newMergeConf() *cobra.Command {
	return &cobra.Command{
		Use: sparkconf.MergeCommand + " DIR CONF [ARGUMENT...]", Short: "Make the configuration folder of a Spark below planflame run",
		Hidden: true, DisableFlagParsing: true, Args: cobra.MinimumNArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			conf, err := sparkconf.Merge(args[0], args[1], args[2:])
			if err != nil {
				return fmt.Errorf("%w: this Spark runs without being profiled", err)
			}
			_, err = fmt.Println(conf)
			return err
		},
	}
}
