package outcome

// style is an ANSI style (ECMA-48, SGR).
type style string

const (
	plain style = ""
	bold  style = "1"
	dim   style = "2"
)

// styled is a text in a style, where the table has colors.
func (t *table) styled(s style, text string) string {
	if !t.Color || s == plain || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}
