package printable

import (
	"encoding/json"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"Scan parquet (a > 3)\n\tx":   "Scan parquet (a > 3)\n\tx",
		"größe 数 🙂":                   "größe 数 🙂",
		"a\x1b[2Jb":                   `a\x1b[2Jb`,
		"\x1b]52;c;cm0=\a":            `\x1b]52;c;cm0=\a`,
		"\u009b31m":                   `\u009b31m`,
		"a\u202eb\u200bc\u00a0d":      `a\u202eb\u200bc\u00a0d`,
		"a\rb\x7f\xff\x00":            `a\rb\x7f\xff\x00`,
		"\U000e0001":                  `\U000e0001`,
		`a\x1b as it stands is plain`: `a\x1b as it stands is plain`,
	} {
		assert.Equal(t, want, Text(in))
	}
}

func TestJSON(t *testing.T) {
	for in, want := range map[string]string{
		`"a \n\t \" \\ \/ é 🙂"`: "a \n\t \" \\ / é 🙂",
		`"a\u001b[2J\b\f\r"`:    `a\x1b[2J\b\f\r`,
		`"\u00e9\ud83d\ude42"`:  "é🙂",
		`"\\u001b"`:             `\u001b`,
		`"\\\u001b"`:            `\\x1b`,
		"\"\u009b\u202e\x7f\"":  `\u009b\u202e\x7f`,
		`"\u202E\udb40\udc01"`:  `\u202e\U000e0001`,
		`"\ud83d alone"`:        "\ufffd alone",
	} {
		var got string
		require.NoError(t, json.Unmarshal(JSON([]byte(in)), &got), in)
		assert.Equal(t, want, got, in)
	}
	assert.Equal(t, []byte(`{"a": "\u00`), JSON([]byte(`{"a": "\u00`)), "no JSON")
}

func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"a\u001b": ["\\\u009b", "\ud83d\ude42\r"]}`))
	f.Add([]byte("\"\\\u009b\xff\""))
	f.Fuzz(func(t *testing.T, text []byte) {
		var before, after string
		was, is := json.Unmarshal(text, &before), json.Unmarshal(JSON(text), &after)
		require.Equal(t, was == nil, is == nil)
		for _, r := range after {
			require.True(t, r == '\n' || r == '\t' || unicode.IsPrint(r), "%q", after)
		}
		if was == nil {
			require.Equal(t, Text(before), after)
		}
	})
}
