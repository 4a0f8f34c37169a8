package columns

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// handModel reads testdata/hand/model.json. Columns are lists of numbers there.
func handModel(t *testing.T) *Model {
	t.Helper()
	var in struct {
		Head    Head
		Samples struct {
			Time        []uint32
			Label, Task []uint32
			Flags       []uint16 // a list of bytes would be base64
			Weight      Runs
		}
		Exact ExactRows
		Tasks TaskRows
	}
	text, err := os.ReadFile(filepath.Join("testdata", "hand", "model.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &in))
	m := &Model{Head: in.Head, Exact: in.Exact, Tasks: in.Tasks}
	m.Samples.Time, m.Samples.Weight, m.Samples.Stack = in.Samples.Time, in.Samples.Weight, make([]uint32, len(in.Samples.Time))
	for i := range in.Samples.Time {
		m.Samples.Label.add(in.Samples.Label[i])
		m.Samples.Task.add(in.Samples.Task[i])
		m.Samples.Flags = append(m.Samples.Flags, uint8(in.Samples.Flags[i]))
	}
	return m
}

func TestReportByHand(t *testing.T) {
	for file, s := range map[string]Selection{"report.json": {}, "window.json": {From: 115 * time.Millisecond, To: 225 * time.Millisecond}} {
		text, err := os.ReadFile(filepath.Join("testdata", "hand", file))
		require.NoError(t, err)
		var want, got any
		require.NoError(t, json.Unmarshal(text, &want))
		text, err = json.Marshal(handModel(t).Report(s))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &got))
		sameJSON(t, file, want, got)
	}
}

// sameJSON compares values of JSON. Numbers may differ by what a hand rounds off.
func sameJSON(t *testing.T, at string, want, got any) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !assert.True(t, ok, "%s is %v, not an object", at, got) {
			return
		}
		for key, v := range object {
			_, known := want[key]
			assert.True(t, known, "%s.%s is %v and should not be there", at, key, v)
		}
		for key, v := range want {
			sameJSON(t, at+"."+key, v, object[key])
		}
	case []any:
		list, _ := got.([]any)
		if !assert.Len(t, list, len(want), at) {
			return
		}
		for i, v := range want {
			sameJSON(t, fmt.Sprintf("%s[%d]", at, i), v, list[i])
		}
	case float64:
		assert.InDelta(t, want, got, 1e-11, at)
	default:
		assert.Equal(t, want, got, at)
	}
}

func TestTaskOperatorsByHand(t *testing.T) {
	got := handModel(t).TaskOperators(map[uint32]bool{1: true, 2: true, 4: true})
	want := map[uint32]map[int]float64{1: {3: 0.004}, 2: {3: 0.004, 2: 0.002}, 4: {0: 0.003, None: 0.002}}
	require.Len(t, got, len(want))
	for task, operators := range want {
		assert.InDeltaMapValues(t, operators, got[task], 1e-12, "task %d", task)
	}
}
