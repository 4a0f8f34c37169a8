// Package recording keeps what a sampler read in a file, so that everything downstream can be
// computed again from it.
//
//	sampler ──Sink──▶ Writer ──▶ file ──▶ Reader ──Sink──▶ pipeline
//
// A recording holds raw addresses, task events, records of the JVMs' logs and the names of native
// and kernel code, which only the live process could have given. It holds the text of generated
// code and of plans: treat it like the job's own logs.
//
// # The file
//
// Little endian. A head of 16 bytes, then one zstd stream (RFC 8878) of entries to the end of the
// file:
//
//	head    0  u8[8]  magic "PLFLMREC"
//	        8  u16    major 2: a reader refuses a later one
//	       10  u16    minor 0: grows with new kinds of entries and with fields at the end of a body; readers ignore both
//	       12  u32    reserved, 0
//
//	entry   uv kind; uv JVM (sampler.JVMID), 0 for META and END; uv bytes of the body, ≤ MaxBodyBytes; body
//
// uv is an unsigned variable-length number (7 bits a byte, the lowest first), sv the same of a
// signed one, zigzag (encoding/binary, PutUvarint and PutVarint).
//
//	kind            body
//	 1 META         JSON object (type Meta); the first entry
//	 2 JVM          u64 pid; u64 start_ticks; u32 mode; u32 0; u64 found_at; log header (4,096 bytes, FORMAT.md)
//	 3 THREAD       u32 slot; u32 0; thread slot (128 bytes, FORMAT.md)
//	 4 RECORD       one record as in the log, its virtual offset 0 (FORMAT.md, with its own length and CRC32C)
//	 5 TASK_EVENT   task event (128 bytes, FORMAT.md); flag bit 31: of kind 3, by the reader itself, without a number of its own;
//	                f64 π of the task's run, 0: runs were not drawn; u32 1: the run was left out, else 0; u32 0 (since 1.5)
//	 6 SAMPLE       uv fields; uv slot; sv time; [uv period] [uv base] [uv kernel] [uv flags] [uv gap] [uv detail] [uv tid] [uv kept]
//	                [uv n; n × uv index of a repaired address]; uv node; uv n; n × {uv address, or 0 and sv address};
//	                if n > 0: uv m; m × {uv frame; uv method; sv bci}
//	 7 STATS        u32 n; u32 0; n × u64: the fields of sampler.Stats in their order (AgentDroppedRows since 1.4, LeftOut and Thinned since 1.5)
//	 8 WATERMARK    u64 time
//	 9 GONE         nothing
//	10 SYMBOL       u64 address; u32 kind (codemap.Kind); u32 line; u32 n; n bytes name; u32 m; m bytes object: what stands at a
//	                native or kernel address; before the first sample that holds it
//	11 END          u64 entries before this one; the last entry of a recording that was closed
//
// # Stacks
//
// The stacks of a JVM are a tree of frames, each below its caller, and every node is written once.
// A sample names the node that it has in common with an earlier one, as how many nodes before the
// newest, and the n frames below that, the outermost first. They become nodes. An address that was
// written before is its number, from 1. Another one is 0 and the difference from its caller. The m
// frames of those n that the interpreter ran have a method and the index of a bytecode.
//
// The fields are a bit mask (samples.go). What is left out is as in the thread slot's last sample;
// kernel, flags, gap and repaired addresses are 0 then. The time is the difference from that
// sample's time and period. The bit newTrees says that no tree and no thread is known any more, of
// any JVM: a Writer keeps 1,048,576 nodes and threads. A JVM that is GONE takes its own with it.
//
// # What no sample needs
//
// A JVM compiles much code that no sample meets: nine tenths of it in a run of minutes. Trim writes
// a recording without it, after the fact. CarryOver writes what a later part of a JVM's recording
// may need of those before, so that a recording can be cut in parts, each readable alone.
//
// # Major 1
//
// Read, no longer written. An entry is u32 bytes of the body; u16 kind; u16 0; u32 JVM; body, and a
// SAMPLE holds its whole stack (major1.go).
//
// # Order
//
// Entries stand in the order in which the Sink was called. The stream is flushed at least every
// FlushInterval, so a recording that was cut off by a crash gives everything up to a second or so
// before it, and ErrTruncated.
package recording
