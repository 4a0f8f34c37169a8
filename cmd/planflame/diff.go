package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/planflame/planflame/cmd/planflame/internal/render"
	"github.com/planflame/planflame/internal/columns"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/page"
)

const diffLong = `Compares the recordings of two runs, operator by operator. It shows CPU seconds of one run of the
query and CPU a row in both, and their difference with its 95 % interval. Operators are matched by
their stable names. An operator that only one recording knows is new or gone. What all operators
have in common, such as a slower machine, stands apart as "whole run".

"no change to be told" means that the interval of the rest holds 0. The interval has the sampling of
both recordings, the spread of their runs, and the spread of recordings of the same job. If both
recordings have three runs of a query or more, its first is left out: it compiles. So are failed
runs.

With --fail-above 10% the exit code is 3 if a query, an operator or the whole run costs at least so
much more and its interval does not hold 0. If all runs of a query failed in one of them,
it is an error.`

// grownCode is the exit code of a comparison that --fail-above refuses.
const grownCode = 3

// diffFormats are how a comparison can be written.
var diffFormats = map[string]func(io.Writer, *columns.Diff) error{
	"text":     render.DiffText,
	"markdown": render.DiffMarkdown,
	"json": func(w io.Writer, d *columns.Diff) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(d)
	},
}

func newDiff() *cobra.Command {
	var format, above, query string
	cmd := &cobra.Command{
		Use: "diff A B", Short: "Compare two runs, operator by operator", Long: diffLong, Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			write, known := diffFormats[format]
			if !known && format != "html" {
				return fmt.Errorf("--format %q: not text, markdown, json or html", format)
			}
			if format == "html" && query != "" {
				return errors.New("--format html is of both recordings whole: its page selects")
			}
			limit, err := parseLimit(above)
			if err != nil {
				return err
			}
			a, errA := analyze(results(args[0]).recording(), pipeline.Without{}, drawing{})
			b, errB := analyze(results(args[1]).recording(), pipeline.Without{}, drawing{})
			err = errors.Join(errA, errB)
			if a == nil || b == nil {
				return err
			}
			d := columns.Compare(a.model, b.model, args[0], args[1], columns.Selection{Query: query})
			if query != "" && len(d.Queries) == 0 {
				return errors.Join(err, fmt.Errorf("--query %q: in neither recording", query))
			}
			if format == "html" {
				err = errors.Join(err, page.Write(os.Stdout, a.model.Encode, b.model.Encode))
			} else {
				err = errors.Join(err, write(os.Stdout, d))
			}
			if err != nil {
				return err
			}
			if err := lostRuns(d); above != "" && err != nil {
				return fmt.Errorf("--fail-above: %w", err)
			}
			if grown := d.Grown(); above != "" && grown > 0 && grown >= limit {
				return exitError{grownCode}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text, markdown, json or html")
	cmd.Flags().StringVar(&above, "fail-above", "", "exit with code 3 if a query or an operator grew by so much or more, such as 10%")
	cmd.Flags().StringVar(&query, "query", "", "only this query: its name or fingerprint")
	return cmd
}

// lostRuns is an error if all runs of a query failed on one side. A program may expect a query to
// fail: then it does on both.
func lostRuns(d *columns.Diff) (err error) {
	for i := range d.Queries {
		q := &d.Queries[i]
		if q.Verdict != columns.Lost || q.RunsA == 0 && q.RunsB == 0 && q.FailedA > 0 && q.FailedB > 0 {
			continue
		}
		if q.FailedA > 0 && q.RunsA == 0 {
			err = errors.Join(err, lostIn(cmp.Or(q.Name, q.Query), q.FailedA, d.NameA))
		}
		if q.FailedB > 0 && q.RunsB == 0 {
			err = errors.Join(err, lostIn(cmp.Or(q.Name, q.Query), q.FailedB, d.NameB))
		}
	}
	return err
}

func lostIn(query string, runs int, recording string) error {
	return fmt.Errorf("%s: %d of %d runs failed in %s", query, runs, runs, recording)
}

// parseLimit reads a growth in per cent, "" for none.
func parseLimit(text string) (float64, error) {
	if text == "" {
		return 0, nil
	}
	limit, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
	if err != nil || !(limit >= 0) {
		return 0, fmt.Errorf("--fail-above %q: not a growth such as 10%%", text)
	}
	return limit / 100, nil
}
