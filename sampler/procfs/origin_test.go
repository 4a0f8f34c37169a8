package procfs

import (
	"io/fs"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOrigin(t *testing.T) {
	// A shell that executes another program when it is told so.
	cmd := exec.Command("sh", "-c", "read x; exec cat")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	require.NoError(t, cmd.Start())
	st, err := FS{}.Stat(cmd.Process.Pid)
	require.NoError(t, err)
	p := Process{Identity: Identity{PID: cmd.Process.Pid, StartTicks: st.StartTicks}}
	h, err := OpenHandle(p.PID)
	require.NoError(t, err)
	defer func() { require.NoError(t, h.Close()) }()
	owner := Owner{UID: uint32(os.Getuid()), GID: uint32(os.Getgid())}

	var changed *ChangedError
	_, err = p.Origin(h, Owner{UID: owner.UID + 1, GID: owner.GID})
	require.ErrorAs(t, err, &changed)
	require.ErrorContains(t, err, "Uid: ")
	_, err = p.Origin(h, Owner{UID: owner.UID, GID: owner.GID + 1})
	require.ErrorAs(t, err, &changed)
	require.ErrorContains(t, err, "Gid: ")
	earlier := p
	earlier.StartTicks--
	_, err = earlier.Origin(h, owner)
	require.ErrorAs(t, err, &changed)
	require.ErrorContains(t, err, "it started at tick")

	o, err := p.Origin(h, owner)
	require.NoError(t, err)
	require.NoError(t, o.Check())
	_, err = in.Write([]byte("go\nagain\n"))
	require.NoError(t, err)
	_, err = out.Read(make([]byte, 1)) // of cat
	require.NoError(t, err)
	err = o.Check()
	require.ErrorAs(t, err, &changed)
	require.ErrorContains(t, err, "it executed another program")
	require.Equal(t, owner, changed.Owner)

	require.NoError(t, in.Close())
	require.NoError(t, cmd.Wait())
	require.ErrorIs(t, o.Check(), fs.ErrNotExist)
}
