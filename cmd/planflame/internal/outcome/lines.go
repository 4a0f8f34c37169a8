package outcome

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
)

// addLines puts the user's own lines beside queries and operators.
func (s *Summary) addLines(p window.Profile) {
	lines := map[pipeline.UserLineOf][]string{}
	for _, j := range p.JVMs {
		for of, known := range j.UserLines {
			for _, line := range known {
				if !slices.Contains(lines[of], line) {
					lines[of] = append(lines[of], line)
				}
			}
		}
	}
	for i := range s.Queries {
		q := &s.Queries[i]
		of := pipeline.UserLineOf{Query: q.Query, Plan: q.Plan}
		q.CallSite = strings.Join(lines[of], ", ")
		for k := range q.Operators {
			op := &q.Operators[k]
			of.Operator = op.Operator
			op.Line = strings.Join(lines[of], ", ")
			op.Name = atLine(op.Name, op.Line)
		}
		if q.CallSite == "" {
			q.CallSite = lineRange(q, lines)
		}
	}
}

// atLine is the name of a stage without a plan with its line: "map at etl.py" is "map at etl.py:7".
// Other names stay.
func atLine(name, line string) string {
	file, number, ok := cutLine(line)
	method, twin, found := strings.Cut(name, " at "+file)
	if !ok || !found || twin != "" && !strings.HasPrefix(twin, " #") {
		return name
	}
	return fmt.Sprintf("%s at %s:%d%s", method, file, number, twin)
}

// lineRange is where a query's expressions are written if that is one file: "etl.py:8-15".
func lineRange(q *Query, lines map[pipeline.UserLineOf][]string) string {
	in, first, last := "", 0, 0
	for of, known := range lines {
		if of.Query != q.Query || of.Plan != q.Plan || of.Operator == "" {
			continue
		}
		for _, line := range known {
			file, number, ok := cutLine(line)
			if !ok || in != "" && in != file {
				return ""
			}
			if in == "" {
				in, first, last = file, number, number
			}
			first, last = min(first, number), max(last, number)
		}
	}
	switch {
	case in == "":
		return ""
	case first == last:
		return fmt.Sprintf("%s:%d", in, first)
	}
	return fmt.Sprintf("%s:%d-%d", in, first, last)
}

func cutLine(line string) (file string, number int, ok bool) {
	at := strings.LastIndexByte(line, ':')
	if at < 0 {
		return "", 0, false
	}
	number, err := strconv.Atoi(line[at+1:])
	return line[:at], number, err == nil
}
