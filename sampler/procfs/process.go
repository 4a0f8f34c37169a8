package procfs

// Identity tells a process from all others of one boot.
type Identity struct {
	PID        int
	StartTicks uint64
}

// Process is a process that has both of the agent's memfds mapped. Memory opens them.
type Process struct {
	Identity
	memfds memfds
	fs     FS
}

// Agent looks for the agent's memfds in one process; ok is false if it has none, or only one of
// them yet.
func (fs FS) Agent(pid int) (p Process, ok bool, err error) {
	st, err := fs.Stat(pid)
	if err != nil {
		return Process{}, false, err
	}
	p, ok, _, err = fs.find(Identity{PID: pid, StartTicks: st.StartTicks}, make([]byte, mapsBuffer))
	return p, ok, err
}

// find looks for the memfds in the mappings of a process, through buf. A process that has mapped
// only one of them has been seen in the middle of its start: ok is false. read is how many bytes of
// maps it took.
func (fs FS) find(id Identity, buf []byte) (p Process, ok bool, read int, err error) {
	found, read, err := fs.memfds(id.PID, buf)
	return Process{Identity: id, memfds: found, fs: fs}, found.complete(), read, err
}
