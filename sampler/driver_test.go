package sampler

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/unwind"
)

func TestTheCodeOfAClustersDriverIsNotRead(t *testing.T) {
	driver := &jvmlog.Application{JSON: []byte(`{"application_id": "app-1", "executor_id": "driver"}`)}
	load := &jvmlog.CodeLoad{Address: 0x10000, Size: 0x100, Method: 3, FrameBytes: 32}
	for name, c := range map[string]struct {
		record  *jvmlog.Application
		threads map[threadKey]*thread
		skipped bool
	}{
		"a cluster's driver":      {driver, nil, true},
		"it has a task thread":    {driver, map[threadKey]*thread{{tid: 7}: {}}, false},
		"an executor":             {&jvmlog.Application{JSON: []byte(`{"application_id": "app-1", "executor_id": "3"}`)}, nil, false},
		"a local master's driver": {&jvmlog.Application{JSON: []byte(`{"application_id": "local-1", "executor_id": "driver"}`)}, nil, false},
	} {
		j := &jvm{log: &jvmlog.Log{}, rings: rings{threads: c.threads}}
		j.apply(load)
		j.apply(c.record)
		_, known := j.code.Lookup(0x10010)
		assert.Equal(t, !c.skipped, known, name)
		assert.Equal(t, c.skipped, j.log.Skip != nil, name)
		require.NoError(t, j.readCode(), name)
	}
	for _, r := range []jvmlog.RecordType{jvmlog.TypeDictionary, jvmlog.TypeStage, jvmlog.TypeApplication, jvmlog.TypeRows, jvmlog.TypeExecutionEnd, jvmlog.TypeCodeHeap, jvmlog.TypeVMLayout, jvmlog.TypeReplayEnd} {
		assert.False(t, ofCode(r), r)
	}
}

// Code that was read is forgotten with all other code: no sweep ends it once more.
func TestForgottenCodeDoesNotEnd(t *testing.T) {
	e := &entry{Code: unwind.Code{Start: 0x10000, End: 0x10100, Kind: unwind.Compiled}, read: &readCode{waits: true}}
	j := &jvm{log: &jvmlog.Log{}, totals: &Totals{}, held: []*heldSample{{}}}
	j.reading = codeReader{on: true, cache: &standing{gone: map[uint32]error{0: errGone}}, met: []*entry{e}, waiting: []waitingCode{{entry: e, since: 1}}}
	require.True(t, j.code.add(e))
	j.apply(&jvmlog.Application{JSON: []byte(`{"application_id": "app-1", "executor_id": "driver"}`)})
	j.checkCode(codeCheckInterval)
	assert.Zero(t, j.code.entries)
	assert.Empty(t, j.unwoundNow)
}
