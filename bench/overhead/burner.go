package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/sampler/perfevent"
)

// level is a rate and a copy of the stack.
type level struct {
	Hz         int `json:"hz"`          // 0: no event
	StackBytes int `json:"stack_bytes"` // or interruptAlone
}

// interruptAlone instead of a size: the event has no ring, so the kernel's timer interrupts the
// thread but nothing is recorded. On a virtual machine that is most of a sample's cost.
const interruptAlone = -1

// burningLevels: high rates, for the cost of one sample is some microseconds.
var burningLevels = []level{{0, 0}, {2000, interruptAlone}, {8000, interruptAlone}, {2000, 32768}, {8000, 32768}, {2000, 8192}, {8000, 8192}, {2000, 0}, {8000, 0}}

const (
	burnFrames = 60     // about the depth of a Spark task's stack
	burnRounds = 15     // of all levels
	burnWork   = 60_000 // of xorshift's blocks, about a quarter of a second
	burnFrame  = 1024   // bytes at least that a frame takes: all of the copy must be readable, or the kernel copies less
)

// burningThread measures the kernel's work for a sample on a thread of this process that does the
// same work again and again. The result is the growth of its CPU over the number of samples, by
// size of the copied stack.
func burningThread(seed uint64) (map[int]line, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var points []burnPoint
	var err error
	deep(burnFrames, func() { points, err = burnAll(seed) })
	if err != nil {
		return nil, err
	}
	return fitByStack(points)
}

// burnPoint is one observation.
type burnPoint struct {
	level level
	point
}

// deep calls f at the bottom of a stack of n frames.
//
//go:noinline
func deep(n int, f func()) {
	var frame [burnFrame]byte
	for i := range frame {
		frame[i] = byte(n)
	}
	if n == 0 {
		f()
	} else {
		deep(n-1, f)
	}
	runtime.KeepAlive(&frame)
}

func burnAll(seed uint64) ([]burnPoint, error) {
	order := rand.New(rand.NewPCG(seed, 2))
	var out []burnPoint
	burn(burnWork) // warm
	for round := range burnRounds {
		for _, i := range order.Perm(len(burningLevels)) {
			l := burningLevels[i]
			closeEvents, err := openLevel(l)
			if err != nil {
				return nil, err
			}
			before := ownThreadCPU()
			burn(burnWork)
			used := ownThreadCPU() - before
			samples, err := closeEvents()
			if err != nil {
				return nil, err
			}
			out = append(out, burnPoint{l, point{Group: round, X: float64(samples), Y: float64(used)}})
		}
	}
	return out, nil
}

// openLevel opens the event of a level on the calling thread; what it returns closes it and tells
// the number of samples.
func openLevel(l level) (func() (samples int, err error), error) {
	switch {
	case l.Hz == 0:
		return func() (int, error) { return 0, nil }, nil
	case l.StackBytes == interruptAlone:
		return openInterrupt(time.Second / time.Duration(l.Hz))
	}
	e, err := openEvents([]int{unix.Gettid()}, eventSpec(l.Hz, l.StackBytes), perfevent.Handler{})
	if err != nil {
		return nil, err
	}
	return e.close, nil
}

// openInterrupt opens an event without a ring; it has sampled as often as the period is in its
// count, nanoseconds of the task clock.
func openInterrupt(period time.Duration) (func() (int, error), error) {
	attr := unix.PerfEventAttr{
		Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_TASK_CLOCK, Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{})),
		Sample: uint64(period), Sample_type: unix.PERF_SAMPLE_IP,
	}
	fd, err := unix.PerfEventOpen(&attr, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("perf_event_open", err)
	}
	return func() (int, error) {
		var count [8]byte
		_, err := unix.Read(fd, count[:])
		return int(binary.LittleEndian.Uint64(count[:]) / uint64(period)), errors.Join(err, unix.Close(fd))
	}, nil
}

// fitByStack fits each size of the stack with the points that had no event.
func fitByStack(points []burnPoint) (map[int]line, error) {
	byStack := map[int][]point{}
	for _, p := range points {
		if p.level.Hz > 0 {
			byStack[p.level.StackBytes] = append(byStack[p.level.StackBytes], p.point)
		}
	}
	out := map[int]line{}
	for stack, own := range byStack {
		for _, p := range points {
			if p.level.Hz == 0 {
				own = append(own, p.point)
			}
		}
		var err error
		if out[stack], err = fit(own); err != nil {
			return nil, fmt.Errorf("stack of %d bytes: %w", stack, err)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("no point had an event")
	}
	return out, nil
}

//go:noinline
func burn(blocks int) {
	x := uint64(88172645463325252)
	for range blocks * 1000 {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	runtime.KeepAlive(x)
}

// ownThreadCPU is the CPU of the calling thread.
func ownThreadCPU() time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts); err != nil {
		panic(err) // cannot fail on Linux
	}
	return time.Duration(ts.Nano())
}
