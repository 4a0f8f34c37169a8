package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/planflame/planflame/cmd/planflame/internal/outcome"
	"github.com/planflame/planflame/cmd/planflame/internal/render"
	"github.com/planflame/planflame/costmodel"
	"github.com/planflame/planflame/internal/columns"
	"github.com/planflame/planflame/tasksample"
)

// selecting are the flags that select a part of a recording and the format in which it is written.
type selecting struct {
	format                 string
	query, operator        string
	execution, stage, task int64
	from, to               time.Duration
	search                 string
	operatorsOnly          bool
	dictionary             bool
	modelFile              string // "": the shipped model
	model                  *costmodel.Model
}

// textFormat is the table.
const textFormat = "text"

// formats are how a selection can be written, beside the table.
var formats = map[string]func(io.Writer, *selecting, *analysis) error{
	"markdown": func(w io.Writer, s *selecting, a *analysis) error {
		all := s.selection()
		err := render.Markdown(w, s.report(a))
		if err == nil && all.IsAll() && a.summary.SlowRecords != nil {
			_, err = io.WriteString(w, a.summary.SlowRecords.Markdown(render.Escaped))
		}
		return err
	},
	"json": func(w io.Writer, s *selecting, a *analysis) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		out := struct {
			*columns.Report
			SlowTasks   *outcome.SlowTasks   `json:"slow_tasks,omitempty"` // of the whole recording alone, as the next
			SlowRecords *outcome.SlowRecords `json:"slow_records,omitempty"`
		}{Report: s.report(a)}
		if all := s.selection(); all.IsAll() {
			out.SlowTasks, out.SlowRecords = a.summary.SlowTasks, a.summary.SlowRecords
		}
		return e.Encode(out)
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
	f.StringVar(&s.format, "format", textFormat, "text (the table), markdown, json, html, pprof, collapsed or speedscope")
	f.StringVar(&s.query, "query", "", "only this query: its name or fingerprint")
	f.Int64Var(&s.execution, "execution", -1, "only this SQL execution")
	f.Int64Var(&s.stage, "stage", -1, "only this stage")
	f.StringVar(&s.operator, "operator", "", "only this operator: its name or id, or a bucket in brackets")
	f.Int64Var(&s.task, "task", -1, "only this task attempt")
	f.DurationVar(&s.from, "from", 0, "only from this time on, since the start of the recording, such as 1.5s")
	f.DurationVar(&s.to, "to", 0, "only up to this time")
	f.StringVar(&s.search, "search", "", "only stacks with a frame whose name holds this text")
	f.BoolVar(&s.operatorsOnly, "operators-only", false, "leave only stages and operators in stacks (collapsed, speedscope)")
	f.StringVar(&s.modelFile, "model", "", "file of planflame model fit that says what operators usually cost, instead of the shipped one")
	f.BoolVar(&s.dictionary, "dictionary", false, "print what each line of generated code belongs to")
	cmd.MarkFlagsMutuallyExclusive("format", "dictionary")
	for _, flag := range append([]string{"format", "dictionary"}, selectingFlags...) { // these two are of the whole run
		cmd.MarkFlagsMutuallyExclusive(flag, "json")
		cmd.MarkFlagsMutuallyExclusive(flag, "counts")
	}
}

// selectingFlags are the flags that select a part.
var selectingFlags = []string{"query", "execution", "stage", "operator", "task", "from", "to", "search"}

// check refuses a selection that has no CPU.
func (s *selecting) check(f *pflag.FlagSet, a *analysis) error {
	all := s.selection()
	if all.IsAll() || !a.model.Select(all).Empty() {
		return nil
	}
	var given []string
	for _, name := range selectingFlags {
		if flag := f.Lookup(name); flag.Changed {
			given = append(given, fmt.Sprintf("--%s %q", name, flag.Value))
		}
	}
	return fmt.Errorf("%s: no CPU in the recording", strings.Join(given, " "))
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

// report is the report of the selection, with what operators usually cost.
func (s *selecting) report(a *analysis) *columns.Report {
	r := a.model.Report(s.selection())
	usual(a.model, r, s.model)
	return r
}

// settle refuses what cannot be.
func (s *selecting) settle() error {
	if _, known := formats[s.format]; s.format != textFormat && !known {
		return fmt.Errorf("--format %q: not text, markdown, json, html, pprof, collapsed or speedscope", s.format)
	}
	if all := s.selection(); s.format == "html" && !all.IsAll() {
		return errors.New("--format html is of the whole recording: its page selects")
	}
	if all := s.selection(); s.dictionary && !all.IsAll() {
		return errors.New("--dictionary is of the whole recording")
	}
	var err error
	if s.model, err = usualModel(s.modelFile); err != nil {
		return err
	}
	if s.operatorsOnly && s.format != "collapsed" && s.format != "speedscope" {
		return errors.New("--operators-only is of --format collapsed or speedscope")
	}
	if s.from < 0 || s.to < 0 || s.to > 0 && s.to <= s.from {
		return fmt.Errorf("--from %v --to %v: no time in between", s.from, s.to)
	}
	return nil
}

// summary is the summary of what is selected.
func (s *selecting) summary(a *analysis) outcome.Summary {
	all := s.selection()
	if all.IsAll() {
		return a.summary
	}
	return outcome.Selected(s.report(a))
}

// print writes the selection on stdout. The table is show's.
func (s *selecting) print(a *analysis, show *showing) error {
	switch {
	case s.dictionary:
		return render.Dictionary(os.Stdout, a.model)
	case s.format == textFormat:
		return show.table(os.Stdout, s.summary(a))
	}
	return formats[s.format](os.Stdout, s, a)
}
