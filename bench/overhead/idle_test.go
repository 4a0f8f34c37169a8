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

func TestSwitchesGrow(t *testing.T) {
	before, err := switches(os.Getpid())
	require.NoError(t, err)
	r, w, err := os.Pipe()
	require.NoError(t, err)
	go func() { _, _ = w.Write([]byte{1}); _ = w.Close() }()
	_, err = r.Read(make([]byte, 1))
	require.NoError(t, err)
	require.NoError(t, r.Close())
	after, err := switches(os.Getpid())
	require.NoError(t, err)
	assert.GreaterOrEqual(t, after, before)
	_, err = switches(1 << 30)
	assert.Error(t, err)
}
