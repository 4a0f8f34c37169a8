package hotspot

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// CodeLayout is where one JVM keeps its compiled code: offsets in bytes from the start of each
// structure, and sizes. Make one with ParseCodeLayout; the zero value finds no code.
type CodeLayout struct {
	feature uint32 // JDK feature release
	heaps   uint64 // address of CodeCache::_heaps, a GrowableArray<CodeHeap*>*

	arrayLength uint64 // GrowableArrayBase::_len, 32 bits
	arrayData   uint64 // GrowableArray::_data

	heapMemory, heapMap uint64 // CodeHeap::_memory and _segmap, VirtualSpaces
	heapLog2            uint64 // CodeHeap::_log2_segment_size, 32 bits
	spaceLow, spaceHigh uint64 // VirtualSpace::_low_boundary and _high_boundary
	blockUsed           uint64 // HeapBlock::Header::_used, a byte
	blockBytes          uint64 // sizeof(HeapBlock): the CodeBlob follows

	blobName     uint64 // CodeBlob::_name
	blobSize     uint64 // CodeBlob::_size, 32 bits
	blobFrame    uint64 // CodeBlob::_frame_size, 32 bits, in words
	blobComplete uint64 // CodeBlob::_frame_complete_offset; 16 bits where apart
	blobCode     uint64 // CodeBlob::_code_begin; where apart _code_offset, 32 bits
	blobEnd      uint64 // CodeBlob::_code_end; where apart _data_offset, 32 bits

	method    uint64 // nmethod::_method
	compileID uint64 // nmethod::_compile_id, 32 bits
	level     uint64 // nmethod::_comp_level: its low byte
	pcs       uint64 // nmethod::_scopes_pcs_offset, 32 bits

	pcBytes uint64 // sizeof(PcDesc)
	pcEnd   uint64 // PcDesc::_pc_offset, 32 bits
	pcScope uint64 // PcDesc::_scope_decode_offset, 32 bits

	// apart says that metadata and scopes lie outside of the code cache, as in JDK 25.
	apart bool

	// Of JVMs where they do not, JDK 17 to 21.
	metadata  uint64 // nmethod::_metadata_offset, 32 bits
	scopesAt  uint64 // CompiledMethod::_scopes_data_begin, an address
	behindPCs uint64 // nmethod::_dependencies_offset, 32 bits

	// Of JVMs where they do.
	immutable  uint64 // nmethod::_immutable_data, an address
	immutableN uint64 // nmethod::_immutable_data_size, 32 bits
	scopes     uint64 // nmethod::_scopes_data_offset in it, 32 bits
	mutable    uint64 // CodeBlob::_mutable_data, an address: relocations, metadata
	mutableN   uint64 // CodeBlob::_mutable_data_size, 32 bits
	relocation uint64 // CodeBlob::_relocation_size, 32 bits

	trapReasons uint32 // bit n: traps for Deoptimization::DeoptReason n prove something (FORMAT.md)
	headBytes   uint64 // what of an nmethod has all of these fields
}

// ParseCodeLayout reads the JSON of a VM_LAYOUT record of a JVM of a feature release. The error
// names what is missing or out of range; nothing is guessed.
func ParseCodeLayout(text []byte, feature uint32) (CodeLayout, error) {
	var t struct {
		Offsets     map[string]uint64 `json:"offsets"`
		Addresses   map[string]uint64 `json:"addresses"`
		Sizes       map[string]uint64 `json:"sizes"`
		TrapReasons uint32            `json:"trap_reasons"`
	}
	if err := json.Unmarshal(text, &t); err != nil {
		return CodeLayout{}, fmt.Errorf("read the JVM's layout: %w", err)
	}
	_, apart := t.Offsets["CodeBlob._mutable_data"]
	l := CodeLayout{feature: feature, apart: apart, trapReasons: t.TrapReasons, heaps: t.Addresses["CodeCache._heaps"]}
	of := layoutFields{t.Offsets}
	size := layoutFields{t.Sizes}
	errs := []error{
		of.take(&l.arrayLength, "GrowableArrayBase._len"), of.take(&l.arrayData, "GrowableArray<int>._data"),
		of.take(&l.heapMemory, "CodeHeap._memory"), of.take(&l.heapMap, "CodeHeap._segmap"), of.take(&l.heapLog2, "CodeHeap._log2_segment_size"),
		of.take(&l.spaceLow, "VirtualSpace._low_boundary"), of.take(&l.spaceHigh, "VirtualSpace._high_boundary"),
		of.take(&l.blockUsed, "HeapBlock::Header._used"), size.take(&l.blockBytes, "HeapBlock"),
		of.take(&l.blobName, "CodeBlob._name"), of.take(&l.blobSize, "CodeBlob._size"),
		of.take(&l.blobFrame, "CodeBlob._frame_size"), of.take(&l.blobComplete, "CodeBlob._frame_complete_offset"),
		of.take(&l.compileID, "nmethod._compile_id"), of.take(&l.level, "nmethod._comp_level"), of.take(&l.pcs, "nmethod._scopes_pcs_offset"),
		size.take(&l.pcBytes, "PcDesc"), of.take(&l.pcEnd, "PcDesc._pc_offset"), of.take(&l.pcScope, "PcDesc._scope_decode_offset"),
	}
	if apart {
		errs = append(errs,
			of.take(&l.blobCode, "CodeBlob._code_offset"), of.take(&l.blobEnd, "CodeBlob._data_offset"), of.take(&l.method, "nmethod._method"),
			of.take(&l.immutable, "nmethod._immutable_data"), of.take(&l.immutableN, "nmethod._immutable_data_size"), of.take(&l.scopes, "nmethod._scopes_data_offset"),
			of.take(&l.mutable, "CodeBlob._mutable_data"), of.take(&l.mutableN, "CodeBlob._mutable_data_size"), of.take(&l.relocation, "CodeBlob._relocation_size"))
	} else {
		errs = append(errs,
			of.take(&l.blobCode, "CodeBlob._code_begin"), of.take(&l.blobEnd, "CodeBlob._code_end"), of.take(&l.method, "CompiledMethod._method"),
			of.take(&l.metadata, "nmethod._metadata_offset"), of.take(&l.scopesAt, "CompiledMethod._scopes_data_begin"), of.take(&l.behindPCs, "nmethod._dependencies_offset"))
	}
	if l.heaps == 0 {
		errs = append(errs, errors.New("CodeCache._heaps missing"))
	}
	if err := errors.Join(errs...); err != nil {
		return CodeLayout{}, fmt.Errorf("read the JVM's layout of compiled code: %s", strings.ReplaceAll(err.Error(), "\n", ", "))
	}
	return l, l.check()
}

// layoutFields are the offsets, or the sizes, of a VM_LAYOUT record.
type layoutFields struct{ of map[string]uint64 }

func (f layoutFields) take(to *uint64, name string) error {
	v, ok := f.of[name]
	if !ok {
		return fmt.Errorf("%s missing", name)
	}
	if v > mostOffset {
		return fmt.Errorf("%s is %d, at most %d can be right", name, v, mostOffset)
	}
	*to = v
	return nil
}

// check sets headBytes and says which size is smaller than the fields that are read with it.
func (l *CodeLayout) check() error {
	for _, offset := range []uint64{
		l.blobName, l.blobSize, l.blobFrame, l.blobComplete, l.blobCode, l.blobEnd, l.method, l.compileID, l.level, l.pcs,
		l.metadata, l.scopesAt, l.behindPCs, l.immutable, l.immutableN, l.scopes, l.mutable, l.mutableN, l.relocation,
	} {
		l.headBytes = max(l.headBytes, offset+8)
	}
	switch {
	case l.blockBytes+l.headBytes > headRoom:
		return fmt.Errorf("read the JVM's layout of compiled code: HeapBlock and the fields of an nmethod have %d + %d bytes, at most %d can be right",
			l.blockBytes, l.headBytes, headRoom)
	case l.pcBytes < max(l.pcEnd, l.pcScope)+4:
		return fmt.Errorf("read the JVM's layout of compiled code: PcDesc has %d bytes, its fields end at %d", l.pcBytes, max(l.pcEnd, l.pcScope)+4)
	case l.blockBytes == 0 || l.blockUsed >= l.blockBytes:
		return fmt.Errorf("read the JVM's layout of compiled code: HeapBlock has %d bytes, _used is at %d", l.blockBytes, l.blockUsed)
	}
	return nil
}

// headRoom bounds the block's header and the part of an nmethod that are read for their fields: JDK
// 17 has them in 332 bytes.
const headRoom = 512
