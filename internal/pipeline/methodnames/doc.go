// Package methodnames names the methods that a JVM's interpreter runs, by reading that JVM's memory from outside.
//
//	VM_LAYOUT record + Method* of an interpreter frame ──/proc/PID/mem──▶ METHOD record
//
// The agent writes a METHOD record for every method that is compiled and for all methods of generated classes. A frame of the interpreter
// that runs any other method holds only its Method*: HotSpot's own description of it (method.hpp, constMethod.hpp, constantPool.hpp,
// symbol.hpp; JDK 17 to 25) leads to its name and its class in five reads. Without them the outer frames of most stacks, and all
// of a stack that runs cold code, have no names.
//
// Invariants: offsets come from the JVM itself, none is assumed; what is read is checked before it is believed, for the memory may be
// gone or another's by now; a method is read once. Reading needs the permission to ptrace the JVM; without it nothing is named.
package methodnames
