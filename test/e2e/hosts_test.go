//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netns"
)

// host is a machine of its own as far as processes, network and name go: it has namespaces for
// them, which a sleeping process holds.
type host struct {
	name    string
	pid     int    // of the sleeping process
	address string // on the link to the test's network
	outside net.IP // the other end of the link
	cable   string // name of the interface at that end
}

// newHost makes a host with a link to the test's network, the n-th of this test. It needs root.
func newHost(t *testing.T, name string, n int) *host {
	t.Helper()
	h := &host{name: name}
	ctx, cancel := context.WithCancel(context.Background())
	init := exec.CommandContext(ctx, "/bin/sh", "-c", "mount -t proc proc /proc && echo $0 >/proc/sys/kernel/hostname && exec sleep infinity", name)
	init.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Unshareflags: syscall.CLONE_NEWNS,
		Cloneflags: syscall.CLONE_NEWPID | syscall.CLONE_NEWNET | syscall.CLONE_NEWUTS}
	log := &logBuffer{}
	init.Stdout, init.Stderr = log, log
	require.NoError(t, init.Start())
	h.pid = init.Process.Pid
	done := make(chan struct{})
	go func() { _ = init.Wait(); close(done) }()
	t.Cleanup(func() { // the end of a namespace's first process is the end of all of them, and of the link
		cancel()
		<-done
	})
	h.link(t, n)
	eventually(t, 10*time.Second, func() error {
		out, err := h.command(ctx, rootUser, "/", "cat", "/proc/1/comm").Output()
		if err == nil && string(out) != "sleep\n" {
			err = fmt.Errorf("process 1 is %q; %s", out, log)
		}
		return err
	})
	return h
}

// link joins the host to the test's network by a pair of interfaces with addresses of
// 198.18.0.0/15, which are for tests (RFC 2544).
func (h *host) link(t *testing.T, n int) {
	t.Helper()
	third, fourth := byte(os.Getpid()), byte(4*n)
	h.outside = net.IPv4(198, 18, third, fourth+1)
	inside := net.IPv4(198, 18, third, fourth+2)
	h.address = inside.String()
	attrs := netlink.NewLinkAttrs()
	attrs.Name = fmt.Sprintf("pf%d-%d", os.Getpid()%1_000_000, n)
	h.cable = attrs.Name
	require.NoError(t, netlink.LinkAdd(&netlink.Veth{LinkAttrs: attrs, PeerName: "eth0", PeerNamespace: netlink.NsPid(h.pid)}))
	here, err := netlink.NewHandle()
	require.NoError(t, err)
	defer here.Close()
	up(t, here, attrs.Name, h.outside)
	space, err := netns.GetFromPid(h.pid)
	require.NoError(t, err)
	defer space.Close()
	there, err := netlink.NewHandleAt(space)
	require.NoError(t, err)
	defer there.Close()
	up(t, there, "eth0", inside)
	up(t, there, "lo", nil)
}

// plug pulls the host's cable, or puts it back.
func (h *host) plug(t *testing.T, in bool) {
	t.Helper()
	l, err := netlink.LinkByName(h.cable)
	require.NoError(t, err, h.cable)
	if in {
		require.NoError(t, netlink.LinkSetUp(l))
		return
	}
	require.NoError(t, netlink.LinkSetDown(l))
}

// up gives an interface an address, unless it is nil, and switches it on.
func up(t *testing.T, h *netlink.Handle, name string, address net.IP) {
	t.Helper()
	l, err := h.LinkByName(name)
	require.NoError(t, err, name)
	if address != nil {
		require.NoError(t, h.AddrAdd(l, &netlink.Addr{IPNet: &net.IPNet{IP: address, Mask: net.CIDRMask(30, 32)}}))
	}
	require.NoError(t, h.LinkSetUp(l))
}

// enter is what has to stand before a command that shall run on the host.
func (h *host) enter() []string {
	return []string{"nsenter", "--target", strconv.Itoa(h.pid), "--mount", "--pid", "--net", "--uts", "--"}
}

// command prepares a process on the host.
func (h *host) command(ctx context.Context, u user, dir, name string, args ...string) *exec.Cmd {
	all := append(append(h.enter()[1:], name), args...)
	return u.command(ctx, dir, h.enter()[0], all...)
}

// stopBehind stops a Collector on a host. Its parent, nsenter, is what the test has started, and
// ends as it does.
func stopBehind(t *testing.T, c *collector) {
	t.Helper()
	parent := strconv.Itoa(c.cmd.Process.Pid)
	child, err := os.ReadFile(filepath.Join("/proc", parent, "task", parent, "children"))
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(child)))
	require.NoError(t, err)
	require.NoError(t, syscall.Kill(pid, syscall.SIGTERM))
	err = <-c.done
	c.done <- err
	c.endedWell(t, err)
}
