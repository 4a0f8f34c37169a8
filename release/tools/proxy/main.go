// Proxy writes a source tree as one version of its module, in the file layout of a Go module proxy.
// A build with GOPROXY=file://… gets the module as it will get the tagged one.
package main

import (
	"archive/zip"
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"
)

func main() {
	root := flag.String("root", ".", "source tree, a git work tree")
	version := flag.String("version", "", "version of the module, such as v1.2.3")
	out := flag.String("out", "", "folder to write")
	flag.Parse()
	if err := write(*root, *version, *out); err != nil {
		fmt.Fprintf(os.Stderr, "proxy: %v\n", err)
		os.Exit(1)
	}
}

func write(root, version, out string) error {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	m := module.Version{Path: modfile.ModulePath(mod), Version: version}
	files, err := sources(root)
	if err != nil {
		return err
	}
	var archive bytes.Buffer
	if err := modzip.Create(&archive, m, files); err != nil {
		return fmt.Errorf("pack %s: %w", m, err)
	}
	if err := check(archive.Bytes()); err != nil {
		return fmt.Errorf("pack %s: %w", m, err)
	}
	escaped, err := module.EscapePath(m.Path)
	if err != nil {
		return err
	}
	dir := filepath.Join(out, escaped, "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, content := range map[string][]byte{
		"list":            []byte(version + "\n"),
		version + ".info": fmt.Appendf(nil, `{"Version":%q,"Time":"2026-01-01T00:00:00Z"}`, version),
		version + ".mod":  mod,
		version + ".zip":  archive.Bytes(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// sources lists the files of a work tree that git would commit, without nested modules.
func sources(root string) ([]modzip.File, error) {
	list := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = root
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("list the files of %s: %w", root, err)
	}
	var names []string
	var nested []string
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if _, err := os.Lstat(filepath.Join(root, name)); err != nil {
			continue // deleted, not committed yet
		}
		names = append(names, name)
		if dir, ok := strings.CutSuffix(name, "/go.mod"); ok {
			nested = append(nested, dir+"/")
		}
	}
	var files []modzip.File
	for _, name := range names {
		if !hasAnyPrefix(name, nested) {
			files = append(files, source{root, name})
		}
	}
	return files, nil
}

func hasAnyPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// check reports an archive that a Go command would not read.
func check(archive []byte) error {
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return err
	}
	if len(r.File) == 0 {
		return fmt.Errorf("the archive is empty")
	}
	return nil
}

// source is a file of the tree.
type source struct{ root, name string }

func (s source) Path() string                 { return s.name }
func (s source) Lstat() (os.FileInfo, error)  { return os.Lstat(filepath.Join(s.root, s.name)) }
func (s source) Open() (io.ReadCloser, error) { return os.Open(filepath.Join(s.root, s.name)) }
