// Command confine runs a program under restrictions that this machine does not have itself: what a
// container, another distribution or another user would find. The end-to-end tests of permissions
// start planflame and Spark through it. It needs root for all but -refuse and -memlock, and changes
// nothing outside of the program that it starts. It becomes that program: pid, exit code and
// signals are its own. With -pidns it waits for it and passes the exit code on.
//
//	confine [flags] -- COMMAND [ARGUMENT...]
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// restrictions are the flags.
type restrictions struct {
	refuse  list
	sysctls list
	tmpfs   string
	pidns   bool
	memlock int64
	caps    capabilitySet
	noNew   bool
	uid     int
	name    string
	root    string
	seccomp string
}

// list is a flag that may be given more than once.
type list []string

func (l *list) String() string     { return strings.Join(*l, " ") }
func (l *list) Set(v string) error { *l = append(*l, v); return nil }

func main() {
	if err := run(); err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			os.Exit(exit.ExitCode())
		}
		fmt.Fprintf(os.Stderr, "confine: %v\n", err)
		os.Exit(125)
	}
}

func run() error {
	r := restrictions{}
	flag.Var(&r.refuse, "refuse", "system call that a seccomp filter refuses, and how: perf_event_open=EPERM")
	flag.Var(&r.sysctls, "sysctl", "value that /proc/sys shows, in a mount namespace of its own: kernel.perf_event_paranoid=4; the kernel itself does not follow")
	flag.StringVar(&r.tmpfs, "tmpfs", "", "folder that holds an empty file system that no one outside sees")
	flag.BoolVar(&r.pidns, "pidns", false, "a pid and mount namespace of its own, with its own /proc")
	flag.Int64Var(&r.memlock, "memlock", -1, "RLIMIT_MEMLOCK in bytes")
	flag.Var(&r.caps, "caps", "capabilities that the program has, and no others: PERFMON,SYS_PTRACE; ambient unless its user is root")
	flag.BoolVar(&r.noNew, "no-new-privs", false, "no program that it starts can gain privileges")
	flag.IntVar(&r.uid, "uid", -1, "user and group")
	flag.StringVar(&r.name, "user", "", "name that /etc/passwd has for -uid, in a mount namespace of its own: Hadoop wants one")
	flag.StringVar(&r.root, "root", "", "folder that is the whole file system, with this machine's /proc in it, as in a container of the host's pid namespace")
	flag.StringVar(&r.seccomp, "seccomp", "", "seccomp profile as a container runtime reads it, which decides of every system call")
	flag.Parse()
	if flag.NArg() == 0 {
		return errors.New("no command")
	}
	if r.pidns && os.Getpid() != 1 {
		return inNewPIDNamespace()
	}
	// Namespaces, credentials and filters belong to a thread; exec keeps the ones of the thread
	// that calls it.
	runtime.LockOSThread()
	if err := r.apply(); err != nil {
		return err
	}
	path, err := exec.LookPath(flag.Arg(0))
	if err != nil {
		return err
	}
	return fmt.Errorf("exec %s: %w", path, syscall.Exec(path, flag.Args(), os.Environ()))
}

// inNewPIDNamespace runs this program again as pid 1 of a namespace.
func inNewPIDNamespace() error {
	cmd := exec.Command("/proc/self/exe", os.Args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWPID, Pdeathsig: syscall.SIGKILL}
	return cmd.Run()
}

// apply restricts the calling thread; mounts come first, for they need what later steps take away.
func (r *restrictions) apply() error {
	if err := r.mounts(); err != nil {
		return err
	}
	if r.memlock >= 0 {
		limit := unix.Rlimit{Cur: uint64(r.memlock), Max: uint64(r.memlock)}
		if err := unix.Setrlimit(unix.RLIMIT_MEMLOCK, &limit); err != nil {
			return fmt.Errorf("-memlock %d: %w", r.memlock, err)
		}
	}
	if r.caps != nil {
		if err := r.caps.drop(); err != nil {
			return err
		}
	}
	if r.uid >= 0 {
		if err := errors.Join(syscall.Setgroups(nil), syscall.Setgid(r.uid), syscall.Setuid(r.uid)); err != nil {
			return fmt.Errorf("-uid %d: %w", r.uid, err)
		}
	}
	if r.caps != nil {
		if err := r.caps.keep(); err != nil {
			return err
		}
	}
	if r.noNew {
		if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
			return fmt.Errorf("-no-new-privs: %w", err)
		}
	}
	if len(r.refuse) > 0 {
		if err := r.filter(); err != nil {
			return err
		}
	}
	if r.seccomp != "" {
		return load(r.seccomp)
	}
	return nil
}
