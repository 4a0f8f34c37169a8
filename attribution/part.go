package attribution

import "strings"

// Part is what an operator did: one of two halves of its work, below the plan node. Its value is
// the word that users see.
type Part string

// Parts of operators. An operator of another kind has none, and so has work of these that tells no
// part, such as making a generated object.
const (
	PartNone   Part = ""
	PartWrite  Part = "write" // an exchange
	PartRead   Part = "read"
	PartBuild  Part = "build"  // a hash join: the table of one side
	PartProbe  Part = "probe"  // everything behind it: rows of the other side are looked up
	PartInsert Part = "insert" // a hash aggregate: rows into the table
	PartOutput Part = "output" // groups out of it
	PartSort   Part = "sort"   // a sort: takes rows in and sorts them
	PartMerge  Part = "merge"  // hands them on, out of memory and out of what was spilled
)

// parts are the parts by the number that a storedLine has.
var parts = [...]Part{PartNone, PartWrite, PartRead, PartBuild, PartProbe, PartInsert, PartOutput, PartSort, PartMerge}

// halves are, by the prefix of their code, the operators that take in all rows before they give
// any: the part before, and the part behind.
var halves = map[string][2]Part{"hashAgg": {PartInsert, PartOutput}, "sort": {PartSort, PartMerge}}

// hashJoins are the prefixes of hash joins.
var hashJoins = map[string]bool{"bhj": true, "shj": true}

// buildMethod is the method of a shuffled hash join that builds its table (ShuffledHashJoinExec,
// 3.5 to 4.3). A broadcast join's table is built by the driver.
const buildMethod = "buildHashedRelation"

// part is the part of its operator that a line belongs to. The walk follows the calls of the
// operators' loop in the order of the text. Spark writes the loop that gives an operator's rows
// behind a statement. An operator of halves has taken in all rows when the walk has passed that
// statement.
func (w *walk) part(m *method, t *textLine, line Line) Part {
	prefix := w.operators[line.Operator].Prefix
	switch {
	case hashJoins[prefix]:
		if strings.Contains(t.code, "."+buildMethod+"(") {
			return PartBuild
		}
		if w.looping {
			return PartProbe
		}
	case halves[prefix][0] == PartNone || line.Disputed:
	case w.classes[m.class].nested:
		return mapPart(m.name, w.classes[m.class].name)
	case w.looping:
		if !w.given[line.Operator] {
			w.given[line.Operator] = endsIntake(prefix, t)
			return halves[prefix][0]
		}
		return halves[prefix][1]
	}
	return PartNone
}

// endsIntake reports whether a line is the last of an operator of halves before it gives rows. A
// hash aggregate adds up its time then, a sort notes that it has sorted (HashAggregateExec,
// SortExec, 3.5 to 4.3).
func endsIntake(prefix string, t *textLine) bool {
	if prefix == "sort" {
		return strings.Contains(t.code, "_needToSort_") && strings.HasSuffix(t.code, " = false;")
	}
	for _, name := range t.metrics {
		if name == "aggTime" {
			return true
		}
	}
	return false
}

// mapPart is the part of a method of a hash aggregate's generated map (RowBasedHashMapGenerator,
// VectorizedHashMapGenerator, 3.5 to 4.3).
func mapPart(method, class string) Part {
	switch method {
	case "findOrInsert", "hash", "equals", class:
		return PartInsert
	case "rowIterator":
		return PartOutput
	}
	return PartNone
}

// forgetHalves takes the parts from operators of which no line ended the intake: their code is not
// written as known.
func (w *walk) forgetHalves() {
	for i := range w.lines {
		if line := &w.lines[i]; line.Rule != "" && halves[w.operators[line.Operator].Prefix][0] != PartNone && !w.given[line.Operator] {
			line.Part = PartNone
		}
	}
}

// physicalPart is the part of an operator without generated code, by the methods of its iterators
// (3.5 to 4.3). Of an aggregate, the methods around frame i, which decided, count. Of others, the
// methods that frame i called. A sorter calls back for the prefix of a row that it takes.
func (s *stack) physicalPart(i int, n *Node) Part {
	switch {
	case n == nil:
	case classIs(n, "HashAggregateExec"), classIs(n, "ObjectHashAggregateExec"):
		return s.aggregatePart(i)
	case classIs(n, "ShuffledHashJoinExec"), classIs(n, "BroadcastHashJoinExec"):
		for k := range s.frames[:i+1] {
			if s.frames[k].Method == buildMethod {
				return PartBuild
			}
		}
		if strings.HasPrefix(s.frames[i].Class, sqlx+"joins.HashJoin") {
			return PartProbe
		}
	case classIs(n, "SortExec"):
		for k := range s.frames[:min(i+2, len(s.frames))] {
			if f := &s.frames[k]; f.Class == sqlx+"UnsafeExternalRowSorter" && (f.Method == "insertRow" || f.Method == "sort") {
				return PartSort
			}
		}
	}
	return PartNone
}

// aggregatePart is the part of an aggregate's iterator that runs at frame i.
func (s *stack) aggregatePart(i int) Part {
	names := s.a.rule(s.frames[i].Class).physical
	for k := i; k < len(s.frames); k++ {
		f := &s.frames[k]
		if f.Class == "" {
			continue
		}
		if r := s.a.rule(f.Class); r.kind != rulePhysical || !equalNames(r.physical, names) {
			break
		}
		switch {
		case f.Method == "processInputs":
			return PartInsert
		case (f.Method == "next" || f.Method == "hasNext") && strings.HasSuffix(f.Class, "AggregationIterator"):
			return PartOutput
		}
	}
	return PartNone
}
