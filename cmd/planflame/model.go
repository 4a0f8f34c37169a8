package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/stat"

	"github.com/planflame/planflame/costmodel"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/usualcost"
)

const modelLong = `A model of what operators cost: CPU per row from an operator's kind and what its text shows, as a
distribution. It is fitted on recordings and says of other operators what they usually cost.

  planflame model fit DIR... --out model.json    fit a model on the results in these folders
  planflame model check DIR...                   how well it predicts: each query by a model of all others
  planflame model check DIR... --model FILE      … or by this model`

func newModel() *cobra.Command {
	cmd := &cobra.Command{Use: "model", Short: "What operators usually cost: fit a model on recordings", Long: modelLong}
	cmd.AddCommand(newModelFit(), newModelCheck())
	return cmd
}

func newModelFit() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use: "fit DIR...", Short: "Fit a model on the results of runs", Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			all, spark, jdk, err := operatorsOf(args)
			if err != nil {
				return err
			}
			m, err := costmodel.Fit(all)
			if err != nil {
				return err
			}
			m.Spark, m.JDK = spark, jdk
			if err := writeFile(out, func(w io.Writer) error {
				e := json.NewEncoder(w)
				e.SetIndent("", " ")
				return e.Encode(m)
			}); err != nil {
				return err
			}
			fmt.Printf("%s: %d operators, Spark %s, JDK %s; of queries left out 95 %% cost × %.2f … × %.2f of the prediction\n", out, m.Operators, m.Spark, m.JDK, m.Low, m.High)
			return nil
		},
	}
	cmd.Flags().StringVar(&out, "out", "model.json", "file to write")
	return cmd
}

// operatorsOf are the operators of the recordings of some folders. Each recording is a host of its
// own, with a speed of its own.
func operatorsOf(dirs []string) (all []costmodel.Operator, spark, jdk string, err error) {
	for _, dir := range dirs {
		a, err := analyze(results(dir).recording(), pipeline.Without{}, drawing{})
		if err != nil {
			return nil, "", "", err
		}
		spark, jdk = a.model.Meta.Spark, a.model.Meta.JDK
		all = append(all, modelOperators(a.model, dir)...)
	}
	return all, spark, jdk, nil
}

// readModel reads a fitted model.
func readModel(path string) (*costmodel.Model, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return usualcost.Parse(path, text)
}

// modelCheck is how well a model predicts.
type modelCheck struct {
	Operators      int          `json:"operators"`
	Unknown        int          `json:"operators_unknown"` // that the model has no term for
	ErrorMean      float64      `json:"query_error_mean"`  // of the CPU of a query's operators
	ErrorMedian    float64      `json:"query_error_median"`
	LogCorrelation float64      `json:"query_correlation_log"`
	FactorMedian   float64      `json:"operator_factor_median"` // of operators that have a tenth of their query or more
	FactorP90      float64      `json:"operator_factor_p90"`
	Marked         float64      `json:"marked_share"`         // of operators with at least 5 samples
	PredictMillis  float64      `json:"predict_ms,omitempty"` // of a query from its operators, by a model of a file
	Queries        []queryCheck `json:"queries"`
}

// queryCheck is what a model says of a query that it has not seen.
type queryCheck struct {
	Query     string  `json:"query"`
	Seconds   float64 `json:"seconds"`
	Predicted float64 `json:"predicted_seconds"`
	Worst     string  `json:"worst"` // kind of the operator that is most seconds off
	WorstOff  float64 `json:"worst_seconds"`
}

func newModelCheck() *cobra.Command {
	var model, format string
	cmd := &cobra.Command{
		Use: "check DIR...", Short: "How well a model predicts the runs in folders", Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return fmt.Errorf("--format %q: not text or json", format)
			}
			all, _, _, err := operatorsOf(args)
			if err != nil {
				return err
			}
			usual, took, err := predicted(all, model)
			if err != nil {
				return err
			}
			c := checkOf(all, usual)
			c.PredictMillis = 1e3 * took.Seconds() / float64(max(len(c.Queries), 1))
			if format == "json" {
				e := json.NewEncoder(os.Stdout)
				e.SetIndent("", "  ")
				return e.Encode(c)
			}
			return c.text(os.Stdout)
		},
	}
	cmd.Flags().StringVar(&model, "model", "", "this model, instead of one of all other queries")
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	return cmd
}

// predicted are the predictions for operators, at the speed of their hosts, by a model in a file,
// with the time that they took. Without a file they are by models that have not seen their query,
// and the fits have most of the time, so none is told.
func predicted(all []costmodel.Operator, file string) (out []costmodel.Usual, took time.Duration, err error) {
	if file == "" {
		out, err = costmodel.LeftOut(all)
		return out, 0, err
	}
	m, err := readModel(file)
	if err != nil {
		return nil, 0, fmt.Errorf("--model: %w", err)
	}
	hosts, speeds := map[string][]costmodel.Operator{}, map[string]float64{}
	for i := range all {
		hosts[all[i].Host] = append(hosts[all[i].Host], all[i])
	}
	for host, operators := range hosts {
		speeds[host] = m.Speed(operators)
	}
	out = make([]costmodel.Usual, len(all))
	began := time.Now()
	for i := range all {
		out[i] = m.Predict(&all[i], speeds[all[i].Host])
	}
	return out, time.Since(began), nil
}

func checkOf(all []costmodel.Operator, usual []costmodel.Usual) modelCheck {
	out := modelCheck{Operators: len(all), Queries: []queryCheck{}}
	at := map[string]int{}
	marked, judged := 0, 0
	for i := range all {
		o := &all[i]
		k, known := at[o.Group]
		if !known {
			k = len(out.Queries)
			at[o.Group] = k
			out.Queries = append(out.Queries, queryCheck{Query: o.Group})
		}
		q := &out.Queries[k]
		if !usual[i].Known() {
			out.Unknown++
		}
		seconds, expected := o.Samples*o.Sample, usual[i].PerRow*o.Rows
		q.Seconds, q.Predicted = q.Seconds+seconds, q.Predicted+expected
		if off := seconds - expected; math.Abs(off) > math.Abs(q.WorstOff) {
			q.Worst, q.WorstOff = o.Kind, off
		}
		if o.Samples >= costmodel.EnoughSamples && usual[i].Known() {
			if judged++; expensive(o, usual[i]) {
				marked++
			}
		}
	}
	var off, logs, expected, factors []float64
	for _, q := range out.Queries {
		if q.Seconds > 0 {
			off = append(off, math.Abs(q.Predicted/q.Seconds-1))
		}
		if q.Seconds > 0 && q.Predicted > 0 {
			logs, expected = append(logs, math.Log(q.Seconds)), append(expected, math.Log(q.Predicted))
		}
	}
	for i := range all {
		if seconds := all[i].Samples * all[i].Sample; usual[i].Known() && seconds > 0 && seconds >= 0.1*out.Queries[at[all[i].Group]].Seconds {
			factors = append(factors, math.Exp(math.Abs(math.Log(usual[i].PerRow*all[i].Rows/seconds))))
		}
	}
	if len(off) > 0 {
		slices.Sort(off)
		out.ErrorMean, out.ErrorMedian = stat.Mean(off, nil), off[len(off)/2]
	}
	if len(logs) > 1 {
		out.LogCorrelation = stat.Correlation(logs, expected, nil)
	}
	if len(factors) > 0 {
		slices.Sort(factors)
		out.FactorMedian, out.FactorP90 = factors[len(factors)/2], factors[9*len(factors)/10]
	}
	out.Marked = float64(marked) / float64(max(judged, 1))
	return out
}

// text writes what a check found.
func (c *modelCheck) text(w io.Writer) error {
	var err error
	line := func(format string, args ...any) {
		_, more := fmt.Fprintf(w, format+"\n", args...)
		err = errors.Join(err, more)
	}
	line("%d operators of %d queries, %d of them unlike any that the model knows", c.Operators, len(c.Queries), c.Unknown)
	line("CPU of a query's operators: mean error %.0f %%, median %.0f %%, correlation of logarithms %.2f", 100*c.ErrorMean, 100*c.ErrorMedian, c.LogCorrelation)
	line("operators of a tenth of their query or more: half within × %.2f, 90 %% within × %.2f", c.FactorMedian, c.FactorP90)
	line("%.1f %% of operators marked as expensive", 100*c.Marked)
	if c.PredictMillis > 0 {
		line("a prediction took %.3f ms", c.PredictMillis)
	}
	slices.SortStableFunc(c.Queries, func(a, b queryCheck) int {
		if math.Abs(a.WorstOff) > math.Abs(b.WorstOff) {
			return -1
		}
		return 1
	})
	line("%9s %9s  most off", "took", "predicted")
	for _, q := range c.Queries {
		line("%7.2f s %7.2f s  %+.2f s %s  (%s)", q.Seconds, q.Predicted, q.WorstOff, q.Worst, q.Query)
	}
	return err
}

// expensive reports whether an operator costs more than 97.5 % of its kind do, beyond the error of
// its own samples.
func expensive(o *costmodel.Operator, usual costmodel.Usual) bool {
	return o.Samples >= costmodel.EnoughSamples && (o.Samples-2*math.Sqrt(o.Samples))*o.Sample > usual.High*o.Rows
}
