package codemap

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/ianlancetaylor/demangle"
)

// Bounds of what Objects keeps.
const (
	// RefreshInterval is the least time between two readings of a process's maps for the sake of an
	// address that they lack.
	RefreshInterval = time.Second

	maxNamedAddresses = 1 << 16
)

// Objects names the native code of one process: the symbols of the files that it has mapped, of the
// vDSO and of the kernel. Files are read when an address in them is first asked for, by way of
// /proc/PID, so that containers are no border. After the process's death what was read stays, and
// files can still be read where their path is also this process's. Safe for concurrent use.
type Objects struct {
	// Clock is time.Now, unless set before the first use.
	Clock func() time.Time

	pid    int
	cache  *ObjectCache
	kernel *KernelSymbols

	mu        sync.Mutex
	mappings  []mapping
	refreshed time.Time
	asked     bool             // for an address, since then
	files     map[string]*file // by path and inode
	named     map[uint64]named
	stats     ObjectStats
}

// ObjectStats counts what could not be named; all values only grow.
type ObjectStats struct {
	Unreadable   uint64 // mapped objects whose symbols could not be read
	Unnamed      uint64 // addresses that no symbol of their object covers
	Unmapped     uint64 // addresses in no mapped object
	MapsFailures uint64 // readings of the process's maps that failed, its death included
}

// file is a mapped file; object is nil where it could not be read.
type file struct {
	object *object
	err    error
}

// named is the answer given for an address.
type named struct {
	frame Frame
	ok    bool
}

// NewObjects reads the maps of a process. cache and kernel are shared between processes. An error
// means that the maps could not be read; the Objects are nil then.
func NewObjects(pid int, cache *ObjectCache, kernel *KernelSymbols) (*Objects, error) {
	o := &Objects{Clock: time.Now, pid: pid, cache: cache, kernel: kernel, files: map[string]*file{}, named: map[uint64]named{}}
	if err := o.refresh(); err != nil {
		return nil, err
	}
	return o, nil
}

// Refresh reads the process's maps again: libraries come late. What was mapped before stays known
// where nothing new took its place. Call it now and then while the process lives if addresses are
// to be named after its death. It does nothing if no address was asked for since the last time.
func (o *Objects) Refresh() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.asked {
		return nil
	}
	return o.refresh()
}

func (o *Objects) refresh() error {
	o.refreshed = o.Clock()
	f, err := os.Open(o.proc("maps"))
	if err != nil {
		o.stats.MapsFailures++
		return fmt.Errorf("maps of pid %d: %w", o.pid, err)
	}
	defer f.Close() // read only
	mappings, err := parseMappings(f)
	if err == nil && len(mappings) == 0 {
		err = os.ErrProcessDone // a dead process's maps are empty
	}
	if err != nil {
		o.stats.MapsFailures++
		return fmt.Errorf("maps of pid %d: %w", o.pid, err)
	}
	o.asked = false
	merged := merge(mappings, o.mappings)
	if !slices.Equal(merged, o.mappings) { // else the answers given still hold
		o.mappings = merged
		clear(o.named)
	}
	return nil
}

// merge adds to mappings the ones of old whose addresses nothing covers now: samples may have been
// taken there.
func merge(mappings, old []mapping) []mapping {
	merged := slices.Clone(mappings)
	for _, m := range old {
		i := sort.Search(len(mappings), func(i int) bool { return mappings[i].high > m.low })
		if (i == len(mappings) || mappings[i].low >= m.high) && len(merged) < maxMappings {
			merged = append(merged, m)
		}
	}
	slices.SortFunc(merged, func(a, b mapping) int { return cmp.Compare(a.low, b.low) })
	return merged
}

func (o *Objects) proc(name string) string { return "/proc/" + strconv.Itoa(o.pid) + "/" + name }

// Symbol names a native or kernel address. Below the kernel's half of the address space, Kind is
// Native with the symbol, demangled and without parameters, or with the object's name in brackets
// if no symbol covers it. In the kernel's half Kind is Kernel. false: no object is mapped there.
func (o *Objects) Symbol(addr uint64) (frame Frame, ok bool) {
	if addr >= kernelBase {
		return o.kernel.Symbol(addr), true
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.asked = true
	if n, known := o.named[addr]; known {
		return n.frame, n.ok
	}
	m := findMapping(o.mappings, addr)
	if m == nil && o.Clock().Sub(o.refreshed) >= RefreshInterval {
		if o.refresh() == nil { // counted otherwise
			m = findMapping(o.mappings, addr)
		}
	}
	if m == nil {
		o.stats.Unmapped++
		return Frame{}, false // not remembered: it may be mapped later
	}
	frame, ok = o.name(m, addr)
	if len(o.named) >= maxNamedAddresses {
		clear(o.named)
	}
	o.named[addr] = named{frame, ok}
	return frame, ok
}

// Stats is what could not be named so far.
func (o *Objects) Stats() ObjectStats {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.stats
}

// name names an address within a mapping.
func (o *Objects) name(m *mapping, addr uint64) (Frame, bool) {
	if !m.isFile() && m.path != vdsoPath {
		o.stats.Unmapped++ // anonymous memory: whoever filled it must name it
		return Frame{}, false
	}
	f := Frame{Kind: Native, File: m.base(), Addr: addr}
	if m.path == vdsoPath {
		f.File = vdsoPath
	}
	symbol := ""
	if object := o.object(m); object != nil {
		symbol = object.find(addr - m.low + m.offset)
	}
	if symbol == "" {
		o.stats.Unnamed++
		f.Method = "[" + strings.Trim(f.File, "[]") + "]"
		return f, true
	}
	f.Method = demangle.Filter(symbol, demangle.NoParams, demangle.MaxLength(maxNameLog2))
	return f, true
}

// object is the mapped object, read at most once; nil where it cannot be read.
func (o *Objects) object(m *mapping) *object {
	key := m.path + "\x00" + strconv.FormatUint(m.inode, 10)
	f, ok := o.files[key]
	if !ok {
		f = &file{}
		f.object, f.err = o.read(m)
		if f.err != nil {
			o.stats.Unreadable++
		}
		if len(o.files) < maxMappings {
			o.files[key] = f
		}
	}
	return f.object
}

// Unreadable lists why objects could not be read, path → error, for people.
func (o *Objects) Unreadable() map[string]error {
	o.mu.Lock()
	defer o.mu.Unlock()
	out := map[string]error{}
	for key, f := range o.files {
		if f.err != nil {
			path, _, _ := strings.Cut(key, "\x00")
			out[path] = f.err
		}
	}
	return out
}

// read opens the object behind a mapping by the kernel's own link, which leads to deleted files too
// but takes CAP_SYS_ADMIN or CAP_CHECKPOINT_RESTORE. Else it opens it by the process's root and,
// for a process that is gone, by our own.
func (o *Objects) read(m *mapping) (*object, error) {
	if m.path == vdsoPath {
		return readVDSO()
	}
	object, err := o.readFile(o.proc(filepath.Join("map_files", fmt.Sprintf("%x-%x", m.low, m.high))), 0)
	if err == nil || m.deleted() {
		return object, err
	}
	object, err = o.readFile(o.proc("root"+m.path), 0)
	if err != nil {
		object, err = o.readFile(m.path, m.inode) // in our root another file may have that path
	}
	return object, err
}

func (o *Objects) readFile(path string, inode uint64) (*object, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // the path is the process's choice: a FIFO must not hold us
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only
	return o.cache.open(f, inode)
}
