// Package jvmlog reads the memory that planflame's agent shares with its reader, and writes the
// control page.
//
//	memfd of a JVM → Log → Header, Threads, Events, Records        Control → the same JVM's agent
//
// The bytes are drawn in agent-jvmti/FORMAT.md; this package is their only reader in Go, and golden
// files that the C tests write keep the two in step. It also encodes every structure, for
// recordings and for tests.
//
// Invariants:
//   - No byte is trusted. Every length, count and offset is checked against what holds it before it
//     is used. What was checked once (the geometry of a log) is never read again from the shared
//     memory.
//   - Nothing is decoded in place. The writer may overwrite at any time, so a structure is copied
//     with aligned atomic loads. Its sequence or offset is checked again after the copy, and only
//     the copy is decoded.
//   - What cannot be delivered is counted and returned to the caller, never skipped in silence.
//
// The package imports the vocabulary of tasksample, the standard library and golang.org/x/sys, and
// must not import other rooms.
package jvmlog
