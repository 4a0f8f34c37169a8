package keep

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"go.uber.org/zap"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler/recording"
)

// Names of files in the folder of a JVM's spools: a number, and what it is.
const (
	firstSuffix = ".first" // entries of the first part of an application
	nextSuffix  = ".next"  // entries of a part that goes on
	codeSuffix  = ".code"  // what was carried over to it
	partSuffix  = ".part"  // the recording that is made of both
)

// finisher makes parts of spools, one after the other, on a goroutine of its own.
type finisher struct {
	settings *Settings
	shelf    *shelf
	*worker
	lost    *atomic.Uint64
	resumed time.Time     // when it last rested
	hurry   chan struct{} // closed: it rests no more
	stopped atomic.Bool   // what is not finished stays for the next Collector
}

// The finisher rests after each block that it reads: restful times as long as it worked, but
// longestRest at most. Under a unit's CPUQuota of 20 % sampling needs what there is.
const (
	restful     = 9
	longestRest = 200 * time.Millisecond
)

// rest lets sampling go before.
func (f *finisher) rest() {
	wait := time.NewTimer(min(restful*time.Since(f.resumed), longestRest))
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-f.hurry:
	}
	f.resumed = time.Now()
}

// errStopped says that the Collector ends.
var errStopped = errors.New("the Collector ends")

// job is a spool that has ended.
type job struct {
	folder string
	number int
	suffix string // of its entries
	next   string // suffix of the spool after it; "": it was the JVM's last
	sent   uint64 // samples that were to be kept; 0: not known
}

func (j *job) path(suffix string) string { return numbered(j.folder, j.number, suffix) }

func numbered(folder string, number int, suffix string) string {
	return filepath.Join(folder, fmt.Sprintf("%06d%s", number, suffix))
}

// left are the spools of Collectors that did not finish them.
func (f *finisher) left() (jobs []job, err error) {
	folders, err := filepath.Glob(filepath.Join(f.shelf.dir, spoolFolder, "*"))
	if err != nil {
		return nil, err
	}
	for _, folder := range folders {
		files, err := os.ReadDir(folder)
		if err != nil {
			return nil, err
		}
		var of []job
		for _, file := range files {
			j := job{folder: folder, suffix: filepath.Ext(file.Name())}
			if j.suffix != firstSuffix && j.suffix != nextSuffix {
				continue
			}
			if _, err := fmt.Sscanf(file.Name(), "%d", &j.number); err != nil {
				continue
			}
			of = append(of, j)
		}
		slices.SortFunc(of, func(a, b job) int { return cmp.Compare(a.number, b.number) })
		for i := 1; i < len(of); i++ {
			of[i-1].next = of[i].suffix
		}
		if len(of) == 0 { // nothing can be made of it
			f.clear(folder)
		}
		jobs = append(jobs, of...)
	}
	return jobs, nil
}

// finish makes what the next spool needs of a spool, and a part. If it is stopped in between, the
// next Collector does both.
func (f *finisher) finish(j job) {
	began := time.Now()
	f.resumed = began
	log := f.settings.Log.With(zap.String("spool", j.path(j.suffix)))
	var next error
	if j.next != "" {
		next = f.carryOver(j)
	}
	out, dir, err := f.part(j)
	if errors.Is(errors.Join(next, err), errStopped) {
		return
	}
	if dir != "" {
		log.Info("recording kept", zap.String("folder", dir), zap.Uint64("samples", out.Samples), zap.Duration("took", time.Since(began)))
	}
	lost := max(j.sent, out.Read) - out.Read
	if err != nil {
		lost = max(j.sent, out.Read)
	}
	f.lost.Add(lost)
	if err := errors.Join(next, err); err != nil {
		log.Warn("recording lost, or code and plans that its next part needs", zap.Error(err), zap.Uint64("samples", lost))
	}
	f.remove(j)
}

// sources are what a part is made of.
func (f *finisher) sources(j job) (from []recording.Source) {
	for _, suffix := range []string{codeSuffix, j.suffix} {
		path := j.path(suffix)
		if _, err := os.Stat(path); err != nil && suffix == codeSuffix {
			continue // the JVM's first part, or what was carried over is lost
		}
		from = append(from, func() (io.ReadCloser, error) {
			file, err := os.Open(path)
			return &stoppable{f, file}, err
		})
	}
	return from
}

// part writes the recording and puts it on the shelf; dir is "" if nothing of a wanted query ran.
func (f *finisher) part(j job) (out recording.Trimmed, dir string, err error) {
	from := f.sources(j)
	meta, err := recording.MetaOf(from[len(from)-1])
	if errors.Is(err, recording.ErrTruncated) {
		return out, "", nil // it was killed before there was anything
	}
	if err != nil {
		return out, "", err
	}
	file, err := f.create(j.path(partSuffix))
	if err != nil {
		return out, "", err
	}
	out, err = file.record(meta, func(w *recording.Writer) (recording.Trimmed, error) {
		return recording.Trim(w, f.settings.Choose, from...)
	})
	if err != nil || out.Empty() || out.Application == nil {
		return out, "", errors.Join(err, file.remove())
	}
	app, err := pipeline.ParseApplication(out.Application.JSON)
	if err == nil {
		name := fmt.Sprintf("%s-%s-%s", fileName(app.ID), fileName(app.ExecutorID), seconds(meta.Started))
		dir, err = f.shelf.put(file.Name(), fileName(f.settings.Service(app)), name)
	}
	if err != nil {
		err = errors.Join(err, file.remove())
	}
	return out, dir, err
}

// carryOver writes what the next spool needs of this one.
func (f *finisher) carryOver(j job) error {
	from := f.sources(j)
	file, err := f.create(numbered(j.folder, j.number+1, codeSuffix))
	if err != nil {
		return err
	}
	_, err = file.record(f.settings.Meta, func(w *recording.Writer) (recording.Trimmed, error) {
		return recording.Trimmed{}, recording.CarryOver(w, j.next == firstSuffix, from...)
	})
	if err != nil {
		err = errors.Join(fmt.Errorf("carry code over to the next part: %w", err), file.remove())
	}
	return err
}

// remove removes a spool that is done, and its folder behind the last one.
func (f *finisher) remove(j job) {
	if j.next == "" {
		f.clear(j.folder)
		return
	}
	for _, suffix := range []string{codeSuffix, j.suffix} {
		if info, err := os.Stat(j.path(suffix)); err == nil && os.Remove(j.path(suffix)) == nil {
			f.shelf.shrink(info.Size())
		}
	}
}

func (f *finisher) clear(folder string) {
	bytes := folderBytes(folder)
	if os.RemoveAll(folder) == nil {
		f.shelf.shrink(bytes)
	}
}

// create begins a file that the shelf has to have room for.
func (f *finisher) create(path string) (*counted, error) {
	if info, err := os.Stat(path); err == nil && os.Remove(path) == nil {
		f.shelf.shrink(info.Size()) // of a Collector that was killed
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	return &counted{File: file, shelf: f.shelf}, err
}

// counted is a file that counts on a shelf.
type counted struct {
	*os.File
	shelf *shelf
	bytes int64
}

func (c *counted) Write(p []byte) (int, error) {
	if err := c.shelf.grow(int64(len(p))); err != nil {
		return 0, err
	}
	c.bytes += int64(len(p))
	return c.File.Write(p)
}

// record writes a recording into the file and closes both.
func (c *counted) record(meta recording.Meta, write func(*recording.Writer) (recording.Trimmed, error)) (out recording.Trimmed, err error) {
	w, err := recording.NewWriter(c, meta)
	if err != nil {
		return out, errors.Join(err, c.Close())
	}
	out, err = write(w)
	return out, errors.Join(err, w.Close(), c.Close())
}

func (c *counted) remove() error {
	c.shelf.shrink(c.bytes)
	return os.Remove(c.Name())
}

// stoppable is a file that the finisher reads with rests, until it is stopped.
type stoppable struct {
	finisher *finisher
	*os.File
}

func (s *stoppable) Read(p []byte) (int, error) {
	if s.finisher.stopped.Load() {
		return 0, errStopped
	}
	s.finisher.rest()
	return s.File.Read(p)
}

// maxNamePart bounds the parts of a folder's name.
const maxNamePart = 80

// fileName is a name for a part of a file's name: letters, digits, dots, underscores and dashes.
func fileName(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '.' || r == '_' {
			return r
		}
		return '-'
	}, name)
	for len(name) > maxNamePart {
		runes := []rune(name)
		name = string(runes[:len(runes)-1])
	}
	return cmp.Or(strings.TrimLeft(name, "."), "-")
}

// seconds is a time in the name of a folder.
func seconds(t time.Time) string { return t.UTC().Format("20060102-150405") }
