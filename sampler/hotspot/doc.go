// Package hotspot names methods, and finds compiled code, by reading a JVM's own structures from
// outside.
//
//	interpreter frame → Method* ─▶ ConstMethod ─▶ ConstantPool ─▶ InstanceKlass ─▶ Symbols → class, name, descriptor, lines
//	address → segment map ─▶ CodeBlob ─▶ nmethod ─▶ PcDescs, scopes, metadata → CODE_LOAD with Method*
//
// The agent writes a METHOD record for every method that it sees compiled and for generated
// classes; methods that are only ever interpreted have none. Their frames hold a Method*, which a
// Namer follows while the method is alive.
//
// Invariants:
//   - Offsets come from the JVM itself: the VM_LAYOUT record (FORMAT.md), which the agent takes
//     from gHotSpotVMStructs. What that table does not export is fixed here with its source. The
//     bytecodes stand behind the ConstMethod, the line table behind them (constMethod.hpp). The
//     slots of a constant pool stand behind its header (constantPool.hpp). has_linenumber_table is
//     bit 0 of the ConstMethod's flags. The same in JDK 17 to 25; only the line table's numbers are
//     written otherwise since JDK 20 (lines.go).
//   - Compiled code is read in two layouts: JDK 17 to 21, which keep metadata and scopes in the
//     nmethod, and JDK 25, which does not. A JVM that exports the fields of neither has none
//     (codelayout.go).
//   - What a CodeCache reads of a compiled method is what the agent tells of it, but for the names of
//     method handles' linkers, of which JVMTI tells any (TestCodeAgreesWithEvents).
//   - No byte is trusted: a Method* may be stale and its memory anything. Sizes are bounded,
//     pointers aligned, texts checked, and the class that the constant pool names must name that
//     pool in turn. What does not fit is an error, never a guess.
//   - A name is remembered, and checked again: a Method* is used again after its class was
//     unloaded.
//
// The package imports jvmlog and the standard library. It must not import the sampler, which uses
// it.
package hotspot
