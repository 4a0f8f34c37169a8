package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/planflame/planflame/bench/internal/session"
)

// sleeps are statements of one stage each, whose tasks sleep: of 20, 50 and 100 tasks. Durations,
// in milliseconds, are equal or lognormal. Either there are no stragglers, or 6 % take four times
// as long as the median. Durations are the same in every session. They need no CPU, so a machine of
// two cores has 16 slots of them.
func sleeps(median int) (out []session.Statement) {
	for _, tasks := range []int{20, 50, 100} {
		for _, sigma := range []float64{0, 0.5} {
			for _, stragglers := range []float64{0, 0.06} {
				draw := rand.New(rand.NewPCG(uint64(tasks), uint64(10*sigma+100*stragglers)))
				millis := make([]int, tasks)
				for i := range millis {
					ms := float64(median) * math.Exp(sigma*draw.NormFloat64())
					if draw.Float64() < stragglers {
						ms *= 4
					}
					millis[i] = int(ms)
				}
				out = append(out, session.Statement{ID: fmt.Sprintf("sleep/%d/%g/%g", tasks, sigma, stragglers), Discard: true, SQL: sleepSQL(millis)})
			}
		}
	}
	return out
}

// sleepSQL is a statement with a task for each duration.
func sleepSQL(millis []int) string {
	list := make([]string, len(millis))
	for i, ms := range millis {
		list[i] = fmt.Sprintf("%dL", ms)
	}
	return fmt.Sprintf("SELECT reflect('java.lang.Thread', 'sleep', element_at(array(%s), CAST(id AS INT) + 1)) AS slept FROM range(0, %d, 1, %d)",
		strings.Join(list, ", "), len(millis), len(millis))
}

// warm is a statement of many short tasks, which compiles what launches them.
func warm() []string { return []string{sleepSQL(slices.Repeat([]int{1}, 500))} }
