package hotspot

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// ErrNoCode says that an address lies in no compiled method: in free memory of the code cache, or
// in code of the JVM's own.
var ErrNoCode = errors.New("no compiled method")

// Bounds of what is read.
const (
	mostHeaps   = 8          // HotSpot has four at most
	mostBlob    = 8 << 20    // bytes of a CodeBlob: more than any nmethod
	mostCodeLen = 4 << 20    // bytes of code: C2 gives up long before
	mostWords   = 1 << 20    // of a frame
	mostApart   = 8 << 20    // bytes of metadata or debug info that lie apart
	mostHops    = 1 << 14    // of a segment map: HotSpot mends it after 10,000 that are shorter than need be
	mapWindow   = 256        // bytes of it that are read at once: a hop goes back by 254 at most
	nameBytes   = 16         // of CodeBlob::_name, which begins "nmethod" or "native nmethod"
	mostNames   = 64         // of blobs: HotSpot's are constants
	lowestScope = 1          // DebugInformationRecorder::serialized_null is 0: no scope
	entryBCI    = -1         // InvocationEntryBci: what is added to bcis as they are written
	noCode      = ^uint64(0) // no index of a segment
	blockInUse  = 1          // HeapBlock::Header::_used, a bool
)

// NMethod is one compiled method as it stands in the code cache. Immutable.
type NMethod struct {
	Blob          uint64 // address of the CodeBlob
	Code          uint64 // address of its first instruction
	Method        uint64 // the JVM's Method*
	Size          uint32 // bytes of code
	FrameBytes    uint32 // as CODE_LOAD has it (FORMAT.md)
	FrameComplete uint32 // the same
	CompileID     uint32
	Level         jvmlog.CompileLevel
	Bytes         uint32 // that Load reads, about
}

// segment is the reserved address range of a code heap.
type segment struct {
	low, high uint64
	mapAt     uint64 // address of the segment map
	log2      uint32 // of the bytes that one of its entries stands for
}

// CodeCache reads the compiled methods of one JVM. One goroutine at a time.
type CodeCache struct {
	layout   CodeLayout
	memory   countedMemory
	segments []segment
	names    map[uint64]bool // by address of a CodeBlob's name: whether it is an nmethod's
	head     [headRoom]byte
	scratch  [nameBytes]byte
	window   [mapWindow]byte
}

// countedMemory is Memory whose reads are counted.
type countedMemory struct {
	Memory
	reads uint64
}

func (m *countedMemory) ReadAt(dst []byte, addr uint64) error {
	m.reads++
	return m.Memory.ReadAt(dst, addr)
}

// Reads is how often memory was read so far.
func (c *CodeCache) Reads() uint64 { return c.memory.reads }

// NewCodeCache finds the code heaps of a JVM with that layout and memory.
func NewCodeCache(layout CodeLayout, memory Memory) (*CodeCache, error) {
	c := &CodeCache{layout: layout, memory: countedMemory{Memory: memory}, names: map[uint64]bool{}}
	if err := c.findHeaps(); err != nil {
		return nil, fmt.Errorf("find the JVM's code heaps: %w", err)
	}
	return c, nil
}

func (c *CodeCache) word(addr uint64) (uint64, error) {
	if err := c.memory.ReadAt(c.scratch[:8], addr); err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint64(c.scratch[:8]), nil
}

func (c *CodeCache) half(addr uint64) (uint32, error) {
	if err := c.memory.ReadAt(c.scratch[:4], addr); err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint32(c.scratch[:4]), nil
}

// Stands reports whether a method is still there: its block is used, and its compile id and Method*
// are the same. Each alone does not say it. HotSpot cuts new blocks off the end of free ones
// (heap.cpp, split_block), so other code may run at the method's addresses while its compile id
// stays. The Method* goes before the block if the class is unloaded.
func (c *CodeCache) Stands(n *NMethod) (bool, error) {
	l, le := &c.layout, binary.LittleEndian
	b := c.head[:l.blockBytes+max(l.compileID+4, l.method+8)]
	if err := c.memory.ReadAt(b, n.Blob-l.blockBytes); err != nil {
		return false, err
	}
	used := b[l.blockUsed] == blockInUse
	b = b[l.blockBytes:]
	return used && le.Uint32(b[l.compileID:]) == n.CompileID && le.Uint64(b[l.method:]) == n.Method, nil
}

func (c *CodeCache) findHeaps() error {
	array, err := c.word(c.layout.heaps)
	if err != nil {
		return err
	}
	length, err := c.half(array + c.layout.arrayLength)
	if err != nil {
		return err
	}
	data, err := c.word(array + c.layout.arrayData)
	if err != nil {
		return err
	}
	if length == 0 || length > mostHeaps {
		return fmt.Errorf("%d heaps: %w", length, errImpossible)
	}
	for i := range uint64(length) {
		heap, err := c.word(data + 8*i)
		if err != nil {
			return err
		}
		s, err := c.readSegment(heap)
		if err != nil {
			return err
		}
		c.segments = append(c.segments, s)
	}
	return nil
}

func (c *CodeCache) readSegment(heap uint64) (s segment, err error) {
	l := &c.layout
	for _, f := range []struct {
		to *uint64
		at uint64
	}{{&s.low, l.heapMemory + l.spaceLow}, {&s.high, l.heapMemory + l.spaceHigh}, {&s.mapAt, l.heapMap + l.spaceLow}} {
		if *f.to, err = c.word(heap + f.at); err != nil {
			return s, err
		}
	}
	if s.log2, err = c.half(heap + l.heapLog2); err != nil {
		return s, err
	}
	const leastLog2, mostLog2 = 3, 20
	if s.low >= s.high || s.mapAt == 0 || s.log2 < leastLog2 || s.log2 > mostLog2 {
		return s, fmt.Errorf("code heap %#x … %#x with a map at %#x of 2^%d bytes: %w", s.low, s.high, s.mapAt, s.log2, errImpossible)
	}
	return s, nil
}

// Contains reports whether an address lies in a code heap.
func (c *CodeCache) Contains(addr uint64) bool { return c.segment(addr) != nil }

func (c *CodeCache) segment(addr uint64) *segment {
	for i := range c.segments {
		if s := &c.segments[i]; addr >= s.low && addr < s.high {
			return s
		}
	}
	return nil
}

// first is the index of the first segment of the block in which segment at lies. The map holds a
// byte for each segment of a block: 0 for the first, for the others how many segments to go back,
// 254 at most. 255 is free (heap.cpp).
func (c *CodeCache) first(s *segment, at uint64) (uint64, error) {
	const free = 0xff
	low, high := uint64(0), uint64(0) // c.window has segments [low, high)
	for range mostHops {
		if at < low || at >= high {
			low, high = at+1-min(at+1, mapWindow), at+1
			if err := c.memory.ReadAt(c.window[:high-low], s.mapAt+low); err != nil {
				return noCode, err
			}
		}
		switch back := uint64(c.window[at-low]); {
		case back == free:
			return noCode, ErrNoCode
		case back == 0:
			return at, nil
		case back > at:
			return noCode, fmt.Errorf("segment %d goes back by %d: %w", at, back, errImpossible)
		default:
			at -= back
		}
	}
	return noCode, fmt.Errorf("segment %d goes back too often: %w", at, errImpossible)
}

// Find reads the compiled method whose code lies at an address. The error is ErrNoCode where there
// is none; any other says why memory cannot be read, or that it does not hold what it should.
func (c *CodeCache) Find(addr uint64) (NMethod, error) {
	s := c.segment(addr)
	if s == nil {
		return NMethod{}, ErrNoCode
	}
	at, err := c.first(s, (addr-s.low)>>s.log2)
	if err != nil {
		return NMethod{}, err
	}
	block := s.low + at<<s.log2
	l := &c.layout
	b := c.head[:l.blockBytes+l.headBytes]
	if err := c.memory.ReadAt(b, block); err != nil {
		return NMethod{}, fmt.Errorf("block of code at %#x: %w", block, err)
	}
	if b[l.blockUsed] != blockInUse {
		return NMethod{}, ErrNoCode
	}
	b = b[l.blockBytes:]
	blob := block + l.blockBytes
	if ours, err := c.isNMethod(binary.LittleEndian.Uint64(b[l.blobName:])); err != nil || !ours {
		return NMethod{}, errors.Join(ErrNoCode, err)
	}
	n, err := l.nmethod(b, blob)
	switch {
	case err != nil:
		return NMethod{}, err
	case addr < n.Code || addr-n.Code >= uint64(n.Size):
		return NMethod{}, ErrNoCode // its header, or its data
	}
	return n, nil
}

// isNMethod reports whether a CodeBlob of that name is an nmethod.
func (c *CodeCache) isNMethod(name uint64) (bool, error) {
	ours, known := c.names[name]
	if known {
		return ours, nil
	}
	if name == 0 {
		return false, nil
	}
	if err := c.memory.ReadAt(c.scratch[:], name); err != nil {
		return false, err
	}
	text := string(c.scratch[:])
	ours = text[:len("nmethod\x00")] == "nmethod\x00" || text[:len("native nmethod\x00")] == "native nmethod\x00"
	if len(c.names) < mostNames {
		c.names[name] = ours
	}
	return ours, nil
}

// nmethod takes the fields out of an nmethod's head.
func (l *CodeLayout) nmethod(b []byte, blob uint64) (NMethod, error) {
	le := binary.LittleEndian
	size, words := uint64(le.Uint32(b[l.blobSize:])), le.Uint32(b[l.blobFrame:])
	n := NMethod{
		Blob: blob, Method: le.Uint64(b[l.method:]), CompileID: le.Uint32(b[l.compileID:]),
		Level: jvmlog.CompileLevel(b[l.level]), FrameComplete: jvmlog.NoFrameComplete,
	}
	var end, apart uint64
	if l.apart {
		apart = uint64(le.Uint32(b[l.immutableN:])) + uint64(le.Uint32(b[l.mutableN:]))
		n.Code, end = blob+uint64(le.Uint32(b[l.blobCode:])), blob+uint64(le.Uint32(b[l.blobEnd:]))
		if complete := int16(le.Uint16(b[l.blobComplete:])); complete >= 0 {
			n.FrameComplete = uint32(complete)
		}
	} else {
		n.Code, end = le.Uint64(b[l.blobCode:]), le.Uint64(b[l.blobEnd:])
		if complete := int32(le.Uint32(b[l.blobComplete:])); complete >= 0 {
			n.FrameComplete = uint32(complete)
		}
	}
	if n.Method == 0 {
		return NMethod{}, ErrNoCode // its class was unloaded (nmethod::make_unloaded): no thread runs it
	}
	const mostLevel = 4
	if size < l.headBytes || size > mostBlob || n.Code <= blob || end <= n.Code || end > blob+size || end-n.Code > mostCodeLen || n.Method%8 != 0 ||
		n.CompileID > math.MaxInt32 || n.Level > mostLevel || words >= mostWords || apart > 2*mostApart {
		return NMethod{}, fmt.Errorf("nmethod at %#x of %d bytes with code %#x … %#x, method %#x, compile id %d, level %d and a frame of %d words: %w",
			blob, size, n.Code, end, n.Method, n.CompileID, n.Level, words, errImpossible)
	}
	n.Size, n.Bytes = uint32(end-n.Code), uint32(size+apart)
	n.FrameBytes = 8 * max(words, 1) // linkers have no frame: only the return address lies between the two stack pointers
	return n, nil
}
