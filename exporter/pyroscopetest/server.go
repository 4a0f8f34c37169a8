package pyroscopetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/planflame/planflame/internal/loopback"
)

// Server is a running Pyroscope.
type Server struct {
	// URL is the server's address, http://127.0.0.1:port.
	URL string

	cmd *exec.Cmd
	log *lockedBuffer
}

// V2 are the arguments with which a server writes to and reads from its v2 storage; without them it
// is the older one.
var V2 = []string{"-write-path=segment-writer", "-enable-query-backend=true"}

// readyWithin bounds the wait for a server to start: 2 s were measured on an idle machine of two
// cores.
const readyWithin = 2 * time.Minute

// Start runs a server and waits until it is ready. args are added to its command line. Where the
// binary has not been built the test is skipped, and in CI (CI is set) fails; with -short it is
// skipped.
func Start(t testing.TB, args ...string) *Server {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a real Pyroscope: not with -short")
	}
	binary := binaryPath(t)
	dir := t.TempDir()
	ports, err := loopback.Ports(4)
	if err != nil {
		t.Fatal(err)
	}
	at := func(i int) string { return "127.0.0.1:" + strconv.Itoa(ports[i]) }
	s := &Server{URL: "http://" + at(0), log: &lockedBuffer{}}
	s.cmd = exec.Command(binary, append([]string{
		"-target=all",
		"-server.http-listen-address=127.0.0.1", "-server.http-listen-port=" + strconv.Itoa(ports[0]),
		"-server.grpc-listen-address=127.0.0.1", "-server.grpc-listen-port=" + strconv.Itoa(ports[1]),
		"-memberlist.bind-addr=127.0.0.1", "-memberlist.bind-port=" + strconv.Itoa(ports[2]), "-memberlist.advertise-addr=127.0.0.1",
		"-metastore.address=" + at(1), "-query-backend.address=" + at(1),
		"-metastore.raft.bind-address=" + at(3), "-metastore.raft.advertise-address=" + at(3), "-metastore.raft.server-id=" + at(3),
		"-metastore.data-dir=" + filepath.Join(dir, "metastore"),
		"-metastore.raft.dir=" + filepath.Join(dir, "raft"), "-metastore.raft.snapshots-dir=" + filepath.Join(dir, "raft"),
		"-compactor.ring.instance-addr=127.0.0.1", "-distributor.ring.instance-addr=127.0.0.1",
		"-overrides-exporter.ring.instance-addr=127.0.0.1", "-query-frontend.instance-addr=127.0.0.1",
		"-query-scheduler.ring.instance-addr=127.0.0.1", "-segment-writer.lifecycler.addr=127.0.0.1", "-ingester.lifecycler.addr=127.0.0.1",
		"-store-gateway.sharding-ring.instance-addr=127.0.0.1",
		"-ingester.min-ready-duration=0s", "-segment-writer.min-ready-duration=0s", "-metastore.min-ready-duration=0s",
		"-storage.backend=filesystem", "-storage.filesystem.dir=" + filepath.Join(dir, "storage"),
		"-pyroscopedb.data-path=" + filepath.Join(dir, "data"),
		"-self-profiling.disable-push=true",
		"-usage-stats.enabled=false",
		"-log.level=error",
	}, args...)...)
	s.cmd.Dir = dir
	s.cmd.Env = append(os.Environ(), "PYROSCOPE_V2=1")
	s.cmd.Stdout, s.cmd.Stderr = s.log, s.log
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := s.cmd.Start(); err != nil {
		t.Fatalf("start %s: %v", binary, err)
	}
	t.Cleanup(func() { s.stop(t) })
	ctx, cancel := context.WithTimeout(context.Background(), readyWithin)
	defer cancel()
	if err := Eventually(ctx, func() error { return s.ready(ctx) }); err != nil {
		t.Fatalf("Pyroscope is not ready within %s: %v\n%s", readyWithin, err, tail(s.log.lines()))
	}
	return s
}

// binaryPath finds build/tools/pyroscope above the working directory, or where PLANFLAME_PYROSCOPE
// says.
func binaryPath(t testing.TB) string {
	t.Helper()
	if p := os.Getenv("PLANFLAME_PYROSCOPE"); p != "" {
		return p
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != "/"; dir = filepath.Dir(dir) {
		p := filepath.Join(dir, "build", "tools", "pyroscope")
		if _, err := os.Stat(p); err == nil {
			return p
		}
	}
	const lacks = "build/tools/pyroscope is missing: run scripts/build-pyroscope"
	if os.Getenv("CI") != "" {
		t.Fatal(lacks)
	}
	t.Skip(lacks)
	return ""
}

func (s *Server) ready(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/ready", nil)
	if err != nil {
		return err
	}
	resp, err := httpClient.Do(req)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(resp.Body)
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("/ready: %s: %s", resp.Status, bytes.TrimSpace(body))
	}
	return nil
}

// httpClient keeps no connection, so that nothing is left running when a test ends.
var httpClient = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 10 * time.Second}

func (s *Server) stop(t testing.TB) {
	t.Helper()
	if err := s.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Errorf("stop Pyroscope: %v", err)
	}
	var exit *exec.ExitError
	if err := s.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Errorf("wait for Pyroscope: %v", err)
	}
	if t.Failed() {
		t.Logf("Pyroscope's last errors:\n%s", tail(s.log.errors()))
	}
}

// Eventually calls try until it returns nil or the context is over, and then returns its last
// error.
func Eventually(ctx context.Context, try func() error) error {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		err := try()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-tick.C:
		}
	}
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) lines() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Collect(strings.Lines(l.b.String()))
}

// errors are the lines that the server calls errors. Its consensus library writes a page at each
// start, whatever -log.level is: that would bury what failed.
func (l *lockedBuffer) errors() []string {
	return slices.DeleteFunc(l.lines(), func(line string) bool { return !strings.Contains(line, "level=error") })
}

// tail is the last ten lines.
func tail(lines []string) string { return strings.Join(lines[max(0, len(lines)-10):], "") }
