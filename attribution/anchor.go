package attribution

import "strings"

// anchorKind says what a line does to its anchor, the identifier by whose prefix the line is
// judged.
type anchorKind uint8

const (
	anchorNone    anchorKind = iota // it only reads
	anchorDeclare                   // it declares a variable
	anchorAssign                    // it assigns one
	anchorCall                      // it calls one, or a method of one
	anchorWriter                    // a row writer or other shared state: only the region knows
)

// anchorOf finds the identifier that a statement assigns, else the one that it begins by calling.
func anchorOf(code string) (string, anchorKind) {
	for _, word := range []string{"if", "while", "for", "return", "throw", "else", "do", "try", "catch", "switch", "case", "}"} {
		if rest, ok := strings.CutPrefix(code, word); ok && (rest == "" || !identPart(rest[0])) {
			return "", anchorNone
		}
	}
	if left, ok := assigned(code); ok {
		left = strings.TrimRight(left, " ")
		if strings.HasSuffix(left, "]") { // an element of an array
			if open := strings.LastIndexByte(left, '['); open > 0 {
				left = left[:open]
			}
		}
		name := lastIdentifier(left)
		if strings.Contains(name, "_mutableStateArray_") {
			return name, anchorWriter
		}
		if strings.TrimSpace(left) == name {
			return name, anchorAssign
		}
		return name, anchorDeclare
	}
	name := ""
	identifiers(code, func(n string, end int) bool {
		if strings.HasPrefix(code, n) && end < len(code) && strings.IndexByte(".([+-;", code[end]) >= 0 {
			name = n
		}
		return false
	})
	if strings.Contains(name, "_mutableStateArray_") {
		return name, anchorWriter
	}
	if name == "" {
		return "", anchorNone
	}
	if strings.HasPrefix(code[len(name):], "++") || strings.HasPrefix(code[len(name):], "--") {
		return name, anchorAssign
	}
	return name, anchorCall
}

// assigned returns what stands left of a statement's assignment operator.
func assigned(code string) (string, bool) {
	for i := 0; i < len(code); i++ {
		switch c := code[i]; {
		case c == '(':
			return "", false
		case c != '=':
		case i+1 < len(code) && code[i+1] == '=':
			return "", false
		case i > 0 && strings.IndexByte("!<>", code[i-1]) >= 0:
			return "", false
		case i > 0 && strings.IndexByte("+-*/%&|^", code[i-1]) >= 0:
			return code[:i-1], true
		default:
			return code[:i], true
		}
	}
	if strings.HasSuffix(code, ";") { // a declaration without a value
		left := strings.TrimSuffix(code, ";")
		if fields := strings.Fields(left); len(fields) == 2 && lastIdentifier(left) == fields[1] {
			return left, true
		}
	}
	return "", false
}

// rowRead returns the row whose column a line reads, such as bhj_buildRow_0 in
// `bhj_buildRow_0.getLong(2)`; "" where it reads none.
func rowRead(code string) string {
	row := ""
	identifiers(code, func(name string, end int) bool {
		rest := code[end:]
		if strings.HasPrefix(rest, ".isNullAt(") || strings.HasPrefix(rest, ".get") && !strings.HasPrefix(rest, ".getValue(") && !strings.HasPrefix(rest, ".getKey(") {
			row = name
			return false
		}
		return true
	})
	return row
}

// nullFlag is the flag that the value of a column is read by: `hashAgg_isNull_9` of `int
// hashAgg_value_10 = hashAgg_isNull_9 ? -1 : …`, which may go on on the next line; "" of other
// statements.
func nullFlag(code string) string {
	_, value, ok := strings.Cut(code, " = ")
	if !ok {
		return ""
	}
	flag, _, ok := strings.Cut(value, " ?")
	if !ok || lastIdentifier(flag) != flag {
		return ""
	}
	return flag
}
