package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/planflame/planflame/bench/internal/session"
)

// sleepMillis is how long a sleeping task sleeps in the median.
const sleepMillis = 150

// sleeps are statements of one stage each, whose tasks sleep: of 20, 50 and 100 tasks, with
// durations that are equal or lognormal, without stragglers or with 6 % that take four times as
// long. Durations are the same in every session. They need no CPU, so a machine of two cores has
// 16 slots of them.
func sleeps() ([]session.Statement, error) {
	var out []session.Statement
	for _, tasks := range []int{20, 50, 100} {
		for _, sigma := range []float64{0, 0.5} {
			for _, stragglers := range []float64{0, 0.06} {
				draw := rand.New(rand.NewPCG(uint64(tasks), uint64(10*sigma+100*stragglers)))
				millis := make([]string, tasks)
				for i := range millis {
					ms := sleepMillis * math.Exp(sigma*draw.NormFloat64())
					if draw.Float64() < stragglers {
						ms *= 4
					}
					millis[i] = fmt.Sprintf("%dL", int(ms))
				}
				out = append(out, session.Statement{
					ID: fmt.Sprintf("sleep/%d/%g/%g", tasks, sigma, stragglers), Discard: true,
					SQL: fmt.Sprintf("SELECT reflect('java.lang.Thread', 'sleep', element_at(array(%s), CAST(id AS INT) + 1)) AS slept FROM range(0, %d, 1, %d)", strings.Join(millis, ", "), tasks, tasks),
				})
			}
		}
	}
	return out, nil
}
