package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/planflame/planflame/internal/pipeline"
)

const reportLong = `Computes the results of a run again from DIR/recording and prints the table on stdout. Without DIR
it takes the last run in planflame-out.

--format has other forms. text is the table, markdown the same for a ticket, json for programs,
html the page. pprof, collapsed and speedscope are stacks, with the stage at the root. --query,
--execution, --stage, --operator, --task, --from, --to and --search select a part. --dictionary
prints what each line of generated code belongs to: rule, operator, plan node and part.

--against OLD says why a run of each query costs more or less CPU than in the recording of folder
OLD. Four reasons sum to the change, each with its 95 % interval:
  rows       operators took in more or fewer rows
  plan       operators are in one recording only
  whole run  what all operators have in common
  code       the rest: an operator's own cost per row

--write replaces DIR/profile.pb.gz, summary.json and report.html; --into writes them elsewhere.
--push sends the profile to the server of PYROSCOPE_URL, as run does.

--without leaves evidence out, to see what it is worth:
  stack-repair  the kernel's frame-pointer chain is left
  line-repair   debug info is believed as it is
  lines         the names of methods alone tell generated code apart
--run-fraction leaves runs out, as if run had been started with it. The summary then has the
estimates for all runs under "runs". Compare them with the whole recording.

If a recording was cut off, it prints what is there and an error on stderr, and exits with 2.`

func newReport() *cobra.Command {
	var write, counts, send bool
	var show showing
	var into, old string
	var leave []string
	var draw drawing
	var part selecting
	cmd := &cobra.Command{
		Use: "report [DIR]", Short: "Compute the results of a run again from its recording", Long: reportLong, Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			out, err := lastRun(args)
			if err != nil {
				return fmt.Errorf("report: %w", err)
			}
			var server *pyroscope
			if send {
				if server, err = serverOf(); err != nil {
					return err
				}
				if server == nil {
					return fmt.Errorf("--push: %s is not set", envPyroscope)
				}
			}
			if old != "" {
				return reportAgainst(out, results(old), &part)
			}
			without, err := parseWithout(leave)
			if err != nil {
				return err
			}
			if err := errors.Join(draw.validate(), show.validate(), part.settle()); err != nil {
				return err
			}
			a, readErr := analyze(out.recording(), without, draw)
			if a == nil || a.profile == nil {
				return readErr
			}
			if err := part.check(cmd.Flags(), a); err != nil {
				return errors.Join(readErr, err)
			}
			if part.modelFile != "" {
				a.hold(part.model)
			}
			if write {
				into = string(out)
			}
			if into != "" {
				if err := a.writeInto(into); err != nil {
					return err
				}
			}
			if show.json {
				err = asJSON(os.Stdout, a.summary, "  ")
			} else {
				err = part.print(a, &show)
			}
			if all := part.selection(); all.IsAll() && a.totals.Tasks == 0 && a.summary.Samples == 0 {
				a.advise()
			}
			if counts {
				err = errors.Join(err, a.printCounts())
			}
			if err != nil {
				return err
			}
			if server == nil {
				return readErr
			}
			return errors.Join(readErr, pushAgain(orBackground(cmd.Context()), server, a))
		},
	}
	cmd.Flags().BoolVar(&show.json, "json", false, "print the summary as JSON")
	show.flags(cmd.Flags())
	cmd.Flags().BoolVar(&write, "write", false, "replace profile.pb.gz, summary.json and report.html")
	cmd.Flags().StringVar(&into, "into", "", "write profile.pb.gz, summary.json and report.html into this folder")
	cmd.Flags().StringSliceVar(&leave, "without", nil, "leave evidence out: stack-repair, line-repair, lines; comma separated")
	draw.flags(cmd.Flags())
	cmd.Flags().BoolVar(&send, "push", false, "send the profile to the server of PYROSCOPE_URL; if sent twice, it counts twice")
	cmd.Flags().BoolVar(&counts, "counts", false, "also print counters: samples lost and repaired, records dropped, the agent's own CPU")
	cmd.Flags().StringVar(&old, "against", "", "say why a run costs more or less CPU than in the results of this folder (text, json)")
	part.flags(cmd)
	for _, flag := range []string{"json", "write", "into", "push", "without", "counts", "run-fraction", "execution", "stage", "operator", "task", "from", "to", "search", "model", "dictionary"} {
		cmd.MarkFlagsMutuallyExclusive("against", flag)
	}
	cmd.MarkFlagsMutuallyExclusive("json", "counts")
	cmd.MarkFlagsMutuallyExclusive("write", "into")
	cmd.MarkFlagsMutuallyExclusive("write", "without") // a run's own results are never less than they could be
	cmd.MarkFlagsMutuallyExclusive("push", "without")
	cmd.MarkFlagsMutuallyExclusive("write", "run-fraction")
	cmd.MarkFlagsMutuallyExclusive("push", "run-fraction")
	rarely(cmd, "write", "into", "without", "run-fraction", "seed", "push", "counts")
	return cmd
}

// parseWithout reads the names of --without.
func parseWithout(names []string) (w pipeline.Without, err error) {
	for _, name := range names {
		switch name {
		case "stack-repair":
			w.StackRepair = true
		case "line-repair":
			w.LineRepair = true
		case "lines":
			w.Lines = true
		default:
			return w, fmt.Errorf("--without %q: not stack-repair, line-repair or lines", name)
		}
	}
	return w, nil
}

// writeInto writes the results into a folder, which is made if it is not there.
func (a *analysis) writeInto(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("--into: %w", err)
	}
	return a.write(results(dir))
}

// printCounts prints what was counted on the way.
func (a *analysis) printCounts() error {
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
