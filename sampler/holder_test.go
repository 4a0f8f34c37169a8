package sampler

import (
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/procfs"
)

func TestDeadReaders(t *testing.T) {
	fs := procfs.FS{}
	self, err := holder(fs)
	require.NoError(t, err)
	assert.False(t, isDead(fs, self, self))

	cmd := exec.Command("sleep", "1000")
	require.NoError(t, cmd.Start())
	st, err := fs.Stat(cmd.Process.Pid)
	require.NoError(t, err)
	other := self
	other.PID, other.StartTicks = uint32(cmd.Process.Pid), st.StartTicks
	assert.False(t, isDead(fs, self, other))

	again := other
	again.StartTicks++
	assert.True(t, isDead(fs, self, again), "its pid is another process's")
	elsewhere := again
	elsewhere.Namespace++
	assert.False(t, isDead(fs, self, elsewhere))

	require.NoError(t, cmd.Process.Kill())
	require.Eventually(t, func() bool { return isDead(fs, self, other) }, 10*time.Second, 5*time.Millisecond, "no one has waited for it")
	require.Error(t, cmd.Wait())
	assert.True(t, isDead(fs, self, other))
	unknown := self
	unknown.Namespace = 0
	assert.False(t, isDead(fs, unknown, other))
}
