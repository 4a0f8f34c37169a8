package sparkconf

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// unpackJar writes the classes and resources of a jar into a folder.
func unpackJar(jar, folder string) error {
	z, err := zip.OpenReader(jar)
	if err != nil {
		return fmt.Errorf("open %s: %w", jar, err)
	}
	defer z.Close()
	for _, f := range z.File {
		if f.FileInfo().IsDir() || strings.HasPrefix(f.Name, "META-INF/") {
			continue
		}
		if !filepath.IsLocal(f.Name) {
			return fmt.Errorf("unpack %s: %q leaves the folder", jar, f.Name)
		}
		if err := unpackFile(f, filepath.Join(folder, f.Name)); err != nil {
			return fmt.Errorf("unpack %s of %s: %w", f.Name, jar, err)
		}
	}
	return nil
}

func unpackFile(f *zip.File, path string) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	from, err := f.Open()
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	_, err = io.Copy(to, from)
	return err
}
