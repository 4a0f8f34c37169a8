package tasksample

import (
	"math"
	"testing"
)

// Values from printed tables (Abramowitz and Stegun 26.10; Pearson and Hartley).
func TestQuantiles(t *testing.T) {
	tests := []struct {
		name      string
		got, want float64
	}{
		{"t(1) 97.5 %", studentQuantile(0.975, 1), 12.7062},
		{"t(4) 97.5 %", studentQuantile(0.975, 4), 2.776445},
		{"t(4) 2.5 %", studentQuantile(0.025, 4), -2.776445},
		{"t(19) 97.5 %", studentQuantile(0.975, 19), 2.093024},
		{"t(∞) 97.5 %", studentQuantile(0.975, math.Inf(1)), 1.959964},
		{"beta median of (1, 1)", betaQuantile(0.5, 1, 1), 0.5},
		{"Clopper-Pearson upper, 0 of 10", betaQuantile(0.975, 1, 10), 0.308497},
		{"Clopper-Pearson lower, 3 of 10", betaQuantile(0.025, 3, 8), 0.066740},
		{"Clopper-Pearson upper, 3 of 10", betaQuantile(0.975, 4, 7), 0.652453},
	}
	for _, test := range tests {
		if math.Abs(test.got-test.want) > 2e-5*math.Max(1, math.Abs(test.want)) {
			t.Errorf("%s: %v, want %v", test.name, test.got, test.want)
		}
	}
}
