package hotspot

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// codeLayout17 and codeLayout25 are the fields of VM_LAYOUT records of JDK 17.0.15 (Debian) and
// 25.0.3 (Temurin) that are read here. The address of CodeCache::_heaps and the reasons are
// invented.
const (
	codeLayout17 = `{"offsets":{"GrowableArrayBase._len":0,"GrowableArray<int>._data":8,"CodeHeap._memory":8,"CodeHeap._segmap":120,"CodeHeap._log2_segment_size":256,
	"VirtualSpace._low_boundary":0,"VirtualSpace._high_boundary":8,"HeapBlock::Header._used":8,"CodeBlob._name":96,"CodeBlob._size":12,"CodeBlob._frame_size":28,
	"CodeBlob._frame_complete_offset":20,"CodeBlob._code_begin":32,"CodeBlob._code_end":40,"CompiledMethod._method":112,"CompiledMethod._scopes_data_begin":120,
	"nmethod._compile_id":304,"nmethod._comp_level":308,"nmethod._scopes_pcs_offset":268,"nmethod._metadata_offset":260,"nmethod._dependencies_offset":272,
	"PcDesc._pc_offset":0,"PcDesc._scope_decode_offset":4},"addresses":{"CodeCache._heaps":65536},"sizes":{"HeapBlock":16,"PcDesc":16},"trap_reasons":2}`
	codeLayout25 = `{"offsets":{"GrowableArrayBase._len":0,"GrowableArray<int>._data":8,"CodeHeap._memory":0,"CodeHeap._segmap":112,"CodeHeap._log2_segment_size":248,
	"VirtualSpace._low_boundary":0,"VirtualSpace._high_boundary":8,"HeapBlock::Header._used":4,"CodeBlob._name":8,"CodeBlob._size":24,"CodeBlob._frame_size":44,
	"CodeBlob._frame_complete_offset":54,"CodeBlob._code_offset":36,"CodeBlob._data_offset":40,"CodeBlob._mutable_data":16,"CodeBlob._mutable_data_size":48,
	"CodeBlob._relocation_size":28,"nmethod._method":80,"nmethod._immutable_data":96,"nmethod._immutable_data_size":160,"nmethod._scopes_data_offset":200,
	"nmethod._compile_id":212,"nmethod._comp_level":216,"nmethod._scopes_pcs_offset":196,
	"PcDesc._pc_offset":0,"PcDesc._scope_decode_offset":4},"addresses":{"CodeCache._heaps":65536},"sizes":{"HeapBlock":8,"PcDesc":16},"trap_reasons":2}`
)

// Where the fake code cache keeps things.
const (
	arrayAt     = base + 0x10
	heapsAt     = base + 0x30
	heapAt      = base + 0x100
	mapAt       = base + 0x300
	ourName     = base + 0x400
	stubName    = base + 0x420
	immutableAt = base + 0x500
	mutableAt   = base + 0x600
	lowAt       = base + 0x800 // the code heap, of segments of 128 bytes
	blockAt     = lowAt + 2*128
	trapAt      = base + 0x700
)

// codeWorld is a fake code cache with one nmethod: level 4, compile id 77, a frame of 6 words
// complete after 12 of its 64 bytes of code. Method 0xa0 runs bytecode 3 up to offset 16; up to
// 40 method 0xb0 runs bytecode 5, inlined at 0xa0's 9.
type codeWorld struct {
	world
	layout CodeLayout
	code   uint64
	pcs    uint64
	scopes uint64
}

func newCodeWorld(t testing.TB, json string, feature uint32) *codeWorld {
	t.Helper()
	l, err := ParseCodeLayout([]byte(json), feature)
	require.NoError(t, err)
	w := &codeWorld{world: world{b: make([]byte, worldBytes)}, layout: l}
	w.u64(base, arrayAt)
	w.u32(arrayAt+l.arrayLength, 1)
	w.u64(arrayAt+l.arrayData, heapsAt)
	w.u64(heapsAt, heapAt)
	w.u64(heapAt+l.heapMemory+l.spaceLow, lowAt)
	w.u64(heapAt+l.heapMemory+l.spaceHigh, base+worldBytes)
	w.u64(heapAt+l.heapMap+l.spaceLow, mapAt)
	w.u32(heapAt+l.heapLog2, 7)
	copy(w.b[mapAt-base:], []byte{0xff, 0xff, 0, 1, 2, 3, 4, 1, 0xff, 0xff, 9})
	copy(w.b[ourName-base:], "nmethod")
	copy(w.b[stubName-base:], "nmethods")
	w.nmethod()
	return w
}

func (w *codeWorld) nmethod() {
	l := &w.layout
	blob := blockAt + l.blockBytes
	w.code = blob + 0x180
	w.b[blockAt+l.blockUsed-base] = 1
	w.u64(blob+l.blobName, ourName)
	w.u32(blob+l.blobSize, 0x2c0)
	w.u32(blob+l.blobFrame, 6)
	w.u64(blob+l.method, 0xa0)
	w.u32(blob+l.compileID, 77)
	w.b[blob+l.level-base] = 4
	metadata := blob + 0x200
	w.scopes, w.pcs = blob+0x220, blob+0x240
	if l.apart {
		w.u32(blob+l.blobCode, 0x180)
		w.u32(blob+l.blobEnd, 0x1c0)
		w.u16(blob+l.blobComplete, 12)
		w.u64(blob+l.immutable, immutableAt)
		w.u32(blob+l.immutableN, 0x90)
		w.u32(blob+l.pcs, 0x10)
		w.u32(blob+l.scopes, 0x60)
		w.u64(blob+l.mutable, mutableAt)
		w.u32(blob+l.mutableN, 0x30)
		w.u32(blob+l.relocation, 0x20)
		metadata, w.pcs, w.scopes = mutableAt+0x20, immutableAt+0x10, immutableAt+0x60
	} else {
		w.u64(blob+l.blobCode, w.code)
		w.u64(blob+l.blobEnd, w.code+0x40)
		w.u32(blob+l.blobComplete, 12)
		w.u32(blob+l.metadata, 0x200)
		w.u64(blob+l.scopesAt, w.scopes)
		w.u32(blob+l.pcs, 0x240)
		w.u32(blob+l.behindPCs, 0x290)
	}
	w.u64(metadata, 0xb0)
	w.u64(metadata+8, 0xa0)
	coding := codingOf(l.feature)
	scopes := []byte{99}
	for _, v := range []uint32{0, 2, 4, 0, 2, 10, 4, 1, 6} { // sender, method, bci + 1: each a byte
		scopes = coding.append(scopes, v)
	}
	copy(w.b[w.scopes-base:], scopes)
	for i, pc := range [][2]uint32{{^uint32(0), 0}, {16, 1}, {24, 0}, {40, 7}, {1 << 30, 0}} {
		w.u32(w.pcs+uint64(16*i), pc[0])
		w.u32(w.pcs+uint64(16*i)+4, pc[1])
	}
}

func (w *codeWorld) load(addr uint64) (*jvmlog.CodeLoad, error) {
	c, err := NewCodeCache(w.layout, w)
	if err != nil {
		return nil, err
	}
	n, err := c.Find(addr)
	if err != nil {
		return nil, err
	}
	return c.Load(n, trapAt, func(method uint64) jvmlog.MethodID { return jvmlog.MethodID(method + 1) })
}

// wanted is what codeWorld holds.
func (w *codeWorld) wanted() *jvmlog.CodeLoad {
	return &jvmlog.CodeLoad{
		Address: w.code, Size: 64, Level: 4, Method: 0xa1, FrameBytes: 48, FrameComplete: 12, CompileID: 77, Flags: jvmlog.CodeInlines,
		PCs:    []jvmlog.PCRegion{{End: 16, First: 0, Count: 1}, {End: 40, First: 1, Count: 2}},
		Frames: []jvmlog.CodeFrame{{Method: 0xa1, BCI: 3}, {Method: 0xb1, BCI: 5}, {Method: 0xa1, BCI: 9}},
	}
}

// worlds calls with the fake code cache of each layout.
func worlds(t *testing.T, call func(t *testing.T, w *codeWorld)) {
	for feature, layout := range map[uint32]string{17: codeLayout17, 25: codeLayout25} {
		t.Run(map[uint32]string{17: "17", 25: "25"}[feature], func(t *testing.T) { call(t, newCodeWorld(t, layout, feature)) })
	}
}

func TestCode(t *testing.T) {
	worlds(t, func(t *testing.T, w *codeWorld) {
		for _, addr := range []uint64{w.code, w.code + 63} {
			got, err := w.load(addr)
			require.NoError(t, err)
			assert.Equal(t, w.wanted(), got)
		}
		for what, addr := range map[string]uint64{
			"below the heap": lowAt - 1, "in a free segment": lowAt, "in the header": w.code - 1, "behind the code": w.code + 64, "above the heap": base + worldBytes,
		} {
			_, err := w.load(addr)
			assert.ErrorIs(t, err, ErrNoCode, what)
		}
		blob := blockAt + w.layout.blockBytes
		w.u64(blob+w.layout.blobName, stubName)
		_, err := w.load(w.code)
		assert.ErrorIs(t, err, ErrNoCode, "code of the JVM's own")
		w.u64(blob+w.layout.blobName, ourName)
		w.b[blockAt+w.layout.blockUsed-base] = 0
		_, err = w.load(w.code)
		assert.ErrorIs(t, err, ErrNoCode, "freed")
	})
}

// The frame of a branch and its trap: cmp; je to a block that gives reason 1 to the trap.
func TestProofsOfRead(t *testing.T) {
	worlds(t, func(t *testing.T, w *codeWorld) {
		at := w.code - base
		copy(w.b[at+10:], []byte{0x0f, 0x84, 14, 0, 0, 0}) // to 30; ends at 16
		copy(w.b[at+30:], []byte{0xbe, 0xf6, 0xff, 0xff, 0xff, 0xe8})
		binary.LittleEndian.PutUint32(w.b[at+36:], uint32(trapAt-(w.code+40))) // returns to 40
		got, err := w.load(w.code)
		require.NoError(t, err)
		assert.Equal(t, []jvmlog.PCProof{{End: 16, Trap: 40}}, got.Proofs)
		w.b[at+31] = 0xee // reason 2 proves nothing
		got, err = w.load(w.code)
		require.NoError(t, err)
		assert.Empty(t, got.Proofs)
	})
}

func TestCodeReplaced(t *testing.T) {
	worlds(t, func(t *testing.T, w *codeWorld) {
		c, err := NewCodeCache(w.layout, w)
		require.NoError(t, err)
		n, err := c.Find(w.code)
		require.NoError(t, err)
		w.u32(n.Blob+w.layout.compileID, 78)
		_, err = c.Load(n, trapAt, func(uint64) jvmlog.MethodID { return 1 })
		assert.ErrorIs(t, err, ErrReplaced)
		w.u32(n.Blob+w.layout.compileID, 77)
		_, err = c.Load(n, trapAt, func(uint64) jvmlog.MethodID { w.u32(n.Blob+w.layout.compileID, 78); return 1 })
		assert.ErrorIs(t, err, ErrReplaced, "while it was read")
		w.u32(n.Blob+w.layout.compileID, 77)
		_, err = c.Load(n, trapAt, func(uint64) jvmlog.MethodID { w.b[n.Blob-w.layout.blockBytes+w.layout.blockUsed-base] = 0; return 1 })
		assert.ErrorIs(t, err, ErrReplaced, "freed while it was read: other code may have taken its end")
		w.b[n.Blob-w.layout.blockBytes+w.layout.blockUsed-base] = 1
		there, err := c.Stands(&n)
		require.NoError(t, err)
		assert.True(t, there)
		w.u64(n.Blob+w.layout.method, 0)
		there, err = c.Stands(&n)
		require.NoError(t, err)
		assert.False(t, there, "of an unloaded class")
		_, err = c.Find(w.code)
		assert.ErrorIs(t, err, ErrNoCode, "of an unloaded class")
	})
}

// Whatever memory holds is an error, and no more is read than what it may claim.
func TestDamagedCode(t *testing.T) {
	worlds(t, func(t *testing.T, w *codeWorld) {
		blob, l := blockAt+w.layout.blockBytes, w.layout
		for name, x := range map[string]struct {
			damage func()
			want   string
		}{
			"too many heaps":              {func() { w.u32(arrayAt+l.arrayLength, 9) }, "9 heaps"},
			"a heap upside down":          {func() { w.u64(heapAt+l.heapMemory+l.spaceHigh, lowAt) }, "code heap"},
			"large segments":              {func() { w.u32(heapAt+l.heapLog2, 21) }, "of 2^21 bytes"},
			"a map that leads out":        {func() { w.b[mapAt+5-base] = 6 }, "segment 5 goes back by 6"},
			"a huge blob":                 {func() { w.u32(blob+l.blobSize, 1<<31) }, "of 2147483648 bytes"},
			"a blob without its code":     {func() { w.u32(blob+l.blobSize, 0x1bf) }, "of 447 bytes"},
			"a blob without its head":     {func() { w.u32(blob+l.blobSize, 0x20) }, "of 32 bytes"},
			"a level":                     {func() { w.b[blob+l.level-base] = 5 }, "level 5"},
			"a frame":                     {func() { w.u32(blob+l.blobFrame, 1<<20) }, "a frame of 1048576 words"},
			"pcs behind everything":       {func() { w.u32(blob+l.pcs, 1<<20) }, "pcs at 1048576"},
			"a scope in itself":           {func() { w.b[w.scopes+7-base] = byte(7 + codingOf(l.feature).excluded) }, "scope at 7 in one at 7"},
			"a scope beyond the end":      {func() { w.u32(w.pcs+16+4, 0x7000) }, "scope at 28672 of"},
			"a method beyond the end":     {func() { w.b[w.scopes+2-base] = byte(9 + codingOf(l.feature).excluded) }, "of method 9 of"},
			"a scope that is never whole": {func() { w.u32(w.pcs+16+4, 0x1f); w.b[w.scopes+0x1f-base] = 0xff }, "scope at 31 of"},
		} {
			t.Run(name, func(t *testing.T) {
				before := append([]byte{}, w.b...)
				defer func() { w.b = before }()
				x.damage()
				_, err := w.load(blockAt + 3*128 + 32)
				require.ErrorContains(t, err, x.want)
				require.NotErrorIs(t, err, ErrNoCode)
			})
		}
	})
}

// A compiled method that lies in its own head is none: offsets of the head are used within it.
func TestCodeWithinItsHead(t *testing.T) {
	worlds(t, func(t *testing.T, w *codeWorld) {
		l, blob := w.layout, blockAt+w.layout.blockBytes
		for _, size := range []uint32{17, 100, uint32(l.headBytes) - 1} {
			w.u32(blob+l.blobSize, size)
			if l.apart {
				w.u32(blob+l.blobCode, 16)
				w.u32(blob+l.blobEnd, 17)
			} else {
				w.u64(blob+l.blobCode, blob+16)
				w.u64(blob+l.blobEnd, blob+17)
			}
			_, err := w.load(blob + 16)
			require.ErrorIs(t, err, errImpossible, size)
		}
	})
}

// Scopes that share all their callers take time each, though their chains are kept once.
func TestSharedScopesAreBounded(t *testing.T) {
	w := newCodeWorld(t, codeLayout25, 25)
	const depth, innermost = mostDepth - 1, mostFrames/(mostDepth-1) + 10
	coding := codingOf(25)
	scope := func(b []byte, outer int) []byte {
		return coding.append(coding.append(coding.append(b, uint32(outer)), 1), 4)
	}
	scopes, last := []byte{99}, 0
	for range depth {
		at := len(scopes)
		scopes = scope(scopes, last)
		last = at
	}
	pcs := []byte{}
	for i := range innermost {
		pcs = binary.LittleEndian.AppendUint32(pcs, uint32(i+1))
		pcs = binary.LittleEndian.AppendUint32(pcs, uint32(len(scopes)))
		pcs = append(pcs, make([]byte, w.layout.pcBytes-8)...)
		scopes = scope(scopes, last)
	}
	d := scopeReader{
		layout: &w.layout, info: debugInfo{metadata: make([]byte, 8), scopes: scopes, pcs: pcs}, chains: map[uint32]jvmlog.PCRegion{}, to: &jvmlog.CodeLoad{},
	}
	looked := 0
	d.number = func(uint64) jvmlog.MethodID { looked++; return 1 }
	require.ErrorIs(t, d.regions(innermost), errImpossible)
	assert.LessOrEqual(t, looked, mostFrames+1)
	assert.Len(t, d.to.Frames, mostDepth+mostFrames%mostDepth, "the first chain, and what was begun")
}

// A segment map is read in windows: one that goes back in steps of 1 costs no read each.
func TestSegmentMapIsBounded(t *testing.T) {
	w := newCodeWorld(t, codeLayout25, 25)
	steps := bytes.Repeat([]byte{1}, mostHops+2*mapWindow)
	steps[0] = 0
	w.b = append(w.b, steps...)
	c, err := NewCodeCache(w.layout, w)
	require.NoError(t, err)
	s := segment{mapAt: base + worldBytes}
	w.reads = 0
	at, err := c.first(&s, mostHops-1)
	require.NoError(t, err)
	assert.Zero(t, at)
	assert.Equal(t, mostHops/mapWindow, w.reads)
	_, err = c.first(&s, mostHops)
	assert.ErrorContains(t, err, "goes back too often")
}

// endless is memory that can be read anywhere: what it holds comes again and again.
type endless struct {
	b     []byte
	reads int
	bytes int
}

func (m *endless) ReadAt(dst []byte, addr uint64) error {
	m.reads++
	m.bytes += len(dst)
	for n := 0; n < len(dst); {
		n += copy(dst[n:], m.b[(addr-base+uint64(n))%uint64(len(m.b)):])
	}
	return nil
}

// What a JVM may write into its memory costs no more than the bounds say, and what is read of it
// keeps what a CODE_LOAD promises.
func FuzzCode(f *testing.F) {
	f.Add(uint16(0x930), []byte{1, 2, 3}, uint16(0), []byte{})
	f.Add(uint16(0x90c), []byte{0, 0, 0x80, 0}, uint16(0xa0c), []byte{0xff, 0xff, 0x0f, 0})
	f.Fuzz(func(t *testing.T, at uint16, bytes []byte, then uint16, more []byte) {
		for feature, layout := range map[uint32]string{17: codeLayout17, 25: codeLayout25} {
			w := newCodeWorld(t, layout, feature)
			copy(w.b[int(at)%worldBytes:], bytes)
			copy(w.b[int(then)%worldBytes:], more)
			_, _ = w.load(w.code) // no panic
			_, _ = w.load(blockAt + uint64(at)%(base+worldBytes-blockAt))
			checkForged(t, w)
		}
	})
}

func checkForged(t *testing.T, w *codeWorld) {
	m := &endless{b: w.b}
	c, err := NewCodeCache(w.layout, m)
	if err != nil {
		return
	}
	n, err := c.Find(w.code)
	require.LessOrEqual(t, m.reads, 32+mostHops)
	if err != nil {
		return
	}
	require.Less(t, w.code-n.Code, uint64(n.Size))
	m.bytes = 0
	looked := 0
	r, err := c.Load(n, trapAt, func(uint64) jvmlog.MethodID { looked++; return 1 })
	require.LessOrEqual(t, m.bytes, int(n.Bytes)+int(n.Size)+2*headRoom)
	require.LessOrEqual(t, int(n.Bytes), mostBlob+2*mostApart)
	require.LessOrEqual(t, looked, mostFrames+2)
	if err != nil {
		return
	}
	last := uint32(0)
	for _, p := range r.PCs {
		require.Greater(t, p.End, last)
		require.LessOrEqual(t, p.End, r.Size)
		require.LessOrEqual(t, p.Count, uint32(mostDepth))
		require.LessOrEqual(t, uint64(p.First)+uint64(p.Count), uint64(len(r.Frames)))
		last = p.End
	}
}

func TestCodeLayoutRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`{`:  "unexpected end",
		`{}`: "GrowableArrayBase._len missing, ",
		strings.Replace(codeLayout17, `"HeapBlock":16`, `"HeapBlock":197`, 1):                      "HeapBlock and the fields of an nmethod have 197 + 316 bytes",
		strings.Replace(codeLayout17, `"nmethod._comp_level":308`, `"nmethod._comp_level":496`, 1): "have 16 + 504 bytes",
	} {
		_, err := ParseCodeLayout([]byte(text), 17)
		assert.ErrorContains(t, err, want)
	}
}
