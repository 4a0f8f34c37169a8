package convert

import (
	"strings"
	"unicode/utf8"
)

// LabelName is the Pyroscope name of an attribute: letters, digits and underscores stay, everything
// else becomes an underscore, a leading digit gets one before it. "service.name" → "service_name".
// "" stays "".
func LabelName(attribute string) string {
	var b strings.Builder
	for i, r := range attribute {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r == '_':
			b.WriteRune(r)
		case r >= '0' && r <= '9':
			if i == 0 {
				b.WriteByte('_')
			}
			b.WriteRune(r)
		default:
			b.WriteByte('_')
		}
	}
	return b.String()
}

// LabelValue is v as valid UTF-8 without NUL, of at most limit bytes, cut between characters. cut
// is true where something was cut off.
func LabelValue(v string, limit int) (value string, cut bool) {
	v = strings.ReplaceAll(strings.ToValidUTF8(v, "\uFFFD"), "\x00", "\uFFFD")
	if len(v) <= limit {
		return v, false
	}
	end := limit
	for end > 0 && !utf8.RuneStart(v[end]) {
		end--
	}
	return v[:end], true
}
