package jvmlog

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/tasksample"
)

// oneOfEach is a record of every type, a different value in each field.
func oneOfEach() []Record {
	return []Record{
		&Method{
			ID: 1, Loader: 2, Ptr: 0x7f0000000003, Flags: MethodHasLines | MethodGenerated, Class: "org.x.GeneratedClass$It", Name: "processNext",
			Descriptor: "()V", SourceFile: "generated.java", Lines: []LineEntry{{0, 31}, {7, 33}, {19, 32}},
		},
		&Method{ID: 4, Class: "é.Ü"},
		&CodeLoad{
			Address: 0x7f1200000040, Size: 512, Level: 4, Method: 1, FrameBytes: 96, FrameComplete: 12, CompileID: 77,
			Flags: CodeReplayed | CodeInlines, PCs: []PCRegion{{16, 0, 1}, {40, 1, 2}, {400, 0, 3}},
			Frames: []CodeFrame{{1, 5}, {4, 6}, {1, -1}}, Proofs: []PCProof{{33, 400}, {397, 40}},
		},
		&CodeLoad{Address: 8, Size: 1, FrameComplete: NoFrameComplete},
		&CodeUnload{Address: 0x7f1200000040, Method: 61},
		&Stub{Address: 0x7f1200001000, Size: 52000, Name: "Interpreter"},
		&Source{Loader: 71, Class: "org.x.GeneratedClass", Body: "class A {\n}\n", Comments: []byte(`{"a":"b"}`)},
		&Dictionary{Execution: 81, Update: 82, JSON: []byte(`{"version":1}`)},
		&Stage{Stage: 91, StageAttempt: 92, Execution: tasksample.NoExecution, Accumulators: []tasksample.AccumulatorID{93, 94, -95}},
		&Application{JSON: []byte(`{"application_id":"app"}`)},
		&Replay{Begin: true, Generation: 101},
		&Replay{Generation: 102},
		&VMLayout{JSON: []byte(`{"Method._constMethod":8}`)},
		&CodeHeap{Low: 0x7f1200000000, High: 0x7f1208000000, Name: "CodeHeap 'non-profiled nmethods'"},
		&Rows{
			StageID: 111, StageAttempt: 112, ExecutionID: 113, Tasks: 114,
			Accumulated: []Accumulated{{ID: -115, Sum: 116}, {ID: 117, Sum: -118}},
		},
		&Rows{StageID: 119, ExecutionID: tasksample.NoExecution, Tasks: 1},
		&ExecutionEnd{ExecutionID: 121, Failed: true, UnixNano: 1795305600000000122},
		&ExecutionEnd{ExecutionID: 123, UnixNano: -1},
		&Times{JSON: []byte(`{"version":1,"kind":"execution"}`)},
		&Unknown{Type: 999, Version: 3, Payload: []byte("of the future")},
	}
}

func TestRecordRoundTrip(t *testing.T) {
	for i, want := range oneOfEach() {
		b, err := EncodeRecord([]byte("before"), 4096, MonoTime(1000+i), want)
		require.NoError(t, err)
		require.Zero(t, (len(b)-6)%8)
		h, got, err := DecodeRecord(append(b[6:], "behind"...), 4096)
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.Equal(t, MonoTime(1000+i), h.Time)
		require.Equal(t, want.recordType(), h.Type)
		require.Equal(t, len(b)-6, int(h.Length))
	}
}

// Bytes written by hand from FORMAT.md, so that encoder and decoder cannot agree on a mistake.
func TestPayloadBytes(t *testing.T) {
	for _, c := range []struct {
		typ  RecordType
		hex  string
		want Record
	}{
		{TypeMethod, "0100000000000000 0200000000000000 0300000000007f00 05000000 01000000 41 01000000 66 03000000 282956 00000000 01000000 07000000 21000000",
			&Method{ID: 1, Loader: 2, Ptr: 0x7f000000000003, Flags: MethodHasLines | MethodGenerated, Class: "A", Name: "f", Descriptor: "()V", Lines: []LineEntry{{7, 33}}}},
		{TypeCodeLoad, "4000001200000000 00020000 04000000 0600000000000000 60000000 0c000000 4d000000 02000000 01000000 02000000 10000000 01000000 01000000 0700000000000000 ffffffff 0800000000000000 09000000 02000000 11000000 13000000 17000000 1d000000",
			&CodeLoad{Address: 0x12000040, Size: 512, Level: 4, Method: 6, FrameBytes: 96, FrameComplete: 12, CompileID: 77, Flags: CodeInlines,
				PCs: []PCRegion{{End: 16, First: 1, Count: 1}}, Frames: []CodeFrame{{7, -1}, {8, 9}}, Proofs: []PCProof{{End: 17, Trap: 19}, {End: 23, Trap: 29}}}},
		{TypeCodeUnload, "4000001200000000 0600000000000000", &CodeUnload{Address: 0x12000040, Method: 6}},
		{TypeStub, "4000001200000000 10000000 00000000 02000000 6974", &Stub{Address: 0x12000040, Size: 16, Name: "it"}},
		{TypeSource, "0500000000000000 01000000 41 02000000 7b7d 01000000 63", &Source{Loader: 5, Class: "A", Body: "{}", Comments: []byte("c")}},
		{TypeDictionary, "0300000000000000 04000000 02000000 7b7d", &Dictionary{Execution: 3, Update: 4, JSON: []byte("{}")}},
		{TypeStage, "05000000 06000000 ffffffffffffffff 01000000 0700000000000000", &Stage{Stage: 5, StageAttempt: 6, Execution: -1, Accumulators: []tasksample.AccumulatorID{7}}},
		{TypeRows, "05000000 06000000 0700000000000000 08000000 02000000 0900000000000000 0a00000000000000 0b00000000000000 feffffffffffffff",
			&Rows{StageID: 5, StageAttempt: 6, ExecutionID: 7, Tasks: 8, Accumulated: []Accumulated{{ID: 9, Sum: 10}, {ID: 11, Sum: -2}}}},
		{TypeExecutionEnd, "0500000000000000 01000000 0600000000000000", &ExecutionEnd{ExecutionID: 5, Failed: true, UnixNano: 6}},
		{TypeExecutionEnd, "0500000000000000 00000000 0600000000000000", &ExecutionEnd{ExecutionID: 5, UnixNano: 6}},
		{TypeStageInfo, "05000000 02000000 7b7d", &StageInfo{Stage: 5, JSON: []byte("{}")}},
		{TypeApplication, "02000000 7b7d", &Application{JSON: []byte("{}")}},
		{TypeTimes, "03000000 7b207d", &Times{JSON: []byte("{ }")}},
		{TypeReplayBegin, "09000000", &Replay{Begin: true, Generation: 9}},
		{TypeReplayEnd, "0a000000", &Replay{Generation: 10}},
		{TypeVMLayout, "02000000 7b7d", &VMLayout{JSON: []byte("{}")}},
		{TypeCodeHeap, "0001000000000000 0002000000000000 01000000 68", &CodeHeap{Low: 256, High: 512, Name: "h"}},
	} {
		b, err := hex.DecodeString(strings.ReplaceAll(c.hex, " ", ""))
		require.NoError(t, err)
		got, err := DecodePayload(c.typ, 1, b)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
		require.Equal(t, b, EncodePayload(nil, c.want), c.typ)

		got, err = DecodePayload(c.typ, 2, append(b, 1, 2, 3)) // trailing fields of a newer minor
		require.NoError(t, err)
		require.Equal(t, c.want, got)

		for n := range b { // no prefix is a whole payload, but for one
			if c.typ == TypeCodeLoad && n == 84 {
				continue // TestCodeLoadOfAnEarlierAgent
			}
			_, err := DecodePayload(c.typ, 1, b[:n])
			require.ErrorContains(t, err, c.typ.String(), "%d bytes", n)
		}
		_, err = DecodePayload(c.typ, 0, b)
		require.ErrorContains(t, err, "version 0")
	}
}

func TestPayloadRefusals(t *testing.T) {
	load := &CodeLoad{Address: 64, Size: 16, PCs: []PCRegion{{16, 1, 1}}, Frames: []CodeFrame{{1, 2}}}
	for _, c := range []struct {
		name string
		r    Record
		want string
	}{
		{"region beyond the frames", load, "pc region 0: frames 1 + 1 of 1"},
		{"region wraps", &CodeLoad{PCs: []PCRegion{{16, 0xffffffff, 0xffffffff}}}, "pc region 0"},
		{"code wraps", &CodeLoad{Address: 1<<64 - 8, Size: 16}, "wraps around"},
		{"stub wraps", &Stub{Address: 1<<64 - 8, Size: 16}, "wraps around"},
		{"heap upside down", &CodeHeap{Low: 2, High: 1}, "high 0x1 is below low 0x2"},
	} {
		_, err := DecodePayload(c.r.recordType(), 1, EncodePayload(nil, c.r))
		require.ErrorContains(t, err, c.want, c.name)
	}
	b := EncodePayload(nil, &Stage{Accumulators: []tasksample.AccumulatorID{1}})
	le.PutUint32(b[16:], 0xffffffff)
	_, err := DecodePayload(TypeStage, 1, b)
	require.ErrorContains(t, err, "accumulator ids at payload offset 20 needs 34359738360 bytes, 8 are left")
	b = EncodePayload(nil, &Rows{Accumulated: []Accumulated{{ID: 1, Sum: 2}}})
	le.PutUint32(b[20:], 0xffffffff)
	_, err = DecodePayload(TypeRows, 1, b)
	require.ErrorContains(t, err, "accumulated at payload offset 24 needs 68719476720 bytes, 16 are left")
}

func TestPayloadsAreSorted(t *testing.T) {
	got, err := DecodePayload(TypeMethod, 1, EncodePayload(nil, &Method{Lines: []LineEntry{{9, 1}, {3, 2}, {3, 4}}}))
	require.NoError(t, err)
	require.Equal(t, []LineEntry{{3, 2}, {3, 4}, {9, 1}}, got.(*Method).Lines)
	got, err = DecodePayload(TypeCodeLoad, 1, EncodePayload(nil, &CodeLoad{PCs: []PCRegion{{9, 0, 0}, {3, 0, 0}}}))
	require.NoError(t, err)
	require.Equal(t, []PCRegion{{3, 0, 0}, {9, 0, 0}}, got.(*CodeLoad).PCs)
	got, err = DecodePayload(TypeCodeLoad, 1, EncodePayload(nil, &CodeLoad{Proofs: []PCProof{{9, 1}, {3, 2}}}))
	require.NoError(t, err)
	require.Equal(t, []PCProof{{3, 2}, {9, 1}}, got.(*CodeLoad).Proofs)
}

// Agents before 1.3 wrote no proofs, not even that there are none.
func TestCodeLoadOfAnEarlierAgent(t *testing.T) {
	load := &CodeLoad{Address: 64, Size: 16, PCs: []PCRegion{{16, 0, 1}}, Frames: []CodeFrame{{1, 2}}}
	b := EncodePayload(nil, load)
	got, err := DecodePayload(TypeCodeLoad, 1, b[:len(b)-4])
	require.NoError(t, err)
	require.Equal(t, load, got)
	_, err = DecodePayload(TypeCodeLoad, 1, b[:len(b)-1])
	require.ErrorContains(t, err, "proof_count at payload offset 72 needs 4 bytes, 3 are left")
	le.PutUint32(b[len(b)-4:], 0xffffffff)
	_, err = DecodePayload(TypeCodeLoad, 1, b)
	require.ErrorContains(t, err, "proofs at payload offset 76 needs 34359738360 bytes, 0 are left")
}

func TestRecordHeaderRefusals(t *testing.T) {
	for _, c := range []struct {
		name string
		ruin func(b []byte) []byte
		want string
	}{
		{"offset", func(b []byte) []byte { le.PutUint64(b[recOffset:], 72); return b }, "record at 64: offset field is 72"},
		{"length of a header's part", func(b []byte) []byte { le.PutUint32(b[recLength:], 24); return b }, "length 24"},
		{"odd length", func(b []byte) []byte { le.PutUint32(b[recLength:], 45); return b }, "length 45"},
		{"long", func(b []byte) []byte { le.PutUint32(b[recLength:], MaxRecordBytes+8); return b }, "length 4194312"},
		{"longer than the rest", func(b []byte) []byte { le.PutUint32(b[recLength:], 56); return b }, "length 56, 48 bytes are left"},
		{"payload", func(b []byte) []byte { le.PutUint32(b[recPayload:], 17); return b }, "payload_bytes 17"},
		{"flipped bit", func(b []byte) []byte { b[40] ^= 1; return b }, "crc32c"},
		{"cut", func(b []byte) []byte { return b[:31] }, "31 bytes of a header of 32"},
	} {
		b, err := EncodeRecord(nil, 64, 5, &CodeUnload{Address: 1, Method: 2})
		require.NoError(t, err)
		_, _, err = DecodeRecord(c.ruin(b), 64)
		require.ErrorContains(t, err, c.want, c.name)
	}
	pad := make([]byte, RecordHeaderBytes)
	putRecordHeader(pad, RecordHeader{Length: MaxRecordBytes + 8, Type: TypePad, PayloadBytes: MaxRecordBytes + 8})
	_, err := DecodeRecordHeader(pad, 0)
	require.ErrorContains(t, err, "payload_bytes", "a PAD may be long, but its payload must fit")
	le.PutUint32(pad[recPayload:], 0)
	_, err = DecodeRecordHeader(pad, 0)
	require.NoError(t, err)
	_, err = EncodeRecord(nil, 0, 5, &Source{Body: strings.Repeat("x", MaxRecordBytes-32)})
	require.ErrorIs(t, err, ErrRecordTooLarge)
}
