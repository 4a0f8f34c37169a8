package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseCalls(t *testing.T) {
	got, err := parseCalls(strings.NewReader(`    calls syscall
--------- ----------------
      320 nanosleep
       14 openat
        2 openat2
        1 open
--------- ----------------
      337 total
`))
	require.NoError(t, err)
	assert.Equal(t, map[string]float64{"nanosleep": 320, "openat": 14, "openat2": 2, "open": 1}, got)
	assert.Equal(t, 17., (&idleCost{Calls: got}).opens())
	_, err = parseCalls(strings.NewReader("strace: attach: Operation not permitted\n"))
	assert.ErrorContains(t, err, "no system call")
}

func TestSwitches(t *testing.T) {
	n, err := switches(os.Getpid())
	require.NoError(t, err)
	assert.Positive(t, n)
	_, err = switches(1 << 30)
	assert.ErrorContains(t, err, "0 threads")
}
