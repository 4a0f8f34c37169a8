// Package columns is the columnar model of one recording: every sample with its time, label, stack
// and task, and the tables that say what these are. Reports, comparisons and the page are drawn
// from it.
//
//	pipeline ──Consumer──▶ Builder ──Model──▶ Model ──Select──▶ Sums ──▶ Report (report, diff, JSON)
//	                                            └────Encode──▶ one binary container (the page)
//
// A Builder is an Accumulator that also keeps what an Accumulator adds up. The pipeline holds
// samples until all is known of them, so a sample enters with its final label. What only the end
// tells, such as the factor that calibrates a label, is a field of a table and of no sample.
//
// A sample takes 13 bytes. The weights of samples are run-length coded by thread, for a thread's
// clock keeps a period for some forty samples. Stacks are one tree of frames, each stack a node in
// it. What no sample covers, such as kernel time, other threads and Python workers, stands in rows
// of exact CPU with the time in which it was used.
//
// Invariants:
//   - The CPU of a label's samples is the weight of each times the label's factor. All sums are
//     sums of that and of rows of exact CPU, and agree with the sums of the Accumulator.
//   - Memory is bounded but for the columns: what finds no room is counted and keeps its CPU.
//
// The package holds no text for people and no HTML.
package columns
