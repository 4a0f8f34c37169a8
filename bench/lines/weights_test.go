package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFingerprintAcrossJVMs(t *testing.T) {
	const body = "/*c_1*/\nclass GeneratedIteratorForCodegenStage3 {\nvoid f(boolean a_0, long b_1) {\ng(a_0, 12);\nh(b_1); /*x*/\n}\n}"
	here := fingerprintOf(body)
	there := fingerprintOf("class GeneratedIteratorForCodegenStage11 {\n/*c_7*/\nvoid f(long b_1, boolean a_0) {\n h(b_1);\n\n  g(12, a_0);\n}\n}")
	assert.Equal(t, here.key, there.key, "another number, parameters and lines in another order, other comments")
	for n, other := range map[int]int{2: 1, 3: 3, 4: 6, 5: 4, 6: 7, 7: 8} {
		a, ok := here.line(n)
		assert.True(t, ok)
		b, ok := there.line(other)
		assert.True(t, ok)
		assert.Equal(t, a, b, "line %d there is line %d", n, other)
	}
	for _, n := range []int{0, 8} {
		_, ok := here.line(n)
		assert.False(t, ok, "line %d", n)
	}
	for _, other := range []string{
		"class GeneratedIteratorForCodegenStage3 {\nvoid f(boolean a_0, long b_1) {\ng(a_0, 13);\nh(b_1);\n}\n}",
		"class GeneratedIteratorForCodegenStage3 {\nvoid f(boolean a_0, long b_1) {\ng(a_0, 12);\nh(b_1);\nh(b_1);\n}\n}",
		"class GeneratedIteratorForCodegenStage3 {\nvoid f(boolean a_0, long b_1) {\ng(a_0, 12);\n}\n}",
	} {
		assert.NotEqual(t, here.key, fingerprintOf(other).key, other)
	}
}
