package hotspot

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// Bounds of debug info.
const (
	mostDepth  = 1 << 10 // frames inlined into each other
	mostFrames = 1 << 18 // of all scopes of an nmethod that are looked at: the largest of TPC-H has 18,000
)

// ErrReplaced says that other code took a compiled method's place while it was read.
var ErrReplaced = errors.New("other code took its place")

// debugInfo is the debug info of one nmethod, as it stands in memory.
type debugInfo struct {
	code     []byte
	metadata []byte // Method* and other Metadata*
	scopes   []byte
	pcs      []byte
}

// Load reads the debug info of a compiled method that Find has found, and what its instructions
// prove of it. trapBlob is where the JVM calls its uncommon trap (the STUB record of
// UncommonTrapBlob); without it nothing is proven. number gives the number of a Method*, 0 where it
// has no name. The error is ErrReplaced where other code stands there now.
func (c *CodeCache) Load(n NMethod, trapBlob uint64, number func(method uint64) jvmlog.MethodID) (*jvmlog.CodeLoad, error) {
	info, err := c.debugInfo(n)
	if err != nil {
		return nil, err
	}
	r := &jvmlog.CodeLoad{
		Address: n.Code, Size: n.Size, Level: n.Level, FrameBytes: n.FrameBytes, FrameComplete: n.FrameComplete, CompileID: n.CompileID,
	}
	d := scopeReader{layout: &c.layout, info: info, number: number, chains: map[uint32]jvmlog.PCRegion{}, to: r}
	if err := d.regions(n.Size); err != nil {
		return nil, c.replaced(n, err)
	}
	r.Method = number(n.Method)
	if len(r.PCs) > 0 {
		r.Flags |= jvmlog.CodeInlines
	}
	const c2 = 4
	if n.Level == c2 {
		r.Proofs = findProofs(traps{blob: trapBlob, reasons: c.layout.trapReasons}, info.code, n.Code, r.PCs)
	}
	return r, c.replaced(n, nil)
}

// replaced is err, or ErrReplaced if n is not there any more.
func (c *CodeCache) replaced(n NMethod, err error) error {
	there, readErr := c.Stands(&n)
	if !there && readErr == nil {
		return errors.Join(ErrReplaced, err)
	}
	return errors.Join(err, readErr)
}

// debugInfo reads the memory of an nmethod.
func (c *CodeCache) debugInfo(n NMethod) (d debugInfo, err error) {
	l, le := &c.layout, binary.LittleEndian
	head := c.head[:l.headBytes]
	if err := c.memory.ReadAt(head, n.Blob); err != nil {
		return d, fmt.Errorf("nmethod at %#x: %w", n.Blob, err)
	}
	if now, err := l.nmethod(head, n.Blob); err != nil || now != n {
		return d, errors.Join(ErrReplaced, err)
	}
	if l.apart {
		return c.debugInfoApart(n, head)
	}
	blob := make([]byte, le.Uint32(head[l.blobSize:]))
	if err := c.memory.ReadAt(blob, n.Blob); err != nil {
		return d, fmt.Errorf("nmethod at %#x of %d bytes: %w", n.Blob, len(blob), err)
	}
	code := n.Code - n.Blob
	metadata, scopes := uint64(le.Uint32(blob[l.metadata:])), le.Uint64(blob[l.scopesAt:])-n.Blob
	pcs, end := uint64(le.Uint32(blob[l.pcs:])), uint64(le.Uint32(blob[l.behindPCs:]))
	if metadata > scopes || scopes > pcs || pcs > end || end > uint64(len(blob)) {
		return d, fmt.Errorf("nmethod at %#x with metadata at %d, scopes at %d, pcs at %d … %d of %d: %w", n.Blob, metadata, scopes, pcs, end, len(blob), errImpossible)
	}
	return debugInfo{code: blob[code : code+uint64(n.Size)], metadata: blob[metadata:scopes], scopes: blob[scopes:pcs], pcs: blob[pcs:end]}, nil
}

// debugInfoApart reads what a JVM keeps outside of the code cache.
func (c *CodeCache) debugInfoApart(n NMethod, head []byte) (d debugInfo, err error) {
	l, le := &c.layout, binary.LittleEndian
	immutable, immutableN := le.Uint64(head[l.immutable:]), le.Uint32(head[l.immutableN:])
	mutable, mutableN, relocation := le.Uint64(head[l.mutable:]), le.Uint32(head[l.mutableN:]), le.Uint32(head[l.relocation:])
	pcs, scopes := le.Uint32(head[l.pcs:]), le.Uint32(head[l.scopes:])
	if relocation > mutableN || mutableN > mostApart || pcs > scopes || scopes > immutableN || immutableN > mostApart {
		return d, fmt.Errorf("nmethod at %#x with %d of %d mutable bytes of relocations, pcs at %d, scopes at %d of %d immutable ones: %w",
			n.Blob, relocation, mutableN, pcs, scopes, immutableN, errImpossible)
	}
	d.code = make([]byte, n.Size)
	d.metadata = make([]byte, mutableN-relocation)
	debug := make([]byte, immutableN-pcs)
	for _, r := range []struct {
		what string
		to   []byte
		from uint64
	}{{"code", d.code, n.Code}, {"metadata", d.metadata, mutable + uint64(relocation)}, {"debug info", debug, immutable + uint64(pcs)}} {
		if len(r.to) == 0 {
			continue
		}
		if err := c.memory.ReadAt(r.to, r.from); err != nil {
			return d, c.replaced(n, fmt.Errorf("%s of the nmethod at %#x: %w", r.what, n.Blob, err))
		}
	}
	d.pcs, d.scopes = debug[:scopes-pcs], debug[scopes-pcs:]
	return d, nil
}

// scopeReader turns PcDescs and scopes into regions.
type scopeReader struct {
	layout *CodeLayout
	info   debugInfo
	number func(uint64) jvmlog.MethodID
	chains map[uint32]jvmlog.PCRegion // by where the innermost scope begins; End is not set
	to     *jvmlog.CodeLoad
	frames int // that were decoded: many more than are kept, where all chains are the same
}

// regions appends a region for each PcDesc that has a scope. PcDescs ascend; one that does not, or
// lies outside of the code, is left out, as the agent does.
func (d *scopeReader) regions(size uint32) error {
	le, step := binary.LittleEndian, d.layout.pcBytes
	last := int32(0)
	for b := d.info.pcs; uint64(len(b)) >= step; b = b[step:] {
		end, scope := int32(le.Uint32(b[d.layout.pcEnd:])), le.Uint32(b[d.layout.pcScope:])
		if scope < lowestScope || end <= last || uint32(end) > size {
			continue
		}
		region, known := d.chains[scope]
		if !known {
			var err error
			if region, err = d.chain(scope); err != nil {
				return err
			}
			d.chains[scope] = region
		}
		region.End = uint32(end)
		d.to.PCs = append(d.to.PCs, region)
		last = end
	}
	return nil
}

// chain appends the frames of a scope, innermost first.
func (d *scopeReader) chain(at uint32) (jvmlog.PCRegion, error) {
	region := jvmlog.PCRegion{First: uint32(len(d.to.Frames))}
	for at >= lowestScope {
		outer, frame, err := d.scope(at)
		if err != nil {
			return region, err
		}
		if outer >= at || region.Count == mostDepth || d.frames == mostFrames {
			return region, fmt.Errorf("scope at %d in one at %d, %d frames deep, %d in all: %w", at, outer, region.Count, d.frames, errImpossible)
		}
		d.frames++
		d.to.Frames = append(d.to.Frames, frame)
		region.Count++
		at = outer
	}
	d.share(&region)
	return region, nil
}

// share takes back the frames of a chain if the one before it is the same: scopes differ in more
// than their frames.
func (d *scopeReader) share(region *jvmlog.PCRegion) {
	frames := d.to.Frames[region.First:]
	if n := len(d.to.PCs); n > 0 {
		last := d.to.PCs[n-1]
		if slices.Equal(frames, d.to.Frames[last.First:last.First+last.Count]) {
			d.to.Frames = d.to.Frames[:region.First]
			region.First = last.First
		}
	}
}

// scope decodes a scope: where the one that it is inlined into begins, 0 for none; the index of its
// method, from 1; its bci (debugInfoRec.cpp, describe_scope).
func (d *scopeReader) scope(at uint32) (outer uint32, f jvmlog.CodeFrame, err error) {
	if uint64(at) >= uint64(len(d.info.scopes)) {
		return 0, f, fmt.Errorf("scope at %d of %d: %w", at, len(d.info.scopes), errImpossible)
	}
	coding, b := codingOf(d.layout.feature), d.info.scopes[at:]
	var values [3]uint32
	for i := range values {
		v, n := coding.read(b)
		if n == 0 {
			return 0, f, fmt.Errorf("scope at %d of %d does not decode: %w", at, len(d.info.scopes), errImpossible)
		}
		values[i], b = v, b[n:]
	}
	index := uint64(values[1])
	if index == 0 || 8*index > uint64(len(d.info.metadata)) {
		return 0, f, fmt.Errorf("scope at %d of method %d of %d: %w", at, index, len(d.info.metadata)/8, errImpossible)
	}
	method := binary.LittleEndian.Uint64(d.info.metadata[8*(index-1):])
	return values[0], jvmlog.CodeFrame{Method: d.number(method), BCI: int32(values[2]) + entryBCI}, nil
}
