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
//	        8  u16    major 1: a reader refuses another
//	       10  u16    minor 6: grows with new kinds of entries and with fields at the end of a body; readers ignore both
//	       12  u32    reserved, 0
//
//	entry   0  u32    bytes of the body, ≤ MaxBodyBytes
//	        4  u16    kind
//	        6  u16    reserved, 0
//	        8  u32    JVM (sampler.JVMID); 0 for META and END
//	       12  …      body
//
//	kind            body
//	 1 META         JSON object (type Meta); the first entry
//	 2 JVM          u64 pid; u64 start_ticks; u32 mode; u32 0; u64 found_at; log header (4,096 bytes, FORMAT.md)
//	 3 THREAD       u32 slot; u32 0; thread slot (128 bytes, FORMAT.md)
//	 4 RECORD       one record as in the log, its virtual offset 0 (FORMAT.md, with its own length and CRC32C)
//	 5 TASK_EVENT   task event (128 bytes, FORMAT.md); flag bit 31: of kind 3, by the reader itself, without a number of its own;
//	                f64 π of the task's run, 0: runs were not drawn; u32 1: the run was left out, else 0; u32 0 (since 1.5)
//	 6 SAMPLE       u64 time; u64 period_ns; u32 slot; u32 tid; u32 kernel; u32 repaired; u32 flags; u32 n; n × u64 address;
//	                u32 m; m × {u32 frame; i32 bci; u64 method}: sampler.Interpreted (since 1.1); repaired × u32 index (since 1.2);
//	                u64 base_period_ns; u64 detail_period_ns (since 1.3); f64 part of the samples that was kept, 0: all (since 1.5); u64 gap_ns (since 1.6)
//	 7 STATS        u32 n; u32 0; n × u64: the fields of sampler.Stats in their order (AgentDroppedRows since 1.4, LeftOut and Thinned since 1.5)
//	 8 WATERMARK    u64 time
//	 9 GONE         nothing
//	10 SYMBOL       u64 address; u32 kind (codemap.Kind); u32 line; u32 n; n bytes name; u32 m; m bytes object: what stands at a
//	                native or kernel address; before the first sample that holds it
//	11 END          u64 entries before this one; the last entry of a recording that was closed
//
// Entries stand in the order in which the Sink was called. The stream is flushed at least every
// FlushInterval, so a recording that was cut off by a crash gives everything up to a second or so
// before it, and ErrTruncated.
package recording
