package jvmlog

import (
	"fmt"
	"slices"

	"github.com/planflame/planflame/tasksample"
)

// DecodePayload decodes the payload of a record. A later version may have trailing fields, which
// are ignored; version 0 does not exist. An unknown type becomes *Unknown. Errors name the record
// type, the field and its offset. The result shares no memory with b.
func DecodePayload(t RecordType, version uint16, b []byte) (Record, error) {
	if version == 0 {
		return nil, fmt.Errorf("decode record of type %d: version 0", t)
	}
	c := &cursor{record: t.String(), b: b}
	var r Record
	switch t {
	case TypeMethod:
		r = decodeMethod(c)
	case TypeCodeLoad:
		r = decodeCodeLoad(c)
	case TypeCodeUnload:
		r = &CodeUnload{Address: c.u64("address"), Method: MethodID(c.u64("method"))}
	case TypeStub:
		r = decodeStub(c)
	case TypeSource:
		r = &Source{Loader: LoaderID(c.u64("loader")), Class: c.str("class"), Body: c.str("body"), Comments: c.bytes("comments")}
	case TypeDictionary:
		r = &Dictionary{Execution: tasksample.ExecutionID(c.u64("execution_id")), Update: c.u32("update"), JSON: c.bytes("json")}
	case TypeStage:
		r = decodeStage(c)
	case TypeApplication:
		r = &Application{JSON: c.bytes("json")}
	case TypeReplayBegin, TypeReplayEnd:
		r = &Replay{Begin: t == TypeReplayBegin, Generation: c.u32("generation")}
	case TypeVMLayout:
		r = &VMLayout{JSON: c.bytes("json")}
	case TypeCodeHeap:
		r = decodeCodeHeap(c)
	case TypeRows:
		r = decodeRows(c)
	case TypeExecutionEnd:
		r = decodeExecutionEnd(c)
	case TypeTimes:
		r = &Times{JSON: c.bytes("json")}
	case TypeDwell:
		r = &Dwell{JSON: c.bytes("json")}
	case TypeStageInfo:
		r = &StageInfo{Stage: tasksample.StageID(c.u32("stage_id")), JSON: c.bytes("json")}
	default:
		r = &Unknown{Type: t, Version: version, Payload: append([]byte{}, b...)}
	}
	if c.err != nil {
		return nil, c.err
	}
	return r, nil
}

// EncodePayload appends the payload of r, without header and padding. It panics on a Record that is
// not one of this package's.
func EncodePayload(dst []byte, r Record) []byte {
	switch r := r.(type) {
	case *Method:
		return encodeMethod(dst, r)
	case *CodeLoad:
		return encodeCodeLoad(dst, r)
	case *CodeUnload:
		dst = le.AppendUint64(dst, r.Address)
		return le.AppendUint64(dst, uint64(r.Method))
	case *Stub:
		return encodeStub(dst, r)
	case *Source:
		dst = le.AppendUint64(dst, uint64(r.Loader))
		dst = appendStr(dst, r.Class)
		dst = appendStr(dst, r.Body)
		return appendStr(dst, r.Comments)
	case *Dictionary:
		dst = le.AppendUint64(dst, uint64(r.Execution))
		dst = le.AppendUint32(dst, r.Update)
		return appendStr(dst, r.JSON)
	case *Stage:
		return encodeStage(dst, r)
	case *Application:
		return appendStr(dst, r.JSON)
	case *Replay:
		return le.AppendUint32(dst, r.Generation)
	case *VMLayout:
		return appendStr(dst, r.JSON)
	case *CodeHeap:
		dst = le.AppendUint64(dst, r.Low)
		dst = le.AppendUint64(dst, r.High)
		return appendStr(dst, r.Name)
	case *Rows:
		return encodeRows(dst, r)
	case *ExecutionEnd:
		return encodeExecutionEnd(dst, r)
	case *Times:
		return appendStr(dst, r.JSON)
	case *Dwell:
		return appendStr(dst, r.JSON)
	case *StageInfo:
		return appendStr(le.AppendUint32(dst, uint32(r.Stage)), r.JSON)
	case *Unknown:
		return append(dst, r.Payload...)
	}
	panic(fmt.Sprintf("jvmlog: encode %T", r))
}

func decodeStage(c *cursor) Record {
	r := &Stage{
		Stage:        tasksample.StageID(c.u32("stage_id")),
		StageAttempt: tasksample.StageAttempt(c.u32("stage_attempt")),
		Execution:    tasksample.ExecutionID(c.u64("execution_id")),
	}
	n := c.u32("n")
	b := c.array("accumulator ids", n, 8)
	r.Accumulators = slices.Grow(r.Accumulators, len(b)/8)
	for ; len(b) > 0; b = b[8:] {
		r.Accumulators = append(r.Accumulators, tasksample.AccumulatorID(le.Uint64(b)))
	}
	return r
}

func encodeStage(dst []byte, r *Stage) []byte {
	dst = le.AppendUint32(dst, uint32(r.Stage))
	dst = le.AppendUint32(dst, uint32(r.StageAttempt))
	dst = le.AppendUint64(dst, uint64(r.Execution))
	dst = le.AppendUint32(dst, uint32(len(r.Accumulators)))
	for _, a := range r.Accumulators {
		dst = le.AppendUint64(dst, uint64(a))
	}
	return dst
}

var recordTypeNames = map[RecordType]string{
	TypePad: "PAD", TypeMethod: "METHOD", TypeCodeLoad: "CODE_LOAD", TypeCodeUnload: "CODE_UNLOAD", TypeStub: "STUB",
	TypeSource: "SOURCE", TypeDictionary: "DICTIONARY", TypeStage: "STAGE", TypeApplication: "APPLICATION",
	TypeReplayBegin: "REPLAY_BEGIN", TypeReplayEnd: "REPLAY_END", TypeVMLayout: "VM_LAYOUT", TypeCodeHeap: "CODE_HEAP",
	TypeRows: "ROWS", TypeExecutionEnd: "EXECUTION_END", TypeStageInfo: "STAGE_INFO", TypeTimes: "TIMES", TypeDwell: "DWELL",
}

// String is the name in FORMAT.md, or the number of an unknown type.
func (t RecordType) String() string {
	if s, ok := recordTypeNames[t]; ok {
		return s
	}
	return fmt.Sprintf("record type %d", uint16(t))
}
