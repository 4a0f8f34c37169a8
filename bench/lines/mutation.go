package main

// effect is what a changed expression did to a class's text.
type effect int

const (
	effectNone       effect = iota // no line differs: the constant is no part of the text
	effectConfined                 // some lines differ, and no other moved
	effectUnconfined               // lines came, went or moved: it cannot be said which belong to the expression
)

// mostChanged is the share of a text's lines that a confined change may touch at most: beyond it
// names or numbers have shifted.
const mostChanged = 0.1

// changed compares a class's lines of code with those after a mutation, and returns the indices of
// the lines that differ.
//
// Confined is a change that leaves the number of lines as it is, and whose lines are nowhere else
// in either text. A line that the other text has too has moved. That happens when another column is
// needed first.
func changed(base, mutated []codeLine) (effect, []int) {
	if len(base) != len(mutated) {
		return effectUnconfined, nil
	}
	var lines []int
	in, out := map[string]int{}, map[string]int{}
	for i := range base {
		if base[i].code != mutated[i].code {
			lines = append(lines, i)
			out[base[i].code]++
			in[mutated[i].code]++
		}
	}
	if len(lines) == 0 {
		return effectNone, nil
	}
	if float64(len(lines)) > max(2, mostChanged*float64(len(base))) {
		return effectUnconfined, nil
	}
	for code := range out {
		if in[code] > 0 {
			return effectUnconfined, nil
		}
	}
	return effectConfined, lines
}
