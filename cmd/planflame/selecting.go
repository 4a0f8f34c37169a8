package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/planflame/planflame/cmd/planflame/internal/outcome"
	"github.com/planflame/planflame/cmd/planflame/internal/render"
	"github.com/planflame/planflame/internal/columns"
	"github.com/planflame/planflame/tasksample"
)

// selecting are the flags that select a part of a recording and the format in which it is written.
type selecting struct {
	format                 string // "": the table
	query, operator        string
	execution, stage, task int64
	from, to               time.Duration
	search                 string
	operatorsOnly          bool
	dictionary             bool
}

// formats are how a selection can be written.
var formats = map[string]func(io.Writer, *selecting, *analysis) error{
	"text": func(w io.Writer, s *selecting, a *analysis) error {
		return render.Text(w, a.model.Report(s.selection()))
	},
	"markdown": func(w io.Writer, s *selecting, a *analysis) error {
		return render.Markdown(w, a.model.Report(s.selection()))
	},
	"json": func(w io.Writer, s *selecting, a *analysis) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(a.model.Report(s.selection()))
	},
	"pprof": func(w io.Writer, s *selecting, a *analysis) error {
		p, err := outcome.Pprof(a.model.Profile(s.selection()), a.window, a.period())
		if err != nil {
			return err
		}
		return p.Write(w)
	},
	"collapsed": func(w io.Writer, s *selecting, a *analysis) error {
		return render.Collapsed(w, a.model, s.selection(), s.operatorsOnly)
	},
	"speedscope": func(w io.Writer, s *selecting, a *analysis) error {
		return render.Speedscope(w, a.model, s.selection(), s.operatorsOnly)
	},
	"html": func(w io.Writer, _ *selecting, a *analysis) error { return a.writePage(w) },
}

func (s *selecting) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&s.format, "format", "", "text, markdown, json, html, pprof, collapsed or speedscope, instead of the table")
	f.StringVar(&s.query, "query", "", "only this query: its name or fingerprint")
	f.Int64Var(&s.execution, "execution", -1, "only this SQL execution")
	f.Int64Var(&s.stage, "stage", -1, "only this stage")
	f.StringVar(&s.operator, "operator", "", "only this operator: its name or id, or a bucket in brackets")
	f.Int64Var(&s.task, "task", -1, "only this task attempt")
	f.DurationVar(&s.from, "from", 0, "only from this time on, since the start of the recording, such as 1.5s")
	f.DurationVar(&s.to, "to", 0, "only up to this time")
	f.StringVar(&s.search, "search", "", "only stacks with a frame whose name holds this text")
	f.BoolVar(&s.operatorsOnly, "operators-only", false, "of stacks only stages and operators (collapsed, speedscope)")
	f.BoolVar(&s.dictionary, "dictionary", false, "print what each line of generated code belongs to")
	cmd.MarkFlagsMutuallyExclusive("format", "dictionary")
	for _, flag := range []string{"format", "dictionary"} {
		cmd.MarkFlagsMutuallyExclusive(flag, "json")
		cmd.MarkFlagsMutuallyExclusive(flag, "counts")
	}
}

// selection is what the flags select.
func (s *selecting) selection() columns.Selection {
	out := columns.Selection{Query: s.query, Operator: s.operator, From: s.from, To: s.to, Search: s.search}
	if s.execution >= 0 {
		id := tasksample.ExecutionID(s.execution)
		out.Execution = &id
	}
	if s.stage >= 0 {
		id := tasksample.StageID(s.stage)
		out.Stage = &id
	}
	if s.task >= 0 {
		id := tasksample.TaskAttemptID(s.task)
		out.Task = &id
	}
	return out
}

// settle refuses what cannot be. A selection alone is written as text.
func (s *selecting) settle() error {
	if all := s.selection(); s.format == "" && !all.IsAll() {
		s.format = "text"
	}
	if _, known := formats[s.format]; s.format != "" && !known {
		return fmt.Errorf("--format %q: not text, markdown, json, html, pprof, collapsed or speedscope", s.format)
	}
	if all := s.selection(); s.format == "html" && !all.IsAll() {
		return errors.New("--format html is of the whole recording: its page selects")
	}
	if all := s.selection(); s.dictionary && !all.IsAll() {
		return errors.New("--dictionary is of the whole recording")
	}
	if s.operatorsOnly && s.format != "collapsed" && s.format != "speedscope" {
		return errors.New("--operators-only is of --format collapsed or speedscope")
	}
	if s.from < 0 || s.to < 0 || s.to > 0 && s.to <= s.from {
		return fmt.Errorf("--from %v --to %v: no time in between", s.from, s.to)
	}
	return nil
}

// wanted reports whether anything but the table is.
func (s *selecting) wanted() bool { return s.format != "" || s.dictionary }

// print writes the selection on stdout.
func (s *selecting) print(a *analysis) error {
	if s.dictionary {
		return render.Dictionary(os.Stdout, a.model)
	}
	return formats[s.format](os.Stdout, s, a)
}
