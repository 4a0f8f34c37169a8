package systemd

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componentstatus"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// manager is systemd's end of the socket.
type manager struct {
	t    *testing.T
	conn *net.UnixConn
}

// newManager listens as systemd does. watchdog is WatchdogSec, 0 for none.
func newManager(t *testing.T, watchdog time.Duration) *manager {
	t.Helper()
	path := filepath.Join(t.TempDir(), "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close()) })
	t.Setenv("NOTIFY_SOCKET", path)
	if watchdog > 0 {
		t.Setenv("WATCHDOG_USEC", strconv.FormatInt(watchdog.Microseconds(), 10))
		t.Setenv("WATCHDOG_PID", strconv.Itoa(os.Getpid()))
	}
	return &manager{t: t, conn: conn}
}

// next is the next message, which comes within the time.
func (m *manager) next(within time.Duration) (string, bool) {
	m.t.Helper()
	require.NoError(m.t, m.conn.SetReadDeadline(time.Now().Add(within)))
	buf := make([]byte, 4096)
	n, err := m.conn.Read(buf)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return "", false
	}
	require.NoError(m.t, err)
	return string(buf[:n]), true
}

func (m *manager) want(text string) {
	m.t.Helper()
	got, ok := m.next(10 * time.Second)
	require.True(m.t, ok, "no message, want %q", text)
	assert.Equal(m.t, text, got)
}

var (
	profiler = componentstatus.NewInstanceID(component.MustNewID("spark_profile"), component.KindReceiver)
	pusher   = componentstatus.NewInstanceID(component.MustNewID("pyroscope"), component.KindExporter)
)

func started(t *testing.T) *notifier {
	t.Helper()
	n := newNotifier(zap.NewNop())
	require.NoError(t, n.Start(context.Background(), componenttest.NewNopHost()))
	t.Cleanup(func() { require.NoError(t, n.Shutdown(context.Background())) })
	return n
}

func TestLifeOfAService(t *testing.T) {
	m := newManager(t, 0)
	n := started(t)
	n.ComponentStatusChanged(profiler, componentstatus.NewEvent(componentstatus.StatusOK))
	require.NoError(t, n.Ready())
	m.want("READY=1\nSTATUS=all components are well")

	n.ComponentStatusChanged(profiler, componentstatus.NewRecoverableErrorEvent(errors.New("none of 3 JVMs\ncan be read")))
	m.want("STATUS=receiver spark_profile: none of 3 JVMs can be read")
	n.ComponentStatusChanged(pusher, componentstatus.NewPermanentErrorEvent(errors.New("no such host")))
	m.want("STATUS=exporter pyroscope: no such host")
	n.ComponentStatusChanged(profiler, componentstatus.NewEvent(componentstatus.StatusOK)) // the worst is the same
	n.ComponentStatusChanged(pusher, componentstatus.NewEvent(componentstatus.StatusStopping))
	m.want("STATUS=all components are well")

	require.NoError(t, n.NotReady())
	m.want("STOPPING=1\nSTATUS=stopping")
	n.ComponentStatusChanged(profiler, componentstatus.NewPermanentErrorEvent(errors.New("last window lost")))
	_, ok := m.next(50 * time.Millisecond)
	assert.False(t, ok, "nothing is told beside the end, and no watchdog without WatchdogSec")
}

// A reload is no end of the service.
func TestReload(t *testing.T) {
	m := newManager(t, 0)
	n := started(t)
	require.NoError(t, n.Ready())
	m.want("READY=1\nSTATUS=all components are well")
	require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGHUP))
	require.Eventually(t, func() bool { return len(n.reloads) > 0 }, 10*time.Second, time.Millisecond)
	require.NoError(t, n.NotReady())
	got, ok := m.next(10 * time.Second)
	require.True(t, ok)
	assert.Regexp(t, regexp.MustCompile(`^RELOADING=1\nMONOTONIC_USEC=\d+\nSTATUS=reloading$`), got)
}

// The watchdog is fed while no component needs a restart, and before the pipelines run.
func TestWatchdog(t *testing.T) {
	m := newManager(t, 40*time.Millisecond)
	n := started(t)
	m.want("WATCHDOG=1")
	require.NoError(t, n.Ready())
	fed := func(within time.Duration) bool {
		for end := time.Now().Add(within); time.Now().Before(end); {
			if got, ok := m.next(within); ok && got == "WATCHDOG=1" {
				return true
			}
		}
		return false
	}
	drain := func(quiet time.Duration) {
		for {
			if _, ok := m.next(quiet); !ok {
				return
			}
		}
	}
	n.ComponentStatusChanged(profiler, componentstatus.NewRecoverableErrorEvent(errors.New("none of 3 JVMs can be read")))
	drain(time.Millisecond)
	assert.True(t, fed(10*time.Second), "a restart brings no rights")
	n.ComponentStatusChanged(profiler, componentstatus.NewPermanentErrorEvent(errors.New("no round")))
	drain(200 * time.Millisecond) // what was under way
	assert.False(t, fed(200*time.Millisecond), "ten times the time between two")
	require.NoError(t, n.NotReady())
	assert.True(t, fed(10*time.Second), "while it ends")
}

// Without systemd nothing is sent and nothing said; a socket that is not there is said once.
func TestWithoutSystemd(t *testing.T) {
	for socket, says := range map[string]int{"": 0, filepath.Join(t.TempDir(), "none"): 1} {
		t.Setenv("NOTIFY_SOCKET", socket)
		core, logs := observer.New(zap.InfoLevel)
		n := newNotifier(zap.New(core))
		require.NoError(t, n.Start(context.Background(), componenttest.NewNopHost()))
		require.NoError(t, n.Ready())
		require.NoError(t, n.NotReady())
		require.NoError(t, n.Shutdown(context.Background()))
		require.NoError(t, n.Shutdown(context.Background()), "a second time")
		assert.Equal(t, says, logs.Len(), "%v", logs.All())
	}
}

// A systemd that does not read keeps neither who reports a status nor the shutdown.
func TestSilentSystemd(t *testing.T) {
	newManager(t, 0)
	n := newNotifier(zap.NewNop())
	require.NoError(t, n.Start(context.Background(), componenttest.NewNopHost()))
	require.NoError(t, n.Ready())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 2000 { // more than the kernel and the outbox hold
			n.ComponentStatusChanged(profiler, componentstatus.NewRecoverableErrorEvent(errors.New(strconv.Itoa(i))))
		}
		assert.NoError(t, n.Shutdown(context.Background()))
	}()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("it waits for systemd")
	}
}

func TestBadWatchdog(t *testing.T) {
	t.Setenv("WATCHDOG_USEC", "soon")
	err := newNotifier(zap.NewNop()).Start(context.Background(), componenttest.NewNopHost())
	assert.ErrorContains(t, err, "WATCHDOG_USEC")
}
