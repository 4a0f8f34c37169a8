package skew

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStride(t *testing.T) {
	for name, x := range map[string]struct {
		at   []int64
		want int64
	}{
		"nothing":                      {nil, 0},
		"one record":                   {[]int64{148_211}, 0},
		"two records":                  {[]int64{3_000, 148_211}, 0},
		"grouped(1000)":                {[]int64{1000, 2000, 3000, 4000}, 1000},
		"two of them":                  {[]int64{1000, 2000}, 1000},
		"a batch that took no time":    {[]int64{1000, 2000, 5000}, 1000},
		"the next record was read":     {[]int64{1001, 2001, 3001}, 1000},
		"and one slow record":          {[]int64{1000, 2000, 2345, 3000}, 1000},
		"a filter before them":         {[]int64{2013, 4080, 5990, 8050}, 2060},
		"slow records":                 {[]int64{700, 12_345, 14_021, 90_877}, 0},
		"most are no multiples":        {[]int64{1000, 2000, 2345, 2678, 2901, 3333}, 0},
		"the first and a later record": {[]int64{1, 5000}, 0},
		"records close to each other":  {[]int64{8, 16, 24, 32}, 0},
		"several at one record":        {[]int64{600, 600, 600}, 0},
	} {
		require.Equal(t, x.want, Stride(x.at, 0), name)
	}
	require.EqualValues(t, 102_400, Stride([]int64{102_400, 200_704, 303_104}, 4096), "100,000 rows each")
	require.Zero(t, Stride([]int64{20 * 4096, 40 * 4096}, 4096), "two slow batches of a file")
}

// Records that are slow by chance seldom look like batches.
func TestStrideOfRandomRecords(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	for n := 2; n <= 5; n++ {
		wrong := 0
		const trials = 20_000
		for range trials {
			at := make([]int64, n)
			for i := range at {
				at[i] = 1 + r.Int64N(200_000)
			}
			slices.Sort(at)
			if Stride(at, 1) > 0 {
				wrong++
			}
		}
		t.Logf("%d records: %d of %d", n, wrong, trials)
		require.Less(t, float64(wrong)/trials, 0.02, "%d records", n)
	}
}
