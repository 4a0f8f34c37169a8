package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCodeLines(t *testing.T) {
	const text = `/*wsc_c_0*/
/*@<3*/
int a = 1; // trailing
/*@<1e*//*filter_c_7*/
boolean b = "/*@<9*/" == '"' + "x\"//y";/*@>*/
if (b) continue;/*@>*/

/* a block
   of comments */ int c = 2;
/*@<2*/x = /*@<5*/y;/*@>*/
/*@>*/`
	got, err := codeLines(text)
	require.NoError(t, err)
	assert.Equal(t, []codeLine{
		{number: 3, code: "int a = 1;", owner: 3},
		{number: 5, code: `boolean b = "/*@<9*/" == '"' + "x\"//y";`, owner: 1},
		{number: 6, code: "if (b) continue;", owner: 3},
		{number: 9, code: "int c = 2;", owner: unsigned},
		{number: 10, code: "x = y;", owner: 2, mixed: true},
	}, got)
}

func TestCodeLinesRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"a;\n/*@>*/":        "line 2: a signature ends",
		"/*@<x*/a;/*@>*/":   `line 1: signature "x"`,
		"/*@<-1*/a;/*@>*/":  `line 1: signature "-1"`,
		"/*@<1*//*@<2*/a;":  "2 signatures do not end",
		"/*@<1":             `line 1: signature "1"`,
		"b;\n/*@<4e*/ c; d": "1 signatures do not end",
	} {
		_, err := codeLines(text)
		assert.ErrorContains(t, err, want, "%q", text)
	}
}

func TestSameCode(t *testing.T) {
	read := func(text string) []codeLine {
		lines, err := codeLines(text)
		require.NoError(t, err)
		return lines
	}
	same, _ := sameCode(read("a;\n\n/*x*/\nb;"), read("/*@<1*/a;\nb;/*@>*/"))
	assert.True(t, same, "comments and blank lines do not count")
	same, how := sameCode(read("a;\nb;"), read("a;\nc;"))
	assert.False(t, same)
	assert.Equal(t, `line 2: "b;", signed "c;"`, how)
	same, how = sameCode(read("a;\nb;"), read("a;"))
	assert.False(t, same)
	assert.Equal(t, "2 lines of code, signed 1", how)
}

func FuzzCodeLines(f *testing.F) {
	f.Add("/*@<3*/\nint a = 1;/*@>*/ // x\n'\\'' \"")
	f.Add("/*@<")
	f.Fuzz(func(t *testing.T, text string) {
		lines, err := codeLines(text)
		if err != nil {
			return
		}
		last := 0
		for _, l := range lines {
			if l.number <= last || l.code == "" || l.owner < unsigned {
				t.Fatalf("line %+v behind line %d", l, last)
			}
			last = l.number
		}
	})
}
