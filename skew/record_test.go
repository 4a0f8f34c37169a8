package skew

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestSlowRecord(t *testing.T) {
	const ms, s = time.Millisecond, time.Second
	for name, c := range map[string]struct {
		dwell Dwell
		slow  bool
	}{
		"one of many":               {Dwell{Wall: 2 * s, Net: 2 * s, Reading: 3 * s, Records: 200_000}, true},
		"all take as long":          {Dwell{Wall: s, Net: s, Reading: 19 * s, Records: 20}, false},
		"just ten times the others": {Dwell{Wall: 10 * s, Net: 10 * s, Reading: 13 * s, Records: 5}, true},
		"not quite ten times":       {Dwell{Wall: 9990 * ms, Net: 9990 * ms, Reading: 12_990 * ms, Records: 5}, false},
		"beside waits for a core":   {Dwell{Wall: 6 * s, Net: s, Reading: 10 * s, Records: 200_000, Batch: 4096}, true},
		"two":                       {Dwell{Wall: 5 * s, Net: 5 * s, Reading: 5 * s, Records: 2}, false},
		"all batches take as long":  {Dwell{Wall: 150 * ms, Net: 150 * ms, Reading: 7350 * ms, Records: 200_000, Batch: 4096}, false},
		"two batches and a row":     {Dwell{Wall: 2 * s, Net: 2 * s, Reading: 2100 * ms, Records: 8193, Batch: 4096}, true},
		"two batches":               {Dwell{Wall: 2 * s, Net: 2 * s, Reading: 2100 * ms, Records: 8192, Batch: 4096}, false},
		"the others took no time":   {Dwell{Wall: 2 * s, Net: 2 * s, Reading: 2 * s, Records: 3}, true},
		"the last of two keys":      {Dwell{Wall: 600 * s, Net: 600 * s, Reading: 650 * s, Records: 2, Key: true}, true},
		"one of two equal keys":     {Dwell{Wall: 5 * s, Net: 5 * s, Reading: 10 * s, Records: 2, Key: true}, false},
		"the only key":              {Dwell{Wall: 5 * s, Net: 5 * s, Reading: 5 * s, Records: 1, Key: true}, true},
		"the only key, after much":  {Dwell{Wall: 5 * s, Net: 5 * s, Reading: 11 * s, Records: 1, Key: true}, false},
	} {
		require.Equal(t, c.slow, c.dwell.IsSlow(), name)
	}
}
