package unwind

import (
	"os"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

const readWords = 2050 // more than one call takes

// readable does not move.
var readable [readWords]uint32

func TestReadWords(t *testing.T) {
	const n = readWords
	addrs := make([]uint64, n)
	for i := range readable {
		readable[i] = uint32(7 * i)
		addrs[n-1-i] = uint64(uintptr(unsafe.Pointer(&readable[i])))
	}
	m := NewProcessMemory(os.Getpid())
	defer func() { require.NoError(t, m.Close()) }()
	got := make([]uint32, n)
	require.NoError(t, m.ReadWords(got, addrs))
	for i := range got {
		require.Equal(t, readable[n-1-i], got[i])
	}
	require.NoError(t, m.ReadWords(nil, nil))
	addrs[2049] = 8
	require.ErrorContains(t, m.ReadWords(got, addrs), "at 0x8")
}
