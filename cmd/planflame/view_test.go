package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// envAsPlanflame makes the test binary the command itself.
const envAsPlanflame = "PLANFLAME_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(envAsPlanflame) != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// command is planflame as a process of its own.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), exe, args...)
	cmd.Env = append(os.Environ(), envAsPlanflame+"=1", "HOME="+t.TempDir())
	return cmd
}

// viewedRun is a folder with the results of the recorded run.
func viewedRun(t *testing.T) results {
	t.Helper()
	out := results(t.TempDir())
	var file bytes.Buffer
	recordRun(t, &file, true)
	require.NoError(t, os.WriteFile(out.recording(), file.Bytes(), 0o644))
	captured(t, func() { require.NoError(t, execute("report", "--write", string(out))) })
	return out
}

func TestViewServesThePagesUntilItIsInterrupted(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(s.String(), func(t *testing.T) {
			cmd := command(t, "view", "--pprof", "--no-browser", "--http", "127.0.0.1:0", string(viewedRun(t)))
			stderr, err := cmd.StderrPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			address, said := "", ""
			lines := bufio.NewScanner(stderr)
			for address == "" && lines.Scan() {
				said += lines.Text() + "\n"
				if m := regexp.MustCompile(`http://127\.0\.0\.1:(\d+)$`).FindStringSubmatch(lines.Text()); m != nil {
					require.NotEqual(t, "0", m[1], "the port that was taken")
					address = m[0]
				}
			}
			require.NotEmpty(t, address, "no address in %q", said)
			for path, wants := range map[string][]string{
				"/":              {"Scan t", "inflate", "FileScanRDD"}, // leads to the flame graph
				"/flamegraph":    {"Scan t", "inflate", "FileScanRDD"},
				"/top":           {"Scan t", "inflate", "FileScanRDD"},
				"/top?f=inflate": {"Scan t"},
			} {
				status, body := get(t, address+path)
				require.Equal(t, http.StatusOK, status, path)
				for _, want := range wants {
					require.Contains(t, body, want, path)
				}
			}
			status, _ := get(t, address+"/no/such/page")
			require.Equal(t, http.StatusNotFound, status)

			require.NoError(t, cmd.Process.Signal(s))
			rest, err := io.ReadAll(stderr)
			require.NoError(t, err)
			require.NoError(t, cmd.Wait(), "exit code 0; it said %s%s", said, rest)
		})
	}
}

func TestViewRefusesWhatIsNoGrafana(t *testing.T) {
	for _, address := range []string{"javascript:alert(1)", "grafana.example", "https://", "https://grafana.example/?orgId=1", "https://grafana.example/#x"} {
		err := viewPage(t.Context(), viewedRun(t), "127.0.0.1:0", address, true)
		require.ErrorContains(t, err, fmt.Sprintf("--grafana %q", address))
	}
}

func TestViewServesThePageOfTheRecording(t *testing.T) {
	dir := viewedRun(t)
	cmd := command(t, "view", "--no-browser", "--http", "127.0.0.1:0", string(dir))
	stderr, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	said, err := bufio.NewReader(stderr).ReadString('\n')
	require.NoError(t, err)
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(said)
	require.NotEmpty(t, address, "%q", said)
	status, served := get(t, address+"/")
	require.Equal(t, http.StatusOK, status)
	written, err := os.ReadFile(dir.page())
	require.NoError(t, err)
	require.Equal(t, string(written), served, "report.html is what is served")
	require.Regexp(t, `id="recording">[A-Za-z0-9+/]{1000,}`, served)
	rebound, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/", nil)
	require.NoError(t, err)
	rebound.Host = "page.example:80"
	refused, err := http.DefaultClient.Do(rebound)
	require.NoError(t, err)
	require.NoError(t, refused.Body.Close())
	require.Equal(t, http.StatusForbidden, refused.StatusCode, "a name of another site that leads to this machine")
	status, _ = get(t, address+"/no/such/page")
	require.Equal(t, http.StatusNotFound, status)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, cmd.Wait(), "exit code 0")
}

// The recording is a pipe, so reading it never ends.
func TestViewIsInterruptedWhileItReads(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(s.String(), func(t *testing.T) {
			dir := results(t.TempDir())
			require.NoError(t, unix.Mkfifo(dir.recording(), 0o600))
			cmd := command(t, "view", "--no-browser", "--http", "127.0.0.1:0", string(dir))
			require.NoError(t, cmd.Start())
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			var pipe *os.File
			require.Eventually(t, func() bool {
				var err error
				pipe, err = os.OpenFile(dir.recording(), os.O_WRONLY|unix.O_NONBLOCK, 0)
				return err == nil // else no one reads it yet
			}, time.Minute, 10*time.Millisecond)
			defer pipe.Close()
			require.NoError(t, cmd.Process.Signal(s))
			select {
			case err := <-ended:
				require.NoError(t, err, "exit code 0")
			case <-time.After(time.Minute):
				require.Fail(t, "it reads on")
			}
		})
	}
}

func TestViewOfNoPage(t *testing.T) {
	empty, garbled, whole := results(t.TempDir()), results(t.TempDir()), viewedRun(t)
	require.NoError(t, os.WriteFile(garbled.recording(), []byte("no recording"), 0o644))
	for name, test := range map[string]struct {
		dir  string
		says string
	}{
		"no folder":       {"/no/such/folder", "view: folder of results: stat /no/such/folder: no such file or directory"},
		"a file":          {whole.summary(), "view: " + whole.summary() + " is not a folder: give the --out of planflame run"},
		"an empty folder": {string(empty), "view: " + string(empty) + " holds no results of planflame run: stat " + empty.recording()},
		"no recording":    {string(garbled), "view: " + garbled.recording() + ": "},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := command(t, "view", "--no-browser", test.dir).CombinedOutput()
			var exit *exec.ExitError
			require.ErrorAs(t, err, &exit, "%s", out)
			require.Equal(t, usageCode, exit.ExitCode())
			require.Contains(t, string(out), test.says)
		})
	}
}

func get(t *testing.T, url string) (status int, body string) {
	t.Helper()
	client := http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Get(url)
	require.NoError(t, err)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(b)
}

func TestViewOfWhatCannotBeShown(t *testing.T) {
	empty, cut, garbled, whole := results(t.TempDir()), results(t.TempDir()), results(t.TempDir()), viewedRun(t)
	require.NoError(t, os.WriteFile(cut.recording(), nil, 0o644))
	require.NoError(t, os.WriteFile(garbled.profile(), []byte("no profile"), 0o644))
	taken, err := startListener(t)
	require.NoError(t, err)
	for name, test := range map[string]struct {
		args []string
		says string
	}{
		"no folder":         {[]string{"/no/such/folder"}, "view: folder of results: stat /no/such/folder: no such file or directory"},
		"a file":            {[]string{whole.summary()}, "view: " + whole.summary() + " is not a folder: give the --out of planflame run"},
		"an empty folder":   {[]string{string(empty)}, "view: " + string(empty) + " holds no results of planflame run: open " + empty.profile()},
		"a recording alone": {[]string{string(cut)}, "has a recording but no profile: planflame report --write " + string(cut)},
		"no profile":        {[]string{string(garbled)}, "view: " + garbled.profile() + ": "},
		"no port":           {[]string{"--http", "localhost", string(whole)}, `--http "localhost": address localhost: missing port in address`},
		"odd port":          {[]string{"--http", "localhost:odd", string(whole)}, `--http "localhost:odd": `},
		"port in use":       {[]string{"--http", taken, string(whole)}, "address already in use"},
		"no argument":       {nil, "view: no DIR was given, and there is no last run in planflame-out here"},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := command(t, append([]string{"view", "--pprof", "--no-browser"}, test.args...)...).CombinedOutput()
			var exit *exec.ExitError
			require.ErrorAs(t, err, &exit, "%s", out)
			require.Equal(t, usageCode, exit.ExitCode())
			require.Contains(t, string(out), test.says)
			require.Equal(t, 1, strings.Count(string(out), "\n"), "one line: %q", out)
		})
	}
}

// startListener takes a port and returns its address.
func startListener(t *testing.T) (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	t.Cleanup(func() { require.NoError(t, l.Close()) })
	return l.Addr().String(), nil
}
