package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// kernelSysctls is where the values of kernel.* are shown.
const kernelSysctls = "/proc/sys/kernel"

// mounts gives the calling thread the file systems that were asked for.
func (r *restrictions) mounts() error {
	if !r.pidns && r.tmpfs == "" && r.name == "" && r.root == "" && len(r.sysctls) == 0 {
		return nil
	}
	if err := unix.Unshare(unix.CLONE_NEWNS); err != nil {
		return fmt.Errorf("unshare the mount namespace: %w", err)
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	if r.pidns {
		if err := unix.Mount("proc", "/proc", "proc", 0, ""); err != nil {
			return fmt.Errorf("mount /proc: %w", err)
		}
	}
	if r.tmpfs != "" {
		if err := unix.Mount("tmpfs", r.tmpfs, "tmpfs", 0, "mode=1777"); err != nil {
			return fmt.Errorf("-tmpfs %s: %w", r.tmpfs, err)
		}
	}
	if r.name != "" {
		if err := r.nameUser(); err != nil {
			return fmt.Errorf("-user %s: %w", r.name, err)
		}
	}
	if len(r.sysctls) > 0 {
		if err := r.showSysctls(); err != nil {
			return err
		}
	}
	if r.root != "" {
		return r.enterRoot()
	}
	return nil
}

// enterRoot makes a folder the root of the file system.
func (r *restrictions) enterRoot() error {
	proc := filepath.Join(r.root, "proc")
	if err := os.MkdirAll(proc, 0o755); err != nil {
		return err
	}
	if err := unix.Mount("/proc", proc, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("mount /proc in -root %s: %w", r.root, err)
	}
	if err := unix.Chroot(r.root); err != nil {
		return fmt.Errorf("-root %s: %w", r.root, err)
	}
	return os.Chdir("/")
}

// showSysctls covers /proc/sys/kernel with a copy of what can be read of it, and the values asked
// for. Only kernel.* can be shown.
func (r *restrictions) showSysctls() error {
	files := map[string]string{}
	entries, err := os.ReadDir(kernelSysctls)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if b, err := os.ReadFile(filepath.Join(kernelSysctls, e.Name())); err == nil { // folders and what may only be written are left out
			files[e.Name()] = string(b)
		}
	}
	for _, s := range r.sysctls {
		name, value, ok := strings.Cut(s, "=")
		file, kernel := strings.CutPrefix(name, "kernel.")
		if !ok || !kernel {
			return fmt.Errorf("-sysctl %s: not kernel.NAME=VALUE", s)
		}
		files[strings.ReplaceAll(file, ".", "/")] = value + "\n"
	}
	if err := unix.Mount("tmpfs", kernelSysctls, "tmpfs", 0, "mode=0755"); err != nil {
		return fmt.Errorf("cover %s: %w", kernelSysctls, err)
	}
	for name, value := range files {
		path := filepath.Join(kernelSysctls, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(value), 0o444); err != nil {
			return err
		}
	}
	return nil
}

// nameUser covers /etc/passwd with one that knows the user, as the entry point of Spark's image
// does.
func (r *restrictions) nameUser() error {
	const passwd = "/etc/passwd"
	text, err := os.ReadFile(passwd)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp("", "confine-passwd-")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }() // the mount keeps it
	_, err = fmt.Fprintf(f, "%s%s:x:%d:%d::/nonexistent:/bin/false\n", text, r.name, r.uid, r.uid)
	if err := errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return unix.Mount(f.Name(), passwd, "", unix.MS_BIND, "")
}
