package outcome

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// length is the number of columns of a text, if each of its characters takes one.
func length(s string) int { return utf8.RuneCountInString(s) }

// cut cuts the middle out of a text that is longer than a number of columns: names differ at both
// ends.
func cut(s string, columns int) string {
	if length(s) <= columns {
		return s
	}
	if columns <= 1 {
		return strings.Repeat("…", max(columns, 0))
	}
	return cutBefore(s, columns, usualTail(columns))
}

// usualTail is how much of the end of a text is left if it is cut.
func usualTail(columns int) int { return (columns - 1) * 2 / 5 }

// cutBefore cuts a text that is longer than a number of columns so that so much of its end is left.
func cutBefore(s string, columns, tail int) string {
	runes := []rune(s)
	return string(runes[:columns-1-tail]) + "…" + string(runes[len(runes)-tail:])
}

// cutApart is cut, but for what is taken: then more of the end is left, or else less.
func cutApart(s string, columns int, taken func(string) bool) string {
	out := cut(s, columns)
	if length(s) <= columns {
		return out
	}
	for shift := 1; taken(out) && shift < columns; shift++ {
		out = cutBefore(s, columns, (usualTail(columns)+shift)%columns)
	}
	return out
}

// cutFront cuts the front off a text that is longer than a number of columns.
func cutFront(s string, columns int) string {
	if length(s) <= columns {
		return s
	}
	if columns <= 1 {
		return strings.Repeat("…", max(columns, 0))
	}
	runes := []rune(s)
	return "…" + string(runes[len(runes)-columns+1:])
}

// wrap breaks prose at blanks so that no line is longer than a number of columns; a line that
// follows stands as far in as the first and two more.
func wrap(s string, columns int) (lines []string) {
	indent := strings.Repeat(" ", len(s)-len(strings.TrimLeft(s, " ")))
	line := ""
	for word := range strings.SplitSeq(strings.TrimLeft(s, " "), " ") {
		switch {
		case line == "":
			line = indent + word
		case length(line)+1+length(word) > columns:
			lines = append(lines, line)
			line = indent + "  " + word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}

// seconds are seconds with as many digits as tell something: 0.05, 12.7, 1234.
func seconds(s float64) string {
	switch {
	case s < 99.995:
		return fmt.Sprintf("%.2f", s)
	case s < 999.95:
		return fmt.Sprintf("%.1f", s)
	}
	return fmt.Sprintf("%.0f", s)
}

// percent is a part of a whole.
func percent(part, whole float64) string {
	if whole <= 0 {
		part, whole = 0, 1
	}
	return fmt.Sprintf("%.1f %%", 100*part/whole)
}

// count is a number of at most four characters: 999, 1.2K, 34M.
func count(n uint64) string {
	x := float64(n)
	for _, unit := range []string{"", "K", "M", "G", "T", "P"} {
		switch {
		case x < 999.5 && unit == "":
			return fmt.Sprintf("%.0f", x)
		case x < 9.95:
			return fmt.Sprintf("%.1f%s", x, unit)
		case x < 999.5:
			return fmt.Sprintf("%.0f%s", x, unit)
		}
		x /= 1000
	}
	return "1E+"
}

// perRow is CPU a row, with a unit: 0.4 ns, 85 ns, 12 µs.
func perRow(cpuSeconds float64, rows uint64) string {
	if rows == 0 {
		return ""
	}
	ns := cpuSeconds * 1e9 / float64(rows)
	switch {
	case ns < 9.95:
		return fmt.Sprintf("%.1f ns", ns)
	case ns < 999.5:
		return fmt.Sprintf("%.0f ns", ns)
	case ns < 9950:
		return fmt.Sprintf("%.1f µs", ns/1e3)
	case ns < 999.5e3:
		return fmt.Sprintf("%.0f µs", ns/1e3)
	}
	return fmt.Sprintf("%.0f ms", ns/1e6)
}

// Bar is a share as a bar of at most so many columns.
func Bar(share float64, width int) string {
	eighths := int(math.Round(min(max(share, 0), 1) * float64(width) * 8))
	out := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		out += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return out
}
