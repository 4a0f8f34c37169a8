// Package attribution says which plan node of which Spark SQL query a stack's CPU belongs to.
//
// The way of the data: generated Java text → [ParseUnit] → line → ordinal operator of its class.
// Plan dictionary → [ParsePlanUpdate] → [Plan]. Stack + [Scope] of its task →
// [Attributor.Attribute] → [Verdict], a plan node or a named bucket.
//
// Words. A unit is one generated class as Janino compiled it, known by its class loader. Its
// operators are the physical operators fused into it, numbered in the order of their PRODUCE marks.
// 0 is the topmost, each next one its (streamed) child, so a larger ordinal is further upstream. A
// region is the stretch of text between a PRODUCE or CONSUME mark and the closing brace of the
// block that it stands in. A prefix is the part of an identifier before the first underscore, which
// Spark takes from the operator that made the code.
//
// Code belongs to the plan that compiled it, which need not be the plan of the execution for which
// it runs. A [Scope] has the plan of the task's own execution and plans of others that hold
// accumulators of its stage. A unit is bound to the subtree, of any of them, whose texts are its
// own. A boundary class below the scan of an RDD belongs to the plan that makes its rows. Bindings
// are kept by text, plans and accumulators, not by class: executions share classes.
//
// A stack is walked from the leaf to the root and the first frame that any rule knows decides:
//
//   - a line of a whole-stage unit: an SQLMetric that only one operator has, else the prefix of
//     what the line assigns or calls, else the region. A prefix upstream of its region is lazy
//     evaluation and is believed. A prefix of an operator that is neither upstream nor around the
//     region is believed and counted as disputed;
//   - a boundary class (scan, shuffle, broadcast, Python, native engines): the leaf or exchange
//     below the operator found next towards the root;
//   - a physical operator's own class, unless another operator asks it for its columns or children;
//   - a named [Bucket].
//
// A verdict also has the [Part] of the operator that its frame tells. A hash aggregate and a sort
// take in all rows before they give any, and the walk over their code passes the statement between
// the two. A hash join builds where it calls the method that builds its table, and probes in its
// loop.
//
// A frame of the interpreter whose method has no name may belong to any operator. If one stands
// between the leaf and the frame that decides, no operator is named, and the verdict is unknown and
// weak.
//
// Invariants. Nothing is guessed silently: a verdict says by which rule, whether disputed, whether
// weak. All memory is bounded, and what was evicted or dropped is counted. A class is known by its
// loader, never by its name. The package imports the standard library and a JSON decoder, and knows
// nothing of sampling.
package attribution
