package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

const reportLong = `Computes the results of a run again from DIR/recording and prints the table on stdout, or the summary as JSON.
With --write it also replaces DIR/profile.pb.gz and DIR/summary.json; with --push it sends the profile to the server of PYROSCOPE_URL, as
run does. A recording that was cut off gives what is there, an error on stderr, and exit code 2.`

func newReport() *cobra.Command {
	var asJSON, write, counts, send bool
	cmd := &cobra.Command{
		Use: "report DIR", Short: "Compute the results of a run again from its recording", Long: reportLong, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			out := results(args[0])
			var server *pyroscope
			if send {
				var err error
				if server, err = serverOf(); err != nil {
					return err
				}
				if server == nil {
					return fmt.Errorf("--push: %s is not set", envPyroscope)
				}
			}
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
			if server == nil {
				return readErr
			}
			return errors.Join(readErr, pushAgain(orBackground(cmd.Context()), server, a))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the summary as JSON")
	cmd.Flags().BoolVar(&write, "write", false, "replace profile.pb.gz and summary.json")
	cmd.Flags().BoolVar(&send, "push", false, "send the profile to the server of PYROSCOPE_URL")
	cmd.Flags().BoolVar(&counts, "counts", false, "print what was counted on the way, too: samples lost and repaired, records dropped, the agent's own CPU")
	cmd.MarkFlagsMutuallyExclusive("json", "counts")
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

// pushAgain pushes a run's results a second time, or for the first.
func pushAgain(ctx context.Context, server *pyroscope, a *analysis) error {
	services, err := server.push(ctx, a)
	server.announce(services)
	return err
}
