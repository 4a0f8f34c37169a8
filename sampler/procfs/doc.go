// Package procfs finds the JVMs of a machine that carry planflame's agent and answers what else
// /proc knows of them: identity, threads across pid namespaces, executable mappings, CPU times.
//
//	/proc → Scanner.Scan → Process (pid, start ticks, which memfds are mapped) → Memory (descriptors of both)
//	      → Ledger → ThreadTimes (CPU of one process by names of threads)
//	      → Tree, Family → FamilyTimes (CPU of its child processes)
//
// A process is known by its pid and the time it started (field 22 of /proc/PID/stat); a pid alone
// is used again. Whatever may not be read is counted, never guessed. See proc(5) for every format.
//
// It imports x/sys/unix and the standard library only.
package procfs
