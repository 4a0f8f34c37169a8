package sparkconf

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

const defaultsFile = "spark-defaults.conf"

// Folder makes a configuration folder at path. It has links to everything of the user's and to the
// jar's unpacked classes, and a spark-defaults.conf with our additions. user may be "" or not
// exist: then there is nothing of the user's.
func (a Additions) Folder(path, user, classes string) error {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return fmt.Errorf("make spark configuration folder: %w", err)
	}
	if err := linkAll(path, classes); err != nil {
		return fmt.Errorf("link classes of %s: %w", a.Jar, err)
	}
	if user != "" {
		if err := linkAll(path, user); err != nil {
			return fmt.Errorf("copy spark configuration folder %s: %w", user, err)
		}
	}
	return a.File(filepath.Join(path, defaultsFile), filepath.Join(user, defaultsFile), user == "")
}

// File writes a copy of the user's properties file to path, with our additions. missing says that
// there may be none.
func (a Additions) File(path, user string, missing bool) error {
	text, err := []byte(nil), error(nil)
	if !missing {
		text, err = os.ReadFile(user)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read spark configuration: %w", err)
	}
	merged, err := a.appendProperties(string(text))
	if err != nil {
		return fmt.Errorf("read spark configuration %s: %w", user, err)
	}
	if err := os.WriteFile(path, []byte(merged), 0o600); err != nil {
		return fmt.Errorf("write spark configuration: %w", err)
	}
	return nil
}

// linkAll links every entry of a folder but its spark-defaults.conf into another.
func linkAll(path, user string) error {
	user, err := filepath.Abs(user)
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(user)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == defaultsFile {
			continue
		}
		if err := os.Symlink(filepath.Join(user, e.Name()), filepath.Join(path, e.Name())); err != nil {
			return err
		}
	}
	return nil
}
