package render

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/planflame/planflame/internal/columns"
	"github.com/planflame/planflame/internal/window"
)

// seconds are seconds with as many digits as tell something.
func seconds(s float64) string {
	switch {
	case s < 0.9995:
		return fmt.Sprintf("%.0f ms", s*1e3)
	case s < 99.95:
		return fmt.Sprintf("%.2f s", s)
	}
	return fmt.Sprintf("%.0f s", s)
}

// perRow is time a row, of nanoseconds.
func perRow(ns *float64) string {
	switch {
	case ns == nil:
		return ""
	case *ns < 9.95:
		return fmt.Sprintf("%.1f ns", *ns)
	case *ns < 9999.5:
		return fmt.Sprintf("%.0f ns", *ns)
	}
	return fmt.Sprintf("%.0f µs", *ns/1e3)
}

// count is a number of rows.
func count(rows *uint64) string {
	if rows == nil {
		return ""
	}
	x := float64(*rows)
	for _, unit := range []string{"", "k", "M", "G"} {
		switch {
		case x < 999.5 && unit == "":
			return fmt.Sprintf("%.0f", x)
		case x < 9.95:
			return fmt.Sprintf("%.1f %s", x, unit)
		case x < 999.5:
			return fmt.Sprintf("%.0f %s", x, unit)
		}
		x /= 1000
	}
	return fmt.Sprintf("%.0f T", x)
}

func percent(share float64) string {
	if share > 0 && share < 0.0005 {
		return "<0.1 %"
	}
	return fmt.Sprintf("%.1f %%", 100*share)
}

// usual is how many times as much as usual an operator costs a row, with a mark if that is more
// than 97.5 % of its kind do.
func usual(o *columns.OperatorReport) string {
	if o.Usual == nil {
		return ""
	}
	text := fmt.Sprintf("× %.1f", o.Usual.Ratio)
	if o.Usual.Expensive {
		text += " !"
	}
	return text
}

// half is the longer half of an operator's interval, with a question mark where it cannot be
// trusted.
func half(o *columns.OperatorReport) string {
	if o.CI95 == nil {
		return "?"
	}
	text := "±" + seconds(max(o.CPUSeconds-o.CI95[0], o.CI95[1]-o.CPUSeconds))
	if !o.Valid {
		text += "?"
	}
	return text
}

// mark says that the operator is in doubt for a tenth of its CPU or more.
func mark(o *columns.OperatorReport) string {
	if o.Weak >= window.WeakMark {
		return "~"
	}
	return ""
}

// padded is a text in a column: to the left of it for a positive width, to the right for a negative
// one.
func padded(s string, width int) string {
	blanks := strings.Repeat(" ", max(max(width, -width)-utf8.RuneCountInString(s), 0))
	if width < 0 {
		return s + blanks
	}
	return blanks + s
}

// branches are the branches of a tree before each of its rows, by the rows' parents. A row alone
// below another stands under it.
func branches(parents []int) []string {
	children := map[int][]int{}
	for i, parent := range parents {
		children[parent] = append(children[parent], i)
	}
	out := make([]string, len(parents))
	var draw func(parent int, tail string)
	draw = func(parent int, tail string) {
		below := children[parent]
		for k, i := range below {
			head, next := "├ ", "│ "
			switch {
			case len(below) == 1:
				head, next = "", ""
			case k == len(below)-1:
				head, next = "└ ", "  "
			}
			out[i] = tail + head
			draw(i, tail+next)
		}
	}
	draw(columns.None, "")
	return out
}
