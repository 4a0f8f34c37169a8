package sampler

import (
	"encoding/binary"
	"encoding/json"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/unwind"
)

// methodLayout is where HotSpot keeps a method's bytecodes: at the end of the ConstMethod that the Method points to (constMethod.hpp,
// JDK 17 to 25: code_base()). The zero value is unknown.
type methodLayout struct {
	constMethod uint64 // offset of Method::_constMethod
	codeBase    uint64 // sizeof(ConstMethod)
}

// layoutOf reads a VM_LAYOUT record; what it lacks leaves bytecode indices unknown.
func layoutOf(r *jvmlog.VMLayout) (methodLayout, error) {
	var layout struct {
		Offsets map[string]uint64 `json:"offsets"`
		Sizes   map[string]uint64 `json:"sizes"`
	}
	if err := json.Unmarshal(r.JSON, &layout); err != nil {
		return methodLayout{}, err
	}
	return methodLayout{constMethod: layout.Offsets["Method._constMethod"], codeBase: layout.Sizes["ConstMethod"]}, nil
}

// interpreted says which bytecodes the interpreter frames of a stack run. kernel is the number of addresses before the stack's.
func (j *jvm) interpreted(frames []unwind.Interpreted, kernel int) []Interpreted {
	if len(frames) == 0 {
		return nil
	}
	out := make([]Interpreted, len(frames))
	for i, f := range frames {
		out[i] = Interpreted{Frame: f.Frame + kernel, Method: f.Method, BCI: j.bci(f)}
	}
	return out
}

// bci is the bytecode index of the first bytecode pointer that lies within a method's code.
func (j *jvm) bci(f unwind.Interpreted) int32 {
	if j.layout.codeBase == 0 {
		return -1
	}
	var b [8]byte
	if j.memory.ReadAt(b[:], f.Method+j.layout.constMethod) != nil {
		return -1
	}
	base := binary.LittleEndian.Uint64(b[:]) + j.layout.codeBase
	const longest = 65535 // bytes of code in a method (JVMS 4.7.3)
	for _, bcp := range f.BCP {
		if bcp >= base && bcp-base < longest {
			return int32(bcp - base)
		}
	}
	return -1
}
