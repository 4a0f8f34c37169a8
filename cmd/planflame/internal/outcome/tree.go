package outcome

import (
	"cmp"
	"slices"
)

// rows are a query's operators in the order of the table.
func (t *table) rows(q Query) []row {
	out := make([]row, len(q.Operators))
	for i := range out {
		out[i].Operator = q.Operators[i]
	}
	if t.Sort == SortCPU {
		slices.SortStableFunc(out, func(a, b row) int { return cmp.Compare(b.CPUSeconds, a.CPUSeconds) })
		return out
	}
	slices.SortFunc(out, func(a, b row) int { return cmp.Compare(a.Order, b.Order) })
	var path []int // the operators above, outermost first
	for i := range out {
		for len(path) > 0 && out[path[len(path)-1]].Depth >= out[i].Depth {
			path = path[:len(path)-1]
		}
		out[i].above = slices.Clone(path)
		slices.Reverse(out[i].above)
		path = append(path, i)
	}
	return out
}

// drawTree fills in the branches of rows in plan order, of which some may be left out. An operator
// alone below another stands under it; those that share one are set in.
func drawTree(rows []row) {
	at := map[int]int{} // Order → index
	for i := range rows {
		at[rows[i].Order] = i
	}
	const root = -1
	children := map[int][]int{}
	for i := range rows {
		parent := root
		for _, order := range rows[i].above {
			if p, shown := at[order]; shown {
				parent = p
				break
			}
		}
		children[parent] = append(children[parent], i)
	}
	var draw func(parent int, tail string)
	draw = func(parent int, tail string) {
		below := children[parent]
		for k, c := range below {
			head, next := "├ ", "│ "
			switch {
			case len(below) == 1:
				head, next = "", ""
			case parent == root && k == 0:
				head = "┌ " // what joins them has no row
			case k == len(below)-1:
				head, next = "└ ", "  "
			}
			rows[c].branches = tail + head
			draw(c, tail+next)
		}
	}
	draw(root, "")
}
