package jvmlog

import (
	"cmp"
	"fmt"
	"slices"
)

func decodeMethod(c *cursor) Record {
	r := &Method{
		ID:     MethodID(c.u64("method")),
		Loader: LoaderID(c.u64("loader")),
		Ptr:    c.u64("method_ptr"),
		Flags:  MethodFlags(c.u32("flags")),
	}
	c.strs([]string{"class", "name", "descriptor", "source_file"}, &r.Class, &r.Name, &r.Descriptor, &r.SourceFile)
	n := c.u32("n")
	b := c.array("lines", n, 8)
	if len(b) > 0 {
		r.Lines = make([]LineEntry, 0, n)
	}
	for ; len(b) > 0; b = b[8:] {
		r.Lines = append(r.Lines, LineEntry{StartBCI: le.Uint32(b), Line: le.Uint32(b[4:])})
	}
	// The class file may list them in any order (JVMS 4.7.12); Method promises an ascending one.
	slices.SortStableFunc(r.Lines, func(a, b LineEntry) int { return cmp.Compare(a.StartBCI, b.StartBCI) })
	return r
}

func encodeMethod(dst []byte, r *Method) []byte {
	dst = le.AppendUint64(dst, uint64(r.ID))
	dst = le.AppendUint64(dst, uint64(r.Loader))
	dst = le.AppendUint64(dst, r.Ptr)
	dst = le.AppendUint32(dst, uint32(r.Flags))
	for _, s := range []string{r.Class, r.Name, r.Descriptor, r.SourceFile} {
		dst = appendStr(dst, s)
	}
	dst = le.AppendUint32(dst, uint32(len(r.Lines)))
	for _, l := range r.Lines {
		dst = le.AppendUint32(dst, l.StartBCI)
		dst = le.AppendUint32(dst, l.Line)
	}
	return dst
}

func decodeCodeLoad(c *cursor) Record {
	r := &CodeLoad{
		Address:       c.u64("address"),
		Size:          c.u32("size"),
		Level:         CompileLevel(c.u32("compile_level")),
		Method:        MethodID(c.u64("method")),
		FrameBytes:    c.u32("frame_bytes"),
		FrameComplete: c.u32("frame_complete"),
		CompileID:     c.u32("compile_id"),
		Flags:         CodeFlags(c.u32("flags")),
	}
	c.checkRange("size", r.Address, uint64(r.Size))
	pcCount, frameCount := c.u32("pc_count"), c.u32("frame_count")
	pcs := c.array("pc regions", pcCount, 12)
	frames := c.array("frames", frameCount, 12)
	if c.err != nil {
		return r
	}
	if pcCount > 0 {
		r.PCs = make([]PCRegion, 0, pcCount)
	}
	for ; len(pcs) > 0; pcs = pcs[12:] {
		p := PCRegion{End: le.Uint32(pcs), First: le.Uint32(pcs[4:]), Count: le.Uint32(pcs[8:])}
		if uint64(p.First)+uint64(p.Count) > uint64(frameCount) {
			c.err = fmt.Errorf("decode %s: pc region %d: frames %d + %d of %d", c.record, len(r.PCs), p.First, p.Count, frameCount)
			return r
		}
		r.PCs = append(r.PCs, p)
	}
	if frameCount > 0 {
		r.Frames = make([]CodeFrame, 0, frameCount)
	}
	for ; len(frames) > 0; frames = frames[12:] {
		r.Frames = append(r.Frames, CodeFrame{Method: MethodID(le.Uint64(frames)), BCI: int32(le.Uint32(frames[8:]))})
	}
	c.proofs(r)
	if byEnd := func(a, b PCRegion) int { return cmp.Compare(a.End, b.End) }; !slices.IsSortedFunc(r.PCs, byEnd) {
		slices.SortStableFunc(r.PCs, byEnd)
	}
	return r
}

// proofs reads what stands at the end of a CODE_LOAD since 1.3.
func (c *cursor) proofs(r *CodeLoad) {
	if c.off == len(c.b) {
		return // an earlier agent's
	}
	n := c.u32("proof_count")
	b := c.array("proofs", n, 8)
	for ; len(b) > 0; b = b[8:] {
		r.Proofs = append(r.Proofs, PCProof{End: le.Uint32(b), Trap: le.Uint32(b[4:])})
	}
	slices.SortStableFunc(r.Proofs, func(a, b PCProof) int { return cmp.Compare(a.End, b.End) })
}

func encodeCodeLoad(dst []byte, r *CodeLoad) []byte {
	dst = le.AppendUint64(dst, r.Address)
	dst = le.AppendUint32(dst, r.Size)
	dst = le.AppendUint32(dst, uint32(r.Level))
	dst = le.AppendUint64(dst, uint64(r.Method))
	dst = le.AppendUint32(dst, r.FrameBytes)
	dst = le.AppendUint32(dst, r.FrameComplete)
	dst = le.AppendUint32(dst, r.CompileID)
	dst = le.AppendUint32(dst, uint32(r.Flags))
	dst = le.AppendUint32(dst, uint32(len(r.PCs)))
	dst = le.AppendUint32(dst, uint32(len(r.Frames)))
	for _, p := range r.PCs {
		dst = le.AppendUint32(dst, p.End)
		dst = le.AppendUint32(dst, p.First)
		dst = le.AppendUint32(dst, p.Count)
	}
	for _, f := range r.Frames {
		dst = le.AppendUint64(dst, uint64(f.Method))
		dst = le.AppendUint32(dst, uint32(f.BCI))
	}
	dst = le.AppendUint32(dst, uint32(len(r.Proofs)))
	for _, p := range r.Proofs {
		dst = le.AppendUint32(dst, p.End)
		dst = le.AppendUint32(dst, p.Trap)
	}
	return dst
}

func decodeStub(c *cursor) Record {
	r := &Stub{Address: c.u64("address"), Size: c.u32("size")}
	c.u32("flags") // none are defined
	r.Name = c.str("name")
	c.checkRange("size", r.Address, uint64(r.Size))
	return r
}

func encodeStub(dst []byte, r *Stub) []byte {
	dst = le.AppendUint64(dst, r.Address)
	dst = le.AppendUint32(dst, r.Size)
	dst = le.AppendUint32(dst, 0)
	return appendStr(dst, r.Name)
}

func decodeCodeHeap(c *cursor) Record {
	r := &CodeHeap{Low: c.u64("low"), High: c.u64("high"), Name: c.str("name")}
	if c.err == nil && r.High < r.Low {
		c.err = fmt.Errorf("decode %s: high %#x is below low %#x", c.record, r.High, r.Low)
	}
	return r
}

// checkRange refuses an address range that wraps around the end of the address space.
func (c *cursor) checkRange(field string, addr, size uint64) {
	if c.err == nil && addr+size < addr {
		c.err = fmt.Errorf("decode %s: %s %d at address %#x wraps around", c.record, field, size, addr)
	}
}
