package main

import (
	"fmt"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
)

// symbolCacheBytes bounds the memory of the symbol tables of mapped files: libjvm's takes some 10
// MiB.
const symbolCacheBytes = 256 << 20

// kernelBase: kernel addresses are above, on x86-64 and arm64 alike.
const kernelBase = 1 << 63

// liveSymbols returns a maker of symbolizers that read the maps and files of live processes, and
// share what they read.
func liveSymbols() func(sampler.JVM) symbolizer {
	cache, kernel := codemap.NewObjectCache(symbolCacheBytes), &codemap.KernelSymbols{}
	return func(v sampler.JVM) symbolizer {
		objects, err := codemap.NewObjects(v.PID, cache, kernel)
		if err != nil {
			say("native code of pid %d will have no names: %v", v.PID, fmt.Errorf("read its maps: %w", err))
			return kernelOnly{kernel}
		}
		return objects
	}
}

// kernelOnly names kernel addresses of a process whose maps cannot be read.
type kernelOnly struct{ kernel *codemap.KernelSymbols }

// Symbol implements symbolizer.
func (k kernelOnly) Symbol(addr uint64) (codemap.Frame, bool) {
	if addr < kernelBase {
		return codemap.Frame{}, false
	}
	return k.kernel.Symbol(addr), true
}
