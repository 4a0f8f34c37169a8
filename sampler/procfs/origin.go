package procfs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// ChangedError says that a process is not, or no longer, what published the memory: another user's,
// or another program.
type ChangedError struct {
	Owner Owner // of the memory
	what  string
}

// Error names the user of the memory and what changed.
func (e *ChangedError) Error() string {
	return fmt.Sprintf("the process is not what published the memory, which is uid %d's: %s", e.Owner.UID, e.what)
}

// Owner is a user and a group, as this process's user namespace sees them.
type Owner struct{ UID, GID uint32 }

// Origin is what a process was when it was found. A process may publish memory, leave it to another
// process and execute a program of another user. With the rights of this process that user's
// threads and memory could then be read for the first one. Close it. Not safe for concurrent use.
type Origin struct {
	process Process
	handle  *Handle // the caller's
	owner   Owner
	program inode
	status  kept
}

// Origin begins to watch a process. The handle was opened for its pid and stays the caller's; owner
// is who made its memory. The error is as with Check.
func (p Process) Origin(h *Handle, owner Owner) (o *Origin, err error) {
	o = &Origin{process: p, handle: h, owner: owner}
	if o.program, err = p.program(); err != nil {
		return nil, o.ended(err)
	}
	st, err := p.fs.Stat(p.PID)
	if err == nil && st.StartTicks != p.StartTicks { // the handle is of another process
		err = &ChangedError{owner, fmt.Sprintf("it started at tick %d, and not %d", st.StartTicks, p.StartTicks)}
	}
	if err != nil {
		return nil, o.ended(err)
	}
	return o, o.Check()
}

// Close gives back the files that are kept open.
func (o *Origin) Close() { o.status.close() }

// Check compares all uids and gids of the process with the owner of its memory, and its program
// with the one that it had. While the handle's process has not ended, the pid is its own. What was
// opened by the pid before Check returned nil belongs to that process. fs.ErrNotExist: it has
// ended. *ChangedError: it must not be looked into.
func (o *Origin) Check() error {
	program, err := o.process.program()
	if err != nil {
		return o.ended(err)
	}
	changed := o.ownedBy()
	if changed == nil && program != o.program {
		changed = &ChangedError{o.owner, "it executed another program"}
	}
	return o.ended(changed)
}

// ended is err, unless the process has ended: then what was read by its pid may be another's.
func (o *Origin) ended(err error) error {
	exited, pollErr := o.handle.Exited()
	if exited {
		return fmt.Errorf("pid %d: %w", o.process.PID, fs.ErrNotExist)
	}
	return errors.Join(err, pollErr)
}

// program is the file that a process executes.
func (p Process) program() (inode, error) {
	path := p.fs.path(strconv.Itoa(p.PID), "exe")
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return inode{}, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	return inode{dev: st.Dev, number: st.Ino}, nil
}

// ownedBy compares the real, effective, saved and file system's ids of the process with the user
// and group of the memory.
func (o *Origin) ownedBy() error {
	pid, owner := o.process.PID, o.owner
	b, err := o.status.read(o.process.fs, strconv.Itoa(pid), "status")
	if err != nil {
		return err
	}
	for _, c := range []struct {
		field string
		want  uint32
	}{{"Uid:", owner.UID}, {"Gid:", owner.GID}} {
		ids, err := parseIDs(string(b), c.field)
		if err != nil {
			return fmt.Errorf("status of pid %d: %w", pid, err)
		}
		for _, id := range ids {
			if id != c.want {
				return &ChangedError{owner, fmt.Sprintf("%s %v, and not %d", c.field, ids, c.want)}
			}
		}
	}
	return nil
}

// parseIDs parses "FIELD: real effective saved filesystem" of a status.
func parseIDs(status, field string) (ids [4]uint32, err error) {
	for line := range strings.Lines(status) {
		rest, ok := strings.CutPrefix(line, field)
		if !ok {
			continue
		}
		fields := strings.Fields(rest)
		if len(fields) != len(ids) {
			return ids, fmt.Errorf("%s has %d ids, want %d", field, len(fields), len(ids))
		}
		for i, f := range fields {
			id, err := strconv.ParseUint(f, 10, 32)
			if err != nil {
				return ids, fmt.Errorf("%s %w", field, err)
			}
			ids[i] = uint32(id)
		}
		return ids, nil
	}
	return ids, fmt.Errorf("no line %s", field)
}

// HasThread reports whether a thread is the process's.
func (fs FS) HasThread(pid, tid int) bool {
	var st unix.Stat_t
	return unix.Stat(fs.path(strconv.Itoa(pid), "task", strconv.Itoa(tid)), &st) == nil
}
