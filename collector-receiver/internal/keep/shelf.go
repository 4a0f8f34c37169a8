package keep

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

const (
	spoolFolder = ".spool"
	lockFile    = ".lock"
	// RecordingName is the name of a recording in its folder, as `planflame run` has it.
	RecordingName = "recording"
)

// partName is what the folder of a part ends with: nothing else is ever removed.
var partName = regexp.MustCompile(`-\d{8}-\d{6}(-\d+)?$`)

// shelf is the directory of recordings, and what it has room for. Safe for concurrent use.
type shelf struct {
	dir  string
	most int64
	lock *os.File

	mu    sync.Mutex
	parts []part // the first to end first
	bytes int64  // of the parts
	spool int64  // bytes of spools, and of parts that are being written
}

// part is the folder of a finished part.
type part struct {
	dir   string
	bytes int64
	ended time.Time
}

// openShelf takes the directory for this process alone.
func openShelf(dir string, most int64) (*shelf, error) {
	if err := os.MkdirAll(filepath.Join(dir, spoolFolder), 0o700); err != nil {
		return nil, err
	}
	lock, err := os.OpenFile(filepath.Join(dir, lockFile), os.O_CREATE|os.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s, which another Collector may have: %w", lock.Name(), err), lock.Close())
	}
	s := &shelf{dir: dir, most: most, lock: lock}
	if err := s.look(); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return s, nil
}

func (s *shelf) close() error { return s.lock.Close() }

// look finds the parts and spools of earlier Collectors.
func (s *shelf) look() error {
	found, err := filepath.Glob(filepath.Join(s.dir, "*", "*", RecordingName))
	if err != nil {
		return err
	}
	for _, path := range found {
		dir := filepath.Dir(path)
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || !partName.MatchString(dir) {
			continue
		}
		s.parts = append(s.parts, part{dir, folderBytes(dir), info.ModTime()})
	}
	slices.SortFunc(s.parts, func(a, b part) int { return a.ended.Compare(b.ended) })
	for _, p := range s.parts {
		s.bytes += p.bytes
	}
	s.spool = folderBytes(filepath.Join(s.dir, spoolFolder))
	_ = s.makeRoom(0) // if spools alone are too large, they grow no more
	return nil
}

// folderBytes are the bytes of all files below a folder, as far as they can be read.
func folderBytes(dir string) (sum int64) {
	_ = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return nil
		}
		if info, err := entry.Info(); err == nil {
			sum += info.Size()
		}
		return nil
	})
	return sum
}

// grow makes room for n more bytes of spools.
func (s *shelf) grow(n int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.makeRoom(n); err != nil {
		return err
	}
	s.spool += n
	return nil
}

// shrink gives back the bytes of spools.
func (s *shelf) shrink(n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spool -= n
}

// makeRoom removes parts, the first to end first, until n bytes fit.
func (s *shelf) makeRoom(n int64) error {
	for s.bytes+s.spool+n > s.most && len(s.parts) > 0 {
		oldest := s.parts[0]
		if err := os.RemoveAll(oldest.dir); err != nil {
			return fmt.Errorf("remove the oldest recording: %w", err)
		}
		_ = os.Remove(filepath.Dir(oldest.dir)) // if it was the service's last
		s.parts, s.bytes = s.parts[1:], s.bytes-oldest.bytes
	}
	if s.bytes+s.spool+n > s.most {
		return fmt.Errorf("recording::max_bytes: %d are too few for the JVMs that run", s.most)
	}
	return nil
}

// put makes the folder of a part out of the finished file of a spool, and returns it.
func (s *shelf) put(file, service, name string) (string, error) {
	info, err := os.Stat(file)
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := os.MkdirAll(filepath.Join(s.dir, service), 0o700); err != nil {
		return "", err
	}
	base := filepath.Join(s.dir, service, name)
	dir := base
	for n := 2; ; n++ {
		err := os.Mkdir(dir, 0o700)
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
		dir = fmt.Sprintf("%s-%d", base, n)
	}
	if err := os.Rename(file, filepath.Join(dir, RecordingName)); err != nil {
		return "", errors.Join(err, os.Remove(dir))
	}
	s.parts = append(s.parts, part{dir, info.Size(), info.ModTime()})
	s.bytes, s.spool = s.bytes+info.Size(), s.spool-info.Size()
	return dir, nil
}
