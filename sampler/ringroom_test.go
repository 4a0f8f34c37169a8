package sampler

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/jvmlog"
)

func TestRingsHaveBounds(t *testing.T) {
	all := 0
	one := ringRoom{most: bytesOf(64) + bytesOf(16), all: &all}
	require.Equal(t, 64, one.pages(64, 16))
	one.take(bytesOf(64))
	require.Equal(t, 16, one.pages(64, 16), "halved until it fits")
	require.Zero(t, one.pages(64, 32), "the least does not fit")
	one.take(bytesOf(16))
	require.Zero(t, one.pages(64, 16))
	require.Zero(t, one.left())
	one.take(-bytesOf(16))
	require.Equal(t, 16, one.pages(64, 16))

	// What others have counts, too.
	other := ringRoom{most: one.most, all: &all}
	other.take(jvmsWithFull*one.most - all - bytesOf(16) + 1)
	require.Zero(t, one.pages(64, 16))
	other.take(-1)
	require.Equal(t, 16, one.pages(64, 16))
}

func TestOneEventForEachThread(t *testing.T) {
	first, second := &thread{}, &thread{}
	r := rings{threads: map[threadKey]*thread{{tid: 7}: first}, events: map[uint32]*thread{7: first}}
	slot := jvmlog.Thread{TID: 7}
	require.NoError(t, r.claim(first, &slot))
	require.ErrorIs(t, r.claim(second, &slot), errSameThread)
	require.NoError(t, r.claim(second, &jvmlog.Thread{TID: 8}))
	first.slot.Flags = jvmlog.ThreadEnded
	require.NoError(t, r.claim(second, &slot))
}
