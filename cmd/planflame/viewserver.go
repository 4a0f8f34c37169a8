package main

import (
	"context"
	"errors"
	"flag"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/google/pprof/driver"
)

// closeLimit is how long an open request may keep a page server that was asked to end.
const closeLimit = time.Second

// servePages serves pprof's pages on a listener until ctx ends, which is no error. pprof's own
// server cannot be ended but by a signal that kills the process. As there, a server on a loopback
// name answers this machine alone.
func servePages(ctx context.Context, l net.Listener, host string, pages *driver.HTTPServerArgs) error {
	local := isLoopback(host)
	server := &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if from, _, err := net.SplitHostPort(r.RemoteAddr); local && (err != nil || !isLoopback(from)) {
			http.Error(w, "permission denied", http.StatusForbidden)
			return
		}
		if local && !isLoopback(nameOf(r.Host)) { // a name that another site had resolve to this machine
			http.Error(w, "this server is asked by the names of this machine alone", http.StatusForbidden)
			return
		}
		page := pages.Handlers[r.URL.Path]
		if page == nil {
			http.NotFound(w, r)
			return
		}
		page.ServeHTTP(w, r)
	})}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	limit, cancel := context.WithTimeout(context.Background(), closeLimit)
	defer cancel()
	err := server.Shutdown(limit)
	if errors.Is(err, context.DeadlineExceeded) {
		err = server.Close()
	}
	<-ended
	return err
}

// nameOf is a Host header's name or address, without the port.
func nameOf(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.Trim(host, "[]")
}

// isLoopback reports whether a host name or address is this machine's own.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// flagSet gives pprof's driver the arguments that we chose instead of the process's.
type flagSet struct {
	*flag.FlagSet
	args  []string
	usage []string
}

var _ driver.FlagSet = (*flagSet)(nil)

func newFlagSet(args []string) *flagSet {
	return &flagSet{FlagSet: flag.NewFlagSet("pprof", flag.ContinueOnError), args: args}
}

// StringList implements driver.FlagSet.
func (f *flagSet) StringList(name, def, usage string) *[]*string {
	return &[]*string{f.String(name, def, usage)}
}

// ExtraUsage implements driver.FlagSet.
func (f *flagSet) ExtraUsage() string { return strings.Join(f.usage, "\n") }

// AddExtraUsage implements driver.FlagSet.
func (f *flagSet) AddExtraUsage(eu string) { f.usage = append(f.usage, eu) }

// Parse implements driver.FlagSet.
func (f *flagSet) Parse(usage func()) []string {
	f.Usage = usage
	if err := f.FlagSet.Parse(f.args); err != nil || len(f.Args()) == 0 {
		usage()
	}
	return f.Args()
}
