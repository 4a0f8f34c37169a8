package sparkconf

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
)

// parseProperties reads a Java properties file (java.util.Properties.load, Java SE 17) into key →
// value; of a key that stands there several times the last counts. Spark trims values, so this does
// too.
func parseProperties(text string) (map[string]string, error) {
	out := map[string]string{}
	for _, line := range logicalLines(text) {
		key, value := splitProperty(line)
		k, err := unescape(key)
		if err != nil {
			return nil, fmt.Errorf("property %q: %w", key, err)
		}
		v, err := unescape(value)
		if err != nil {
			return nil, fmt.Errorf("value of property %q: %w", k, err)
		}
		out[k] = strings.TrimSpace(v)
	}
	return out, nil
}

const blanks = " \t\f"

// logicalLines joins continued lines and drops blank ones and comments.
func logicalLines(text string) []string {
	var out []string
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	logical, continued := "", false
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimLeft(line, blanks)
		if !continued && (line == "" || line[0] == '#' || line[0] == '!') {
			continue
		}
		logical += line
		if continued = endsOpen(line); continued {
			logical = logical[:len(logical)-1]
			continue
		}
		out = append(out, logical)
		logical = ""
	}
	if continued && logical != "" {
		out = append(out, logical)
	}
	return out
}

// endsOpen reports whether a line ends with an odd number of backslashes: the next line continues
// it.
func endsOpen(line string) bool {
	return (len(line)-len(strings.TrimRight(line, `\`)))%2 == 1
}

// splitProperty splits a logical line at the first unescaped '=', ':' or blank.
func splitProperty(line string) (key, value string) {
	end := len(line)
	for i := 0; i < len(line); i++ {
		if line[i] == '\\' {
			i++
			continue
		}
		if strings.IndexByte("=:"+blanks, line[i]) >= 0 {
			end = i
			break
		}
	}
	key, value = line[:end], strings.TrimLeft(line[end:], blanks)
	if value != "" && (value[0] == '=' || value[0] == ':') {
		value = strings.TrimLeft(value[1:], blanks)
	}
	return key, value
}

var plainEscapes = map[byte]byte{'t': '\t', 'n': '\n', 'r': '\r', 'f': '\f'}

// unescape replaces \t \n \r \f \uXXXX; a backslash before anything else disappears.
func unescape(s string) (string, error) {
	if !strings.Contains(s, `\`) {
		return s, nil
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			out.WriteByte(s[i])
			continue
		}
		if i++; i == len(s) {
			break
		}
		if s[i] == 'u' {
			r, n, err := unicodeEscape(s[i-1:])
			if err != nil {
				return "", err
			}
			out.WriteRune(r)
			i += n - 2
			continue
		}
		if c, ok := plainEscapes[s[i]]; ok {
			out.WriteByte(c)
			continue
		}
		out.WriteByte(s[i])
	}
	return out.String(), nil
}

// unicodeEscape decodes the \uXXXX, or pair of them, that s begins with, and says how many bytes it
// took.
func unicodeEscape(s string) (r rune, n int, err error) {
	unit := func(s string) (rune, error) {
		if len(s) < 6 || s[:2] != `\u` {
			return 0, fmt.Errorf("malformed \\u escape in %q", s)
		}
		v, err := strconv.ParseUint(s[2:6], 16, 16)
		if err != nil {
			return 0, fmt.Errorf("malformed \\u escape in %q", s)
		}
		return rune(v), nil
	}
	if r, err = unit(s); err != nil || !utf16.IsSurrogate(r) {
		return r, 6, err
	}
	if low, err := unit(s[6:]); err == nil {
		return utf16.DecodeRune(r, low), 12, nil
	}
	return '\uFFFD', 6, nil
}

// escapeValue writes a value so that java.util.Properties.load reads it back.
func escapeValue(v string) string {
	out := strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`, "\f", `\f`).Replace(v)
	if strings.HasPrefix(out, " ") {
		out = `\` + out
	}
	return out
}

// appendProperties appends our additions to the text of a properties file. What stands there is
// kept as it is; a key of ours that has a value is written again behind it with ours appended, and
// the last one counts.
func (a Additions) appendProperties(text string) (string, error) {
	have, err := parseProperties(text)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	out.WriteString(text)
	out.WriteString("\n\n# added by planflame run\n") // the blank line ends a last line that was left open
	for _, key := range a.keys() {
		if merged, _ := a.merged(key, have[key]); merged != "" {
			fmt.Fprintf(&out, "%s=%s\n", key, escapeValue(merged))
		}
	}
	return out.String(), nil
}
