package cells

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/recording"
	"github.com/planflame/planflame/tasksample"
)

// plan is a scan below an exchange below an aggregate. Tasks of stage 10 write the exchange, tasks
// of stage 11 read it.
const plan = `{"version": 1, "execution_id": 1, "query": "q", "plan": "p", "nodes": [
	{"parent": -1, "name": "HashAggregate", "operator": "aggregate", "codegen": -1, "stage": "result", "metrics": [{"id": 1, "name": "number of output rows"}]},
	{"parent": 0, "name": "Exchange", "operator": "exchange", "codegen": -1, "stage": "exchange", "metrics": [{"id": 2, "name": "shuffle bytes written"}, {"id": 3, "name": "records read"}]},
	{"parent": 1, "name": "Scan", "operator": "scan", "codegen": -1, "stage": "exchange", "metrics": [{"id": 4, "name": "number of output rows"}]}]}`

func facts(t *testing.T) *Facts {
	t.Helper()
	path := filepath.Join(t.TempDir(), "recording")
	f, err := os.Create(path)
	require.NoError(t, err)
	w, err := recording.NewWriter(f, recording.Meta{})
	require.NoError(t, err)
	for _, r := range []jvmlog.Record{
		&jvmlog.Dictionary{Execution: 1, JSON: []byte(plan)},
		&jvmlog.Stage{Stage: 10, Accumulators: []tasksample.AccumulatorID{4, 2}}, &jvmlog.Stage{Stage: 11, Accumulators: []tasksample.AccumulatorID{3, 1}},
		&jvmlog.Source{Class: "A", Body: "class A {}"},
	} {
		w.Record(1, 1, r)
	}
	require.NoError(t, w.Close())
	require.NoError(t, f.Close())
	s, err := Read(path)
	require.NoError(t, err)
	return s
}

func TestForeign(t *testing.T) {
	at := func(operator, stage string, n int64) *profile.Sample {
		return &profile.Sample{Value: []int64{n}, Label: map[string][]string{"operator": {operator}, "stage_id": {stage}}}
	}
	samples, foreign := facts(t).Foreign(&profile.Profile{Sample: []*profile.Sample{
		at("scan", "10", 1), at("exchange", "10", 2), at("exchange", "11", 4), at("aggregate", "11", 8), // right
		at("scan", "11", 16), at("aggregate", "10", 32), // wrong
		at("[codegen]", "10", 64), at("scan", "", 128), // of no operator, of no stage
	}})
	assert.EqualValues(t, 63, samples)
	assert.Equal(t, map[string]int64{"scan in stage 11": 16, "aggregate in stage 10": 32}, foreign)
}

func TestMerged(t *testing.T) {
	s := facts(t)
	require.Equal(t, 1, s.Bodies())
	p := &profile.Profile{Function: []*profile.Function{
		{Name: generatedClass + "$A.next", Filename: "generated-107310d1.java"}, // SHA-256 of the text
		{Name: "java.lang.String.length", Filename: "String.java"},
	}}
	assert.Empty(t, s.Merged(p))
	assert.Equal(t, 1, Generated(p))
	p.Function[0].Filename = "generated.java"
	assert.Len(t, s.Merged(p), 1)
	s.bodies["generated-107310d1.java"]["class B {}"] = true
	assert.Len(t, s.Merged(p), 2)
}

func TestReadNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "recording")
	_, err := Read(path)
	require.ErrorContains(t, err, path)
	require.NoError(t, os.WriteFile(path, []byte("no recording at all, but long enough"), 0o600))
	_, err = Read(path)
	require.ErrorContains(t, err, path)
}
