package procfs

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFindMemfds(t *testing.T) {
	whole := memfds{log: inode{dev: 1, number: 25}, control: inode{dev: 1, number: 26}}
	second := strings.ReplaceAll(controlMap, " 26 ", " 27 ")
	for name, c := range map[string]struct {
		maps string
		want memfds
	}{
		"none":                    {otherMap, memfds{}},
		"empty":                   {"", memfds{}},
		"one":                     {logMap, memfds{log: inode{dev: 1, number: 25}}},
		"both":                    {jvmMaps, whole},
		"of two the first":        {controlMap + second + logMap, whole},
		"a name that holds it":    {"7f00-7f01 r--s 00000000 fe:01 8                          /tmp/memfd:planflame-log (deleted)\n" + controlMap + logMap, whole},
		"not deleted":             {"7f00-7f01 r--s 00000000 00:01 8                          /memfd:planflame-log\n", memfds{}},
		"another device's number": {"7f00-7f01 r--s 00000000 1f:3e8 4294967296               /memfd:planflame-log (deleted)\n", memfds{log: inode{dev: 0x30_1f_e8 /* major 0x1f between the low byte of minor 0x3e8 and its rest */, number: 1 << 32}}},
	} {
		for way, r := range map[string]io.Reader{"whole": strings.NewReader(c.maps), "in pieces": iotest.HalfReader(strings.NewReader(c.maps)), "with its end": iotest.DataErrReader(strings.NewReader(c.maps))} {
			got, read, err := findMemfds(r, make([]byte, 256))
			require.NoError(t, err, name)
			assert.Equal(t, c.want, got, "%s, %s", name, way)
			assert.LessOrEqual(t, read, len(c.maps))
		}
	}
}

// What comes behind the second memfd is not read.
func TestFindMemfdsStops(t *testing.T) {
	_, read, err := findMemfds(strings.NewReader(jvmMaps+strings.Repeat(otherMap, 1000)), make([]byte, 1024))
	require.NoError(t, err)
	assert.LessOrEqual(t, read, len(jvmMaps)+1024)
}

func TestFindMemfdsRefusals(t *testing.T) {
	for maps, want := range map[string]string{
		strings.Repeat("x", 300): "is longer than 256 bytes",
		"7f00-7f01 rw-s 00000000 0x:01 25                         /memfd:planflame-log (deleted)\n":                   "device",
		"7f00-7f01 rw-s 00000000 00: 25                         /memfd:planflame-log (deleted)\n":                     "device",
		"7f00-7f01 rw-s 00000000 00:01 99999999999999999999                         /memfd:planflame-log (deleted)\n": "inode",
	} {
		_, _, err := findMemfds(strings.NewReader(maps), make([]byte, 256))
		assert.ErrorContains(t, err, want)
	}
	_, _, err := findMemfds(iotest.ErrReader(errors.New("gone")), make([]byte, 256))
	assert.ErrorContains(t, err, "gone")
}

func FuzzFindMemfds(f *testing.F) {
	f.Add(jvmMaps)
	f.Add(logMap + "\n/memfd:planflame-log (deleted)\n")
	f.Fuzz(func(t *testing.T, maps string) {
		_, read, _ := findMemfds(strings.NewReader(maps), make([]byte, 128)) // whatever it is: no panic
		assert.LessOrEqual(t, read, len(maps))
	})
}
