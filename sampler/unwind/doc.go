// Package unwind turns one interrupt of a Java thread into the addresses of its stack.
//
//	registers + copy of the stack + the kernel's frame-pointer chain + code map → addresses, leaf first
//
// The kernel's chain alone is not good enough. Stubs, prologues, epilogues, vtable stubs and native
// code without frame pointers hide the next Java frame. Then an operator's CPU is shown under its
// neighbor (tens of per cent of it). So the stack is walked here, in the copy, frame by frame, by
// the rule of the code that each frame runs. If a frame may be hidden, the copy is searched for a
// return address into compiled code. It is believed only if the call instruction before it targets
// the code we are in. If the copy ends, the thread's memory is read, as far as it still says the
// same. The kernel's chain takes over as far as that goes: to the first compiled frame, unless the
// JVM has -XX:+PreserveFramePointer.
//
// # Words
//
//   - frame pointer: rbp. With -XX:+PreserveFramePointer every compiled frame keeps it: [fp] is the
//     caller's, [fp+8] the return address.
//   - sane: a frame pointer that lies in the copy, above the stack pointer, and has a return
//     address into known code behind it.
//   - hidden frame: a compiled method that runs, between the code we are in and the frame of the
//     frame pointer, and is in no chain.
//   - frame bytes: HotSpot's frame size: from the stack pointer of a method (after its prologue) to
//     its caller's (after the call), saved frame pointer and return address included. The
//     return address is its last word, the saved rbp the word before.
//   - base: the frames with which a Java thread begins: start_thread of the C library, the JVM's
//     own, call_stub.
//
// A frame that the interpreter is building when the sample is taken is found by its registers
// (entry_amd64.go), since the stack does not have it yet.
//
// Sources of the frame rules: HotSpot's frame_x86.hpp (interpreter frame: sender sp at fp-8,
// Method* at fp-24), MacroAssembler::verified_entry and nmethod/CodeBlob frame_size; they hold for
// JDK 17 to 25. The System V ABI for everything native.
//
// It imports the standard library and x/sys/unix only. An Unwinder is used by one goroutine at a
// time.
package unwind
