package sampler

import (
	"errors"
	"runtime"
)

// The rings of one JVM, and of all, are bounded in bytes: the kernel pins them, and no cgroup
// counts them. A machine runs no more task threads at a time than it has CPUs. So a JVM may have a
// ring of ringOfCPU for each, or small ones for more threads.
const (
	ringOfCPU    = 1 << 20  // what four drain intervals take at 220 Hz with 32 KiB of stack
	leastForJVM  = 24 << 20 // however few CPUs there are
	jvmsWithFull = 4        // of which all rings may be full
)

// ringRoom is the room for rings of one JVM. One goroutine.
type ringRoom struct {
	used int  // bytes
	most int  // bytes; 0: the default for this machine
	all  *int // bytes of all JVMs' rings
}

// errNoRoom says that a JVM, or all of them, have the rings that they may have.
var errNoRoom = errors.New("there is no room for its ring: the rings that there are take what they may")

// errSameThread says that two slots claim one thread.
var errSameThread = errors.New("another slot claims the same thread")

// bytesOf is what a ring of so many data pages takes.
func bytesOf(pages int) int { return (1 + pages) * pageBytes }

// left is how many bytes a ring may take.
func (r *ringRoom) left() int {
	most := orDefault(r.most, max(leastForJVM, runtime.NumCPU()*ringOfCPU))
	left := most - r.used
	if r.all != nil {
		left = min(left, jvmsWithFull*most-*r.all)
	}
	return left
}

// pages halves a ring until there is room for it; 0: there is none for the least.
func (r *ringRoom) pages(want, least int) int {
	for ; want >= least; want /= 2 {
		if bytesOf(want) <= r.left() {
			return want
		}
	}
	return 0
}

// take charges bytes, or gives them back if they are negative.
func (r *ringRoom) take(bytes int) {
	r.used += bytes
	if r.all != nil {
		*r.all += bytes
	}
}
