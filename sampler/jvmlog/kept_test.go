package jvmlog

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// keep writes an application into the header, as the agent does.
func (l *testLog) keep(text string, flags uint32) {
	l.store32(hdrAppSeq, l.ApplicationVersion()+1)
	b := make([]byte, HeaderBytes-hdrAppBytes)
	le.PutUint32(b, uint32(len(text)))
	le.PutUint32(b[hdrAppFlags-hdrAppBytes:], flags)
	copy(b[hdrApp-hdrAppBytes:], text)
	copy(l.b[hdrAppBytes:], b)
	l.store32(hdrAppSeq, l.ApplicationVersion()+1)
}

func TestKeptApplication(t *testing.T) {
	l := newTestLog(t)
	l.geometry.Minor = 3
	l.keep("{}", 0)
	require.False(t, l.KeepsApplication())
	_, err := l.Application()
	require.ErrorIs(t, err, ErrNoApplication, "an older agent does not know what stands there")

	l = newTestLog(t)
	l.geometry.Minor = 4
	_, err = l.Application()
	require.ErrorIs(t, err, ErrNoApplication, "not known yet")
	for _, c := range []struct {
		text  string
		flags uint32
	}{{"{}", 0}, {strings.Repeat("x", MaxKeptApplication), 1}, {"short again", 6}} {
		before := l.ApplicationVersion()
		l.keep(c.text, c.flags)
		require.Equal(t, before+2, l.ApplicationVersion())
		kept, err := l.Application()
		require.NoError(t, err)
		require.Equal(t, Kept{Application: Application{JSON: []byte(c.text)}, Cut: c.flags&1 == 1}, kept)
	}
	l.store32(hdrAppSeq, l.ApplicationVersion()+1)
	_, err = l.Application()
	require.ErrorIs(t, err, ErrNoApplication, "its writer died in the middle")
	l.store32(hdrAppSeq, l.ApplicationVersion()+1)
	l.store32(hdrAppBytes, MaxKeptApplication+1)
	_, err = l.Application()
	require.ErrorIs(t, err, ErrNoApplication, "longer than its room")
}
