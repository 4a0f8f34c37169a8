package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"golang.org/x/sys/unix"
)

const (
	// runsFolder holds a folder for each run, and the link latestRun to the last one.
	runsFolder = "planflame-out"
	latestRun  = "latest"
	// runTime begins the name of a run's folder: names sort by time.
	runTime = "20060102-150405"
	// unfinished ends the name of a run's folder while the job runs. One that stays was killed:
	// planflame report reads it.
	unfinished = "unfinished"
	// maxNamePart bounds the application's name in a folder's name.
	maxNamePart = 40
)

// folder is where a run's results go. They are written beside results of earlier runs, which stay
// until the run has ended.
type folder struct {
	results        // written while the job runs
	own     bool   // planflame-out: the run gets a folder of its own there
	to      string // else: the folder that the user named
	started time.Time
	made    []string // folders that were made for it, outermost first
}

// newFolder makes the folder of a run that starts at a time: below runsFolder, or in out if the
// user named one.
func newFolder(out string, started time.Time) (*folder, error) {
	f := &folder{own: out == "", to: cmp.Or(out, runsFolder), started: started}
	if err := f.make(f.to); err != nil {
		return nil, fmt.Errorf("make folder of results: %w", err)
	}
	var dir string
	var err error
	if f.own {
		dir, err = f.makeNew(unfinished)
	} else {
		dir, err = os.MkdirTemp(f.to, ".run-")
	}
	if err != nil {
		f.removeMade()
		return nil, fmt.Errorf("make folder of results: %w", err)
	}
	f.results = results(dir)
	return f, nil
}

// make makes a folder and those above it, and remembers which were not there.
func (f *folder) make(dir string) error {
	var missing []string
	for d := filepath.Clean(dir); ; d = filepath.Dir(d) {
		if _, err := os.Stat(d); !errors.Is(err, fs.ErrNotExist) || d == filepath.Dir(d) {
			break
		}
		missing = append([]string{d}, missing...)
	}
	f.made = missing
	return os.MkdirAll(dir, 0o755)
}

// makeNew makes a folder TIME-NAME that was not there, with a number where it was.
func (f *folder) makeNew(name string) (string, error) {
	base := filepath.Join(f.to, f.started.Format(runTime)+"-"+name)
	for n := 1; ; n++ {
		dir := base
		if n > 1 {
			dir = fmt.Sprintf("%s-%d", base, n)
		}
		if err := os.Mkdir(dir, 0o755); !errors.Is(err, fs.ErrExist) {
			return dir, err
		}
	}
}

// discard leaves everything as it was before the run.
func (f *folder) discard() {
	_ = os.RemoveAll(string(f.results))
	f.removeMade()
}

func (f *folder) removeMade() {
	for i := len(f.made) - 1; i >= 0; i-- {
		_ = os.Remove(f.made[i]) // not if another run uses it
	}
}

// settle gives the results of a run that has ended their place. That is the folder TIME-NAME and
// the link to it, or the user's folder, in which they replace the results of an earlier run.
func (f *folder) settle(name string) error {
	if f.own {
		return f.settleOwn(name)
	}
	to := results(f.to)
	var errs []error
	for from, target := range map[string]string{f.recording(): to.recording(), f.profile(): to.profile(), f.summary(): to.summary(), f.page(): to.page()} {
		err := os.Rename(from, target)
		if errors.Is(err, fs.ErrNotExist) { // the run has none, so an earlier run's must not stand beside its recording
			err = os.Remove(target)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("the results stay in %s: %w", f.results, err)
	}
	if err := os.Remove(string(f.results)); err != nil {
		return fmt.Errorf("remove the folder of the run: %w", err)
	}
	f.results = to
	return nil
}

func (f *folder) settleOwn(name string) error {
	dir, err := f.makeNew(fileName(name))
	if err == nil {
		err = unix.Rename(string(f.results), dir) // over the empty folder, which os.Rename refuses
	}
	if err != nil {
		return fmt.Errorf("the results stay in %s: %w", f.results, err)
	}
	f.results = results(dir)
	link := filepath.Join(f.to, latestRun)
	fresh := filepath.Join(f.to, "."+filepath.Base(dir)+".link")
	err = os.Symlink(filepath.Base(dir), fresh)
	if err == nil {
		if err = os.Rename(fresh, link); err != nil {
			_ = os.Remove(fresh)
		}
	}
	if err != nil {
		return fmt.Errorf("link %s: %w", link, err)
	}
	return nil
}

// argument is how other commands are told the folder: not at all, if it is the last run's.
func (f *folder) argument() string {
	if f.own {
		return ""
	}
	return " " + string(f.results)
}

// fileName is a name for a part of a file's name: letters, digits, dots, underscores and single
// dashes.
func fileName(name string) string {
	var out strings.Builder
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && r != '_' {
			r = '-'
		}
		if r == '-' && strings.HasSuffix(out.String(), "-") {
			continue
		}
		if out.Len()+len(string(r)) > maxNamePart {
			break
		}
		out.WriteRune(r)
	}
	return cmp.Or(strings.Trim(out.String(), "-."), "spark")
}

// lastRun is the folder of an argument, or of the last run without one.
func lastRun(args []string) (results, error) {
	if len(args) > 0 {
		return results(args[0]), nil
	}
	link := filepath.Join(runsFolder, latestRun)
	if _, err := os.Stat(link); err != nil {
		return "", fmt.Errorf("no DIR was given, and there is no last run in %s here: %w", runsFolder, err)
	}
	dir, err := filepath.EvalSymlinks(link) // a run that ends changes it
	if err != nil {
		return "", fmt.Errorf("find the last run: %w", err)
	}
	return results(dir), nil
}
