// Lines measures, without clocks, whether planflame gives the lines of generated code to the right
// plan nodes, and which share of the tasks' CPU it gives to any; it writes
// build/bench/attribution.json (make bench-attribution).
//
//	statements ─▶ test/jobs/lines.py + harness ─▶ text, signed text, mutated texts, plan ─▶ truth ──┐
//	           │                                              └─▶ package attribution ─▶ labels ┴─▶ right, wrong, disputed
//	           └▶ test/jobs/passes.py under `planflame run` ─▶ recording ─▶ CPU of each line, of each node, of each bucket
//
// The truth is who wrote a line. The harness, a Java agent for this bench's own JVM, has every
// physical operator and expression sign the text that it generates, in comments; but for these the
// text must be the same, line by line, or the class is not judged. Two things are by convention: a
// row that is packed for a consumer, and the method that a consumer's code is moved into with its
// call, are the consumer's, although the producer writes them; what the whole-stage wrapper writes
// is the topmost operator's.
//
// A second oracle checks the first: one constant, comparison or sum of one plan node is changed,
// and the texts are compared line by line. Where nothing but some lines within changed, these lines
// are that node's. Changes that do not show, that Spark refuses, or that move other lines are
// counted and judge nothing.
//
// A line's weight is its CPU in a recorded run of the same statements, found by the text of its
// class. Attribution's rules are made and mended on the set "own"; the set "tpch" judges.
package main
