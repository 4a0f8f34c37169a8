package codemap

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func TestTexts(t *testing.T) {
	var all texts
	require.Zero(t, all.add(""))
	require.Empty(t, all.get(0))
	long := strings.Repeat("long", textChunk)
	first := all.add("first")
	at := unsafe.StringData(all.get(first))
	numbers := map[uint32]string{first: "first", all.add(long): long}
	for i := range 20_000 {
		s := fmt.Sprintf("text %d", i)
		numbers[all.add(s)] = s
	}
	require.Len(t, numbers, 20_002)
	for number, s := range numbers {
		require.Equal(t, s, all.get(number))
		require.Equal(t, number, all.add(s), "it is kept once")
	}
	require.Same(t, at, unsafe.StringData(all.get(first)), "it does not move")
}
