package codemap

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
)

// maxKernelSymbols bounds what is read of kallsyms; a distribution's kernel with modules has some
// 250,000 lines, half of them code.
const maxKernelSymbols = 1 << 20

// kernelBase: user addresses are below, kernel addresses above, on x86-64 and arm64 alike.
const kernelBase = 1 << 63

// KernelSymbols names kernel addresses from /proc/kallsyms. Safe for concurrent use. The zero value
// is ready: it reads the file once, when the first address is asked for.
type KernelSymbols struct {
	once    sync.Once
	symbols *symtab
	err     error

	mu    sync.Mutex
	named map[uint64]Frame // answers given
}

// Symbol names a kernel address; "[kernel]" where the kernel hides its addresses (kptr_restrict) or
// none covers it.
func (k *KernelSymbols) Symbol(addr uint64) Frame {
	k.once.Do(k.read)
	f := Frame{Kind: Kernel, Method: "[kernel]", File: "vmlinux", Addr: addr}
	if k.symbols == nil {
		return f
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if known, ok := k.named[addr]; ok {
		return known
	}
	name, module, _ := strings.Cut(k.symbols.find(addr), "\t")
	if name != "" {
		f.Method = name
	}
	if module != "" {
		f.File = module
	}
	if k.named == nil || len(k.named) >= maxNamedAddresses {
		k.named = map[uint64]Frame{}
	}
	k.named[addr] = f
	return f
}

// Err says why there are no names, if that is so and Symbol was called.
func (k *KernelSymbols) Err() error {
	k.once.Do(k.read)
	return k.err
}

func (k *KernelSymbols) read() {
	f, err := os.Open("/proc/kallsyms")
	if err != nil {
		k.err = err
		return
	}
	defer f.Close() // read only
	k.symbols, k.err = parseKallsyms(f)
}

// parseKallsyms reads lines such as "ffffffff81000000 T _stext" and "ffffffffc0000000 t
// f\t[module]". Names keep the module behind a tab. An error when the kernel hides all addresses.
func parseKallsyms(r io.Reader) (*symtab, error) {
	var b symtabBuilder
	b.reserve(1<<16, 2<<20) // half of what there mostly is
	s := bufio.NewScanner(r)
	hidden := 0
	for s.Scan() {
		address, rest, _ := bytes.Cut(s.Bytes(), []byte(" "))
		kind, name, ok := bytes.Cut(rest, []byte(" "))
		if !ok || len(kind) != 1 || !strings.Contains("tTwW", string(kind)) {
			continue
		}
		addr, err := strconv.ParseUint(string(address), 16, 64)
		if err != nil {
			return nil, fmt.Errorf("kallsyms: line %q: %w", s.Text(), err)
		}
		if addr == 0 {
			hidden++
			continue
		}
		if len(b.symbols) == maxKernelSymbols {
			return nil, fmt.Errorf("kallsyms: more than %d symbols of code", maxKernelSymbols)
		}
		name, module, _ := bytes.Cut(name, []byte("\t"))
		if len(module) > 0 {
			name = append(append(name[:len(name):len(name)], '\t'), bytes.Trim(module, "[]")...)
		}
		addSymbolName(&b, addr, 0, name, 0)
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("kallsyms: %w", err)
	}
	if len(b.symbols) == 0 {
		return nil, fmt.Errorf("kallsyms: %d symbols, all without an address (kptr_restrict)", hidden)
	}
	return b.build(), nil
}
