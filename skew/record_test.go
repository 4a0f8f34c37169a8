package skew

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestSlowRecord(t *testing.T) {
	for name, c := range map[string]struct {
		dwell Dwell
		slow  bool
	}{
		"one of many":                {Dwell{Net: 2 * time.Second, Task: 3 * time.Second, Records: 200_000}, true},
		"all take as long":           {Dwell{Net: time.Second, Task: 20 * time.Second, Records: 20}, false},
		"just ten times the others":  {Dwell{Net: 10 * time.Second, Task: 14 * time.Second, Records: 5}, true},
		"not quite ten times":        {Dwell{Net: 9990 * time.Millisecond, Task: 13_990 * time.Millisecond, Records: 5}, false},
		"the only one":               {Dwell{Net: 5 * time.Second, Task: 5 * time.Second, Records: 1}, false},
		"a batch among many":         {Dwell{Net: 2 * time.Second, Task: 2500 * time.Millisecond, Records: 200_000, Batch: 4096}, true},
		"all batches take as long":   {Dwell{Net: 150 * time.Millisecond, Task: 7500 * time.Millisecond, Records: 200_000, Batch: 4096}, false},
		"one batch and a row":        {Dwell{Net: 2 * time.Second, Task: 2100 * time.Millisecond, Records: 4097, Batch: 4096}, true},
		"the only batch":             {Dwell{Net: 2 * time.Second, Task: 2100 * time.Millisecond, Records: 4096, Batch: 4096}, false},
		"longer than its task's run": {Dwell{Net: 2 * time.Second, Task: time.Second, Records: 2}, true},
	} {
		require.Equal(t, c.slow, c.dwell.IsSlow(), name)
	}
}
