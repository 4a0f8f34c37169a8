package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/google/pprof/driver"
	"github.com/google/pprof/profile"
	"github.com/spf13/cobra"
)

const viewLong = `Serves the page of DIR/recording until you interrupt it; the exit code is then 0. Without DIR it
takes the last run in planflame-out. DIR/report.html is the same page without a server.

--pprof serves google/pprof's web page for DIR/profile.pb.gz. Its flame graph shows operators as
frames; Refine and Tag focus take the labels query, stage and operator.`

func newView() *cobra.Command {
	var address, grafana string
	var noBrowser, pprof bool
	cmd := &cobra.Command{
		Use: "view [DIR]", Short: "Open a run's page: plan, activity, flame graph and code", Long: viewLong, Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			out, err := lastRun(args)
			if err != nil {
				return fmt.Errorf("view: %w", err)
			}
			ctx, stop := signal.NotifyContext(orBackground(cmd.Context()), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			if !pprof {
				return viewPage(ctx, out, address, grafana, noBrowser)
			}
			// pprof takes a profile that it does not know for none, and names what it tried: look
			// first.
			path, err := viewable(out)
			if err != nil {
				return fmt.Errorf("view: %w", err)
			}
			return view(ctx, path, address, noBrowser)
		},
	}
	cmd.Flags().StringVar(&address, "http", "localhost:0", "address to serve on, host:port; port 0 takes a free one")
	cmd.Flags().BoolVar(&noBrowser, "no-browser", false, "only print the address")
	cmd.Flags().StringVar(&grafana, "grafana", "", "URL of a Grafana with planflame's dashboards, which the page links to")
	cmd.Flags().BoolVar(&pprof, "pprof", false, "serve google/pprof's page instead")
	cmd.MarkFlagsMutuallyExclusive("grafana", "pprof")
	return cmd
}

// view serves pprof's page for a profile until ctx ends.
func view(ctx context.Context, path, address string, noBrowser bool) error {
	// pprof prints the address that it is given, so the port is taken before.
	listener, host, bound, err := listen(address)
	if err != nil {
		return err
	}
	// A profile holds the whole process, in which an operator of a short query is less than the
	// half per cent below which pprof hides.
	args := []string{"-nodefraction=0.0001", "-edgefraction=0.0001", "-http=" + bound, path}
	if noBrowser {
		args = append([]string{"-no_browser"}, args...)
	}
	err = driver.PProf(&driver.Options{
		Flagset:    newFlagSet(args),
		HTTPServer: func(pages *driver.HTTPServerArgs) error { return servePages(ctx, listener, host, pages) },
	})
	if closed := listener.Close(); err == nil && closed != nil && !errors.Is(closed, net.ErrClosed) {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("view %s: %w", path, err)
	}
	return nil
}

// listen takes the port of an address and returns its host, and the address that a browser takes.
func listen(address string) (l net.Listener, host, bound string, err error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, "", "", fmt.Errorf("--http %q: %w", address, err)
	}
	host = cmp.Or(host, "localhost")
	l, err = net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, "", "", fmt.Errorf("--http %q: %w", address, err)
	}
	return l, host, net.JoinHostPort(host, fmt.Sprint(l.Addr().(*net.TCPAddr).Port)), nil
}

// viewable returns the path of a folder's profile, or says what the folder lacks and how to get it.
func viewable(dir results) (string, error) {
	if info, err := os.Stat(string(dir)); err != nil {
		return "", fmt.Errorf("folder of results: %w", err)
	} else if !info.IsDir() {
		return "", fmt.Errorf("%s is not a folder: give the --out of planflame run", dir)
	}
	path := dir.profile()
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, noRecording := os.Stat(dir.recording()); noRecording == nil {
			return "", fmt.Errorf("%s has a recording but no profile: planflame report --write %s computes it", dir, dir)
		}
		return "", fmt.Errorf("%s holds no results of planflame run: %w", dir, err)
	}
	if err != nil {
		return "", err
	}
	defer file.Close()
	if _, err := profile.Parse(file); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return path, nil
}
