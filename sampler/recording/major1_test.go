package recording

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// entry is an entry as it stands in a file.
type entry struct {
	kind kind
	id   sampler.JVMID
	body []byte
}

// entries are the calls of a script as entries of major 1.
func (c calls) entries(t testing.TB) (out []entry) {
	for _, k := range c {
		e := entry{id: k.JVM}
		switch arg := k.Arg.(type) {
		case sampler.JVM:
			e.kind, e.body = kindJVM, encodeJVM(nil, &arg)
		case jvmlog.Thread:
			e.kind, e.body = kindThread, encodeThread(nil, &arg)
		case []any:
			body, err := jvmlog.EncodeRecord(nil, 0, arg[0].(jvmlog.MonoTime), arg[1].(jvmlog.Record))
			require.NoError(t, err)
			e.kind, e.body = kindRecord, body
		case jvmlog.TaskEvent:
			e.kind, e.body = kindTaskEvent, encodeTaskEvent(nil, &arg)
		case codemap.Frame:
			e.kind, e.body = kindSymbol, encodeSymbol(nil, &arg)
		case sampler.Sample:
			e.kind, e.body = kindSample, encodeSample1(nil, &arg)
		case sampler.Stats:
			e.kind, e.body = kindStats, encodeStats(nil, &arg)
		case jvmlog.MonoTime:
			e.kind, e.body = kindWatermark, le.AppendUint64(nil, uint64(arg))
		case nil:
			e.kind = kindGone
		}
		out = append(out, e)
	}
	return out
}

// write1 is a recording of major 1.
func write1(t testing.TB, entries ...entry) []byte {
	var file bytes.Buffer
	file.WriteString(magic)
	file.Write([]byte{1, 0, 6, 0, 0, 0, 0, 0})
	zw, err := zstd.NewWriter(&file)
	require.NoError(t, err)
	text, err := json.Marshal(meta)
	require.NoError(t, err)
	entries = append([]entry{{kindMeta, 0, text}}, entries...)
	entries = append(entries, entry{kindEnd, 0, le.AppendUint64(nil, uint64(len(entries)))})
	for _, e := range entries {
		head := le.AppendUint32(nil, uint32(len(e.body)))
		head = le.AppendUint32(head, uint32(e.kind))
		head = le.AppendUint32(head, uint32(e.id))
		_, err := zw.Write(append(head, e.body...))
		require.NoError(t, err)
	}
	require.NoError(t, zw.Close())
	return file.Bytes()
}

func encodeSample1(dst []byte, s *sampler.Sample) []byte {
	dst = le.AppendUint64(dst, uint64(s.Time))
	dst = le.AppendUint64(dst, uint64(s.Period))
	for _, v := range []uint32{uint32(s.Slot), s.TID, uint32(s.Kernel), uint32(len(s.Repaired)), uint32(s.Flags), uint32(len(s.Addrs))} {
		dst = le.AppendUint32(dst, v)
	}
	for _, a := range s.Addrs {
		dst = le.AppendUint64(dst, a)
	}
	dst = le.AppendUint32(dst, uint32(len(s.Interpreted)))
	for _, f := range s.Interpreted {
		dst = le.AppendUint32(dst, uint32(f.Frame))
		dst = le.AppendUint32(dst, uint32(f.BCI))
		dst = le.AppendUint64(dst, f.Method)
	}
	for _, i := range s.Repaired {
		dst = le.AppendUint32(dst, uint32(i))
	}
	dst = le.AppendUint64(dst, uint64(s.Base))
	dst = le.AppendUint64(dst, uint64(s.Detail))
	dst = le.AppendUint64(dst, math.Float64bits(s.Kept))
	return le.AppendUint64(dst, uint64(s.Gap))
}

func TestReadsMajor1(t *testing.T) {
	got, gotMeta, err := read(t, write1(t, script().entries(t)...))
	require.NoError(t, err)
	require.Equal(t, meta, gotMeta)
	require.Equal(t, script(), got)
}

func TestBadSamplesOfMajor1(t *testing.T) {
	tests := []struct {
		name string
		body []byte
		want string
	}{
		{"short", make([]byte, 39), "decode recording entry 1: SAMPLE of jvm 5: 39 bytes, at least 40 are needed"},
		{"more addresses than bytes", append(make([]byte, 36), 2, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1), "SAMPLE of jvm 5: 2 addresses, 1 fit"},
		{"more kernel addresses than addresses", append(append(make([]byte, 24), 1), make([]byte, 15)...), "1 kernel addresses of 0"},
		{"more interpreted frames than bytes", append(make([]byte, 40), 1, 0, 0, 0, 7), "1 interpreted frames, 0 fit"},
		{"interpreted frame beyond the stack", append(append(make([]byte, 40), 1, 0, 0, 0), make([]byte, 16)...), "interpreted frame 0 of 0 addresses"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := read(t, write1(t, entry{kindSample, 5, test.body}))
			require.ErrorContains(t, err, test.want)
		})
	}
}
