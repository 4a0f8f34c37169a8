package config_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/exporter/pyroscopetest"
)

// endWithin is how long a Collector may take to end.
const endWithin = 5 * time.Second

// TestShutdownWithASilentServer: a Collector of the shipped configuration whose server accepts and
// never answers ends in time. Nothing is lost: the next one delivers what the queue on disk holds.
func TestShutdownWithASilentServer(t *testing.T) {
	server := pyroscopetest.Start(t)
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, silent.Close()) }()
	queue := t.TempDir()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()

	first := startCollector(t, ctx, queue, "http://"+silent.Addr().String())
	const profiles, nanos = 40, 3_000_000 // ten times as many as are pushed at once
	for range profiles {
		first.send(t, ctx, nanos)
	}
	conn, err := silent.Accept() // a push is under way
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close()) }()
	began := time.Now()
	require.NoError(t, first.cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, <-first.done, "%s", first.log)
	took := time.Since(began)
	t.Logf("ended after %s", took)
	assert.Less(t, took, endWithin)

	second := startCollector(t, ctx, queue, server.URL)
	query := pyroscopetest.Query{Type: pyroscopetest.CPU, Selector: `{service_name="nightly"}`}
	require.NoError(t, pyroscopetest.Eventually(ctx, func() error {
		total, _, err := server.FlameGraph(ctx, query)
		if err == nil && total != profiles*nanos {
			err = fmt.Errorf("total %d, want %d", total, profiles*nanos)
		}
		return err
	}), "%s", second.log)
}

// A Collector under systemd stalls, because no one reads its log and its rounds wait in writing to
// it. Status, liveness and the watchdog show it.
func TestStalledRounds(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute: not with -short")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	socket := filepath.Join(t.TempDir(), "notify")
	manager, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	require.NoError(t, err)
	defer func() { require.NoError(t, manager.Close()) }()
	told := messages(t, manager)

	ready, live := "127.0.0.1:"+strconv.Itoa(freePort(t)), "127.0.0.1:"+strconv.Itoa(freePort(t))
	binary, err := filepath.Abs("../build/planflame-collector")
	require.NoError(t, err)
	if _, err := os.Stat(binary); err != nil {
		lacks(t, "build/planflame-collector: run scripts/build-collector")
	}
	// It looks at nothing but the processes that this test starts, and logs each line, equal ones
	// too.
	only := fmt.Sprintf(`yaml:{receivers: {spark_profile: {include: [{uid: [%d]}]}}, service: {telemetry: {logs: {sampling: {enabled: false}}}}}`, strangerUID())
	cmd := exec.CommandContext(ctx, binary, "--config", "collector.yaml", "--config", only)
	cmd.Env = append(os.Environ(), "PLANFLAME_QUEUE_DIR="+t.TempDir(), "PLANFLAME_HEALTH_ENDPOINT="+ready, "PLANFLAME_LIVE_ENDPOINT="+live,
		"PLANFLAME_METRICS_PORT="+strconv.Itoa(freePort(t)), "NOTIFY_SOCKET="+socket, "WATCHDOG_USEC=1000000")
	log := startWithPipe(t, cmd)

	awaitMessage(t, told, regexp.MustCompile(`^READY=1\nSTATUS=all components are well$`))
	awaitMessage(t, told, regexp.MustCompile(`^WATCHDOG=1$`))
	awaitStatus(t, ready, http.StatusOK, `"healthy":true`)
	awaitStatus(t, live, http.StatusOK, `"healthy":true`)

	parked, release, err := os.Pipe()
	require.NoError(t, err)
	for range 40 {
		startStranger(t, ctx, parked)
	}
	require.NoError(t, parked.Close())
	log.pause()
	// Each is refused with a line in the log: so many that the pipe, of one page, is full.
	require.NoError(t, release.Close())
	awaitStatus(t, ready, http.StatusInternalServerError, "no sampling round ended for 15s")
	awaitStatus(t, live, http.StatusOK, `"healthy":true`)
	awaitMessage(t, told, regexp.MustCompile(`^STATUS=receiver spark_profile: no sampling round ended for 15s`))
	awaitMessage(t, told, regexp.MustCompile(`^WATCHDOG=1$`))
	awaitStatus(t, live, http.StatusInternalServerError, "no sampling round ended for 30s")
	awaitMessage(t, told, regexp.MustCompile(`^STATUS=receiver spark_profile: no sampling round ended for 30s`))
	select {
	case got := <-told:
		assert.Fail(t, "the watchdog is fed", got)
	case <-time.After(3 * time.Second): // six times the time between two
	}

	// It still ends in time when its log is read again.
	log.resume()
	began := time.Now()
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	awaitMessage(t, told, regexp.MustCompile(`^STOPPING=1\nSTATUS=stopping$`))
	_ = cmd.Wait() // its exit code tells what it could not deliver
	assert.Less(t, time.Since(began), endWithin)
}

// strangerUID is a user that owns no other process, if this one may start some of it.
func strangerUID() int {
	if os.Geteuid() == 0 {
		return 954_321
	}
	return os.Geteuid()
}

// startStranger starts a process that has memory of an agent's name, but not its form, from when
// parked is at its end.
func startStranger(t *testing.T, ctx context.Context, parked *os.File) {
	t.Helper()
	cmd := exec.CommandContext(ctx, "/proc/self/exe")
	cmd.Env = append(os.Environ(), strangerVariable+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if os.Geteuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(strangerUID()), Gid: uint32(strangerUID())}
	}
	cmd.Stdin = parked
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	_, err = io.ReadFull(out, make([]byte, 1)) // it has started
	require.NoError(t, err)
}

const strangerVariable = "PLANFLAME_TEST_STRANGER"

func TestMain(m *testing.M) {
	if os.Getenv(strangerVariable) != "" {
		stranger()
	}
	os.Exit(m.Run())
}

// stranger waits for the end of its input, maps memory of the names that a planflame agent's has,
// and waits to be killed.
func stranger() {
	_, _ = os.Stdout.Write([]byte{'\n'})
	_, _ = os.Stdin.Read(make([]byte, 1))
	for _, name := range []string{"planflame-log", "planflame-control"} {
		fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC)
		if err == nil {
			err = unix.Ftruncate(fd, 4096)
		}
		if err == nil {
			_, err = unix.Mmap(fd, 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, name, err)
			os.Exit(1)
		}
	}
	select {}
}

// pipedLog reads a process's log through a pipe of one page, until it is told not to.
type pipedLog struct {
	mu   sync.Mutex // held while it is paused
	text output
}

func (l *pipedLog) pause()  { l.mu.Lock() }
func (l *pipedLog) resume() { l.mu.Unlock() }

func startWithPipe(t *testing.T, cmd *exec.Cmd) *pipedLog {
	t.Helper()
	from, to, err := os.Pipe()
	require.NoError(t, err)
	_, err = unix.FcntlInt(to.Fd(), unix.F_SETPIPE_SZ, os.Getpagesize())
	require.NoError(t, err)
	cmd.Stdout, cmd.Stderr = to, to
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	require.NoError(t, cmd.Start())
	require.NoError(t, to.Close())
	l := &pipedLog{}
	var done sync.WaitGroup
	done.Go(func() {
		buf := make([]byte, 512)
		for {
			l.mu.Lock()
			//lint:ignore SA2001 it waits for the end of a pause, and holds nothing while it reads
			l.mu.Unlock()
			n, err := from.Read(buf)
			_, _ = l.text.Write(buf[:n])
			if err != nil {
				return
			}
		}
	})
	t.Cleanup(func() {
		if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Errorf("stop the Collector: %v", err)
		}
		if l.mu.TryLock() { // or the reader has it
			l.mu.Unlock()
		}
		if t.Failed() {
			t.Logf("the Collector's log:\n%s", l.text.String())
		}
		_ = from.Close()
	})
	return l
}

// messages are those that systemd would get, read as they come.
func messages(t *testing.T, manager *net.UnixConn) <-chan string {
	t.Helper()
	all := make(chan string, 10_000)
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := manager.Read(buf)
			if err != nil {
				return // closed
			}
			all <- string(buf[:n])
		}
	}()
	return all
}

// awaitMessage takes messages to systemd until one is as wanted.
func awaitMessage(t *testing.T, all <-chan string, want *regexp.Regexp) {
	t.Helper()
	late := time.After(time.Minute)
	for {
		select {
		case got := <-all:
			if want.MatchString(got) {
				return
			}
		case <-late:
			require.Fail(t, "no message to systemd", "%s", want)
		}
	}
}

// awaitStatus asks a health endpoint until it answers as wanted.
func awaitStatus(t *testing.T, address string, code int, says string) {
	t.Helper()
	var last string
	require.Eventually(t, func() bool {
		resp, err := http.Get("http://" + address + "/")
		if err != nil {
			return false
		}
		body, err := io.ReadAll(resp.Body)
		if err := errors.Join(err, resp.Body.Close()); err != nil {
			return false
		}
		last = resp.Status + " " + string(body)
		return resp.StatusCode == code && strings.Contains(string(body), says)
	}, time.Minute, 100*time.Millisecond, "want %d and %q", code, says)
	t.Log(address, last)
}
