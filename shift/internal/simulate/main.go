// Command simulate measures how often shifts are found and how often there is an alarm without one, on invented histories with known truth.
//
//	go run ./shift/internal/simulate -part null -operator-runs 1000000
//	go run ./shift/internal/simulate -part power -trials 1000
//	go run ./shift/internal/simulate -part levels
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"github.com/planflame/planflame/shift/internal/scenario"
)

func main() {
	part := flag.String("part", "all", "null, power, levels or all")
	operatorRuns := flag.Int("operator-runs", 1_000_000, "judged operator-runs of the null part")
	pages := flag.Float64("pages", 1, "budget of false alarms of the null part: a week at 200,000 operator-runs a day")
	trials := flag.Int("trials", 1000, "shifts of each case of the power part")
	seed := flag.Uint64("seed", 1, "of all random numbers")
	out := flag.String("out", "", "file for the figures as JSON")
	flag.Parse()
	if err := simulate(*part, *operatorRuns, *pages, *trials, *seed, *out); err != nil {
		fmt.Fprintln(os.Stderr, "simulate:", err)
		os.Exit(1)
	}
}

type result struct {
	Null   *scenario.NullResult   `json:"null,omitempty"`
	Power  []scenario.PowerResult `json:"power,omitempty"`
	Levels []scenario.LevelResult `json:"levels,omitempty"`
}

func simulate(part string, operatorRuns int, pages float64, trials int, seed uint64, out string) error {
	var r result
	all := part == "all"
	if !all && part != "null" && part != "power" && part != "levels" {
		return fmt.Errorf("-part %q: want null, power, levels or all", part)
	}
	if all || part == "levels" {
		r.Levels = scenario.Levels(seed)
		for _, l := range r.Levels {
			fmt.Println(l)
		}
	}
	if all || part == "power" {
		for _, c := range scenario.Cases() {
			p, err := scenario.Power(seed, trials, c)
			if err != nil {
				return err
			}
			r.Power = append(r.Power, p)
			fmt.Println(p)
		}
	}
	if all || part == "null" {
		r.Null = &scenario.NullResult{}
		for n := uint64(0); r.Null.OperatorRuns < operatorRuns; n++ {
			one, err := scenario.Null(seed*1000+n, 100, 200, pages, scenario.Realistic())
			if err != nil {
				return err
			}
			r.Null.Add(one)
			fmt.Printf("null: %d operator-runs judged of %d, %d pages, at most %.2f a week at 200,000 a day (95 %%); events %v, status %v, intervals hold %.2f %%\n",
				r.Null.OperatorRuns, r.Null.All, r.Null.Pages, r.Null.WeeklyUpper, r.Null.Events, r.Null.Status, 100*r.Null.Covered)
			for _, a := range one.Alarms {
				fmt.Println("  ", a)
			}
		}
	}
	if out == "" {
		return nil
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the figures: %w", err)
	}
	return os.WriteFile(out, append(text, '\n'), 0o644)
}
