package procfs

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHandleSeesTheEnd(t *testing.T) {
	cmd := exec.Command("cat")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	h, err := OpenHandle(cmd.Process.Pid)
	require.NoError(t, err)
	exited, err := h.Exited()
	require.NoError(t, err)
	assert.False(t, exited)
	require.NoError(t, in.Close())
	require.NoError(t, cmd.Wait())
	exited, err = h.Exited()
	require.NoError(t, err)
	assert.True(t, exited)
	require.NoError(t, h.Close())
	_, err = OpenHandle(1 << 30)
	assert.ErrorContains(t, err, "pid 1073741824: pidfd_open")
}
