package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

const reportLong = `Computes the results of a run again from DIR/recording and prints the table on stdout, or the summary as JSON.
With --write it also replaces DIR/profile.pb.gz and DIR/summary.json. A recording that was cut off gives what is there, an error on
stderr, and exit code 2.`

func newReport() *cobra.Command {
	var asJSON, write, counts bool
	cmd := &cobra.Command{
		Use: "report DIR", Short: "Compute the results of a run again from its recording", Long: reportLong, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			out := results(args[0])
			a, readErr := analyze(out.recording())
			if a == nil || a.profile == nil {
				return readErr
			}
			if write {
				if err := a.write(out); err != nil {
					return err
				}
			}
			if err := a.print(asJSON, counts); err != nil {
				return err
			}
			return readErr
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the summary as JSON")
	cmd.Flags().BoolVar(&write, "write", false, "replace profile.pb.gz and summary.json")
	cmd.Flags().BoolVar(&counts, "counts", false, "print what was counted on the way, too")
	return cmd
}

// print prints the summary on stdout.
func (a *analysis) print(asJSON, counts bool) error {
	if asJSON {
		e := json.NewEncoder(os.Stdout)
		e.SetIndent("", "  ")
		return e.Encode(a.summary)
	}
	if err := a.summary.Table(os.Stdout); err != nil {
		return err
	}
	if !counts {
		return nil
	}
	_, err := fmt.Printf("\ntotals   %+v\npipeline %+v\nsampler  %+v\n", a.totals, a.counts, a.sampler)
	for _, d := range a.details {
		if err == nil {
			_, err = fmt.Println(d)
		}
	}
	return err
}
