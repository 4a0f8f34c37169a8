// Package perfevent opens perf events on single threads, takes over events that another process
// opened on its own threads, and reads their rings.
//
//	Spec → Open(tid) or TakeOver(process, fd) → Event → Read → Sample, Lost, Throttle …
//
// Invariants:
//   - Nothing in a ring is trusted. In self-opened mode the profiled process maps the same pages
//     writable. So every head, size and count is checked against what this process itself mapped.
//     Damage is counted and skipped, never a panic.
//   - A record is copied out of the ring before it is decoded.
//   - An Event is used by one goroutine at a time.
//
// The words are from perf_event_open(2) and include/uapi/linux/perf_event.h: a ring is one
// control page and 2^n data pages; the kernel advances data_head, the reader data_tail; both only
// grow.
//
// It imports x/sys/unix and the standard library only.
package perfevent
