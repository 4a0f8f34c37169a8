package codemap

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
)

// DefaultMaxObjectBytes bounds the symbols that an ObjectCache keeps. libjvm's took 4 MiB before
// they were compressed.
const DefaultMaxObjectBytes = 128 << 20

// ObjectCache keeps the symbols of mapped objects for all processes of a machine. A file is known
// by its device, inode, size and time, and not by the build id that it claims. Else a user's file
// could rename the functions of everyone's library. Containers have copies of the same libraries,
// so equal symbols are kept once. Safe for concurrent use; make it with NewObjectCache.
type ObjectCache struct {
	maxBytes int

	mu      sync.Mutex
	files   map[string]digest // :: file identity → its symbols, which may be gone
	objects map[digest]*cached
	clock   uint64
	bytes   int
}

// mostFiles bounds the files that are known; then all are forgotten, and read again.
const mostFiles = 1 << 12

type cached struct {
	object *object
	used   uint64 // clock of the last use
}

// NewObjectCache is an empty cache that keeps at most maxBytes of symbols, the least recently used
// going first; 0 is DefaultMaxObjectBytes.
func NewObjectCache(maxBytes int) *ObjectCache {
	if maxBytes == 0 {
		maxBytes = DefaultMaxObjectBytes
	}
	return &ObjectCache{maxBytes: maxBytes, files: map[string]digest{}, objects: map[digest]*cached{}}
}

// open reads the symbols of an open file, or takes those it has. inode, unless 0, is what the file
// must have.
func (c *ObjectCache) open(f *os.File, inode uint64) (*object, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	if !ok || !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", f.Name())
	}
	if inode != 0 && sys.Ino != inode {
		return nil, fmt.Errorf("%s is inode %d now, inode %d was mapped", f.Name(), sys.Ino, inode)
	}
	identity := fmt.Sprintf("%d:%d:%d:%d.%d", sys.Dev, sys.Ino, sys.Size, sys.Mtim.Sec, sys.Mtim.Nsec)
	return c.read(f, st.Size(), identity)
}

// read is open for anything that can be read.
func (c *ObjectCache) read(r io.ReaderAt, size int64, identity string) (*object, error) {
	if o := c.get(identity); o != nil {
		return o, nil
	}
	f, err := openELF(r)
	if err != nil {
		return nil, err
	}
	o, err := readObject(f, size)
	if err != nil {
		return nil, err
	}
	return c.put(identity, o), nil
}

func (c *ObjectCache) get(identity string) *object {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.objects[c.files[identity]]
	if !ok {
		return nil
	}
	c.clock++
	e.used = c.clock
	return e.object
}

// put returns the object to use for a file: an equal one that is known, or o.
func (c *ObjectCache) put(identity string, o *object) *object {
	key := o.digest()
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.files) >= mostFiles {
		clear(c.files)
	}
	c.files[identity] = key
	c.clock++
	if e, ok := c.objects[key]; ok {
		e.used = c.clock
		return e.object
	}
	c.objects[key] = &cached{object: o, used: c.clock}
	c.bytes += o.symbols.bytes()
	for c.bytes > c.maxBytes && len(c.objects) > 1 {
		oldest := key
		for k, e := range c.objects {
			if e.used < c.objects[oldest].used {
				oldest = k
			}
		}
		c.bytes -= c.objects[oldest].object.symbols.bytes()
		delete(c.objects, oldest)
	}
	return o
}

// digest tells objects apart by all that they say.
type digest [sha256.Size]byte

func (o *object) digest() (d digest) {
	h := sha256.New()
	for _, numbers := range []any{uint64(len(o.segments)), o.segments, uint64(len(o.symbols.highs)), uint64(len(o.symbols.lows)), o.symbols.lows, uint64(len(o.symbols.sizes)), o.symbols.sizes} {
		_ = binary.Write(h, binary.NativeEndian, numbers) // a hash takes all
	}
	for _, r := range o.symbols.highs {
		_ = binary.Write(h, binary.NativeEndian, [2]uint64{uint64(r.high), uint64(r.first)})
	}
	for _, block := range o.symbols.names {
		_ = binary.Write(h, binary.NativeEndian, uint64(len(block)))
		h.Write(block)
	}
	h.Sum(d[:0])
	return d
}

// readVDSO reads the kernel's vDSO out of this process: all 64-bit processes have the same.
var readVDSO = sync.OnceValues(func() (*object, error) {
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return nil, err
	}
	defer maps.Close() // read only
	mappings, err := parseMappings(maps)
	if err != nil {
		return nil, err
	}
	for _, m := range mappings {
		if m.path != vdsoPath {
			continue
		}
		mem, err := os.Open("/proc/self/mem")
		if err != nil {
			return nil, err
		}
		defer mem.Close() // read only
		b := make([]byte, m.high-m.low)
		if _, err := mem.ReadAt(b, int64(m.low)); err != nil {
			return nil, err
		}
		f, err := elf.NewFile(bytes.NewReader(b))
		if err != nil {
			return nil, err
		}
		return readObject(f, int64(len(b)))
	}
	return nil, errors.New("this process has no vDSO")
})

// vdsoPath is how maps name the vDSO.
const vdsoPath = "[vdso]"
