package codemap

import (
	"bytes"
	"debug/elf"
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

// ObjectCache keeps the symbols of mapped objects for all processes of a machine, by build id:
// containers have copies of the same libraries. Safe for concurrent use; make it with
// NewObjectCache.
type ObjectCache struct {
	maxBytes int

	mu      sync.Mutex
	objects map[string]*cached // build id, or file identity where there is none
	clock   uint64
	bytes   int
}

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
	return &ObjectCache{maxBytes: maxBytes, objects: map[string]*cached{}}
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

// read is open for anything that can be read. identity takes the build id's place where there is
// none.
func (c *ObjectCache) read(r io.ReaderAt, size int64, identity string) (*object, error) {
	f, err := elf.NewFile(r)
	if err != nil {
		return nil, err
	}
	key := readBuildID(f)
	if key == "" {
		key = identity
	}
	if o := c.get(key); o != nil {
		return o, nil
	}
	o, err := readObject(f, size)
	if err != nil {
		return nil, err
	}
	c.put(key, o)
	return o, nil
}

func (c *ObjectCache) get(key string) *object {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.objects[key]
	if !ok {
		return nil
	}
	c.clock++
	e.used = c.clock
	return e.object
}

func (c *ObjectCache) put(key string, o *object) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.objects[key]; ok {
		return // another goroutine was faster
	}
	c.clock++
	c.objects[key] = &cached{object: o, used: c.clock}
	c.bytes += o.symbols.bytes()
	for c.bytes > c.maxBytes && len(c.objects) > 1 {
		var oldest string
		for k, e := range c.objects {
			if oldest == "" || e.used < c.objects[oldest].used {
				oldest = k
			}
		}
		c.bytes -= c.objects[oldest].object.symbols.bytes()
		delete(c.objects, oldest)
	}
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
