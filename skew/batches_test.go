package skew

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBatches(t *testing.T) {
	exact := func(n int64) Batches { return Batches{n, true} }
	for name, x := range map[string]struct {
		at   []int64
		want Batches
	}{
		"nothing":                        {nil, Batches{}},
		"one record":                     {[]int64{148_211}, Batches{}},
		"two records":                    {[]int64{3_000, 148_211}, Batches{}},
		"two records that fit by chance": {[]int64{37, 113}, Batches{}},
		"grouped(1000)":                  {[]int64{1000, 2000, 3000, 4000}, exact(1000)},
		"two of them":                    {[]int64{1000, 2000}, exact(1000)},
		"a batch that took no time":      {[]int64{1000, 2000, 5000}, exact(1000)},
		"the next record was read":       {[]int64{1001, 2001, 3001}, exact(1000)},
		"and one slow record":            {[]int64{1000, 2000, 2345, 3000}, exact(1000)},
		"grouped(100)":                   {[]int64{100, 200, 300}, exact(100)},
		"a filter before them":           {[]int64{2013, 4080, 5990, 8050}, Batches{2060, false}},
		"slow records":                   {[]int64{700, 12_345, 14_021, 90_877}, Batches{}},
		"most are no multiples":          {[]int64{1000, 2000, 2345, 2678, 2901, 3333}, Batches{}},
		"the first and a later record":   {[]int64{1, 5000}, Batches{}},
		"records close to each other":    {[]int64{8, 16, 24, 32}, Batches{}},
		"several at one record":          {[]int64{600, 600, 600}, Batches{}},
	} {
		require.Equal(t, x.want, BatchesOf(x.at, 0), name)
	}
	require.Equal(t, Batches{102_400, false}, BatchesOf([]int64{102_400, 200_704, 303_104}, 4096), "100,000 rows each")
	require.Zero(t, BatchesOf([]int64{20 * 4096, 40 * 4096}, 4096), "two slow batches of a file")
	require.EqualValues(t, 2000, exact(1000).End(2001))
	require.EqualValues(t, 2013, Batches{Size: 2060}.End(2013))
}

// Records that are slow by chance seldom look like batches.
func TestBatchesOfRandomRecords(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	const trials = 20_000
	for _, records := range []int64{200, 1000, 10_000, 200_000} {
		for n := 2; n <= 5; n++ {
			wrong := 0
			for range trials {
				at := make([]int64, n)
				for i := range at {
					at[i] = 1 + r.Int64N(records)
				}
				slices.Sort(at)
				if BatchesOf(at, 1).Size > 0 {
					wrong++
				}
			}
			t.Logf("%d of %d records: %d of %d", n, records, wrong, trials)
			require.Less(t, float64(wrong)/trials, 0.02, "%d of %d records", n, records)
		}
	}
}
