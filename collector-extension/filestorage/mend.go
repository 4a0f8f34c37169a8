package filestorage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"go.uber.org/zap"
)

// storageFile matches the files that the original extension makes for components: KIND_TYPE_NAME.
// Other files of the directory are not touched.
var storageFile = regexp.MustCompile(`^(receiver|processor|exporter|extension|connector|other)_[a-zA-Z0-9._~-]*$`)

// Endings of files that lie beside the one they belong to. The second is the original extension's.
const (
	damagedEnding = ".damaged"
	backupEnding  = ".backup"
)

// mend moves each damaged file of the directory aside. It replaces one that was moved before.
func (c *checked) mend(ctx context.Context) error {
	c.telemetry.ExtensionFileStorageDamagedFiles.Add(ctx, 0)
	entries, err := os.ReadDir(c.directory)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("files of directory %s: %w", c.directory, err)
	}
	for _, e := range entries {
		if !isStorage(e) {
			continue
		}
		path := filepath.Join(c.directory, e.Name())
		damage, err := checkInChild(ctx, path)
		switch {
		case errors.Is(err, errLocked): // the original waits for its timeout
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			c.log.Warn("storage file not checked: if it is damaged, the Collector may not start", zap.String("file", path), zap.Error(err))
		case damage != "":
			if err := os.Rename(path, path+damagedEnding); err != nil {
				return fmt.Errorf("move the damaged %s aside: %w", path, err)
			}
			c.telemetry.ExtensionFileStorageDamagedFiles.Add(ctx, 1)
			c.log.Error("storage file damaged: moved aside, its entries are lost", zap.String("file", path+damagedEnding), zap.String("damage", damage))
		}
	}
	return nil
}

// isStorage reports whether a component has entries in a file. An empty file is a new one.
func isStorage(e os.DirEntry) bool {
	info, err := e.Info()
	return err == nil && info.Mode().IsRegular() && info.Size() > 0 && storageFile.MatchString(e.Name()) &&
		!strings.HasSuffix(e.Name(), damagedEnding) && !strings.HasSuffix(e.Name(), backupEnding)
}
