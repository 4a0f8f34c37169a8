// Lines measures, without clocks, whether planflame gives the lines of generated code to the right
// plan nodes. It also measures which share of the tasks' CPU gets a node at all. It writes
// build/bench/attribution.json (make bench-attribution).
//
//	statements ─▶ test/jobs/lines.py + harness ─▶ text, signed text, mutated texts, plan ─▶ truth ──┐
//	           │                                              └─▶ package attribution ─▶ labels ┴─▶ right, wrong, disputed
//	           └▶ test/jobs/passes.py under `planflame run` ─▶ recording ─▶ CPU of each line, of each node, of each bucket
//
// The truth is who wrote a line. The harness is a Java agent in the bench's JVM. It makes each
// physical operator and expression sign the text that it generates, in comments. Apart from these,
// the text must be the same, line by line, or the class is not judged.
//
// Some lines are assigned by convention. A row that is packed for a consumer belongs to the
// consumer. So does the method that a consumer's code is moved into, with its call. What the
// whole-stage wrapper writes belongs to the topmost operator.
//
// A second oracle checks the first: it changes one constant, comparison or sum of one plan node and
// compares the texts line by line. If only some lines within changed, these lines are that node's.
// Changes that do not show, that Spark refuses, or that move other lines are counted and judge
// nothing.
//
// A line's weight is its CPU in a recorded run of the same statements, found by the text of its
// class. Attribution's rules are made and fixed on the set "own"; the set "tpch" judges.
package main
