// Package codemap names machine addresses of one JVM: which frames stood at an address at a time.
//
//	log records → Map, (time, address) → frames          /proc/PID/maps + ELF + kallsyms → Objects, address → frame
//
// A Map keeps an interval of time for each nmethod and stub: memory of the code cache is used again
// and again. Three facts of HotSpot's event delivery shape it (FORMAT.md, "Records"):
//   - Code runs before its load is written. A sample in code that nothing covers takes the next
//     load at that address, if that comes soon; such frames are marked Early.
//   - An unload comes late, perhaps after the memory was used again: it ends only the method it
//     names.
//   - A load ends every interval that it overlaps, whether an unload came or not, and whenever that
//     was dated.
//
// Lines come from C2's debug info, which is wrong in known ways. What instructions prove of it
// comes first (proof.go); of the rest, what lies wrong is repaired (pollution.go). Frames that
// either changed are marked Repaired.
//
// Glossary: an nmethod is one compiled version of a Java method, callees inlined into it. A PcDesc,
// here a region, names the bytecodes (a chain of frames, innermost first) that a stretch of its
// code stands for and marks the END of that stretch. A bci is the index of a bytecode in its
// method.
//
// Map and Objects are safe for concurrent use. The package imports jvmlog, the standard library,
// and a demangler for libjvm's C++ names; it must not import the sampler, which uses it.
package codemap
