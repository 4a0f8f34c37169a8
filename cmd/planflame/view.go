package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/google/pprof/driver"
	"github.com/spf13/cobra"
)

func newView() *cobra.Command {
	var address string
	var noBrowser bool
	cmd := &cobra.Command{
		Use: "view DIR", Short: "Open a run's flame graph in google/pprof's web page", Args: cobra.ExactArgs(1),
		Long: "Serves google/pprof's web page for DIR/profile.pb.gz until it is interrupted. Its flame graph shows operators as frames;\n" +
			"Refine and Tag focus take the labels query, stage and operator.",
		RunE: func(_ *cobra.Command, args []string) error {
			path := results(args[0]).profile()
			if _, err := os.Stat(path); err != nil {
				return fmt.Errorf("view: %w", err)
			}
			pprofArgs := []string{"-http=" + address, path}
			if noBrowser {
				pprofArgs = append([]string{"-no_browser"}, pprofArgs...)
			}
			return driver.PProf(&driver.Options{Flagset: newFlagSet(pprofArgs)})
		},
	}
	cmd.Flags().StringVar(&address, "http", "localhost:0", "address to serve on; port 0 takes a free one")
	cmd.Flags().BoolVar(&noBrowser, "no-browser", false, "only print the address")
	return cmd
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
