package packages_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/blakesmith/ar"
	"github.com/sassoftware/go-rpmutils"
)

// one is the only file of dist/ that fits.
func one(t *testing.T, pattern string) *os.File {
	t.Helper()
	found, err := filepath.Glob(filepath.Join("..", "..", "..", "dist", pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %q, %v; make release", pattern, found, err)
	}
	f, err := os.Open(found[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// debian reads the files of the .deb as "mode size".
func debian(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	archive := ar.NewReader(one(t, "*.deb"))
	for {
		member, err := archive.Next()
		if err != nil {
			t.Fatalf("no data.tar.gz: %v", err)
		}
		if strings.TrimSuffix(member.Name, "/") == "data.tar.gz" {
			break
		}
	}
	unpacked, err := gzip.NewReader(archive)
	if err != nil {
		t.Fatal(err)
	}
	for data := tar.NewReader(unpacked); ; {
		h, err := data.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			files[strings.TrimPrefix(h.Name, ".")] = fmt.Sprintf("%04o %d", h.Mode&0o777, h.Size)
		}
	}
}

// TestRPM holds the .rpm against the .deb, which the end-to-end tests unpack and run: the same
// files, modes and scripts.
func TestRPM(t *testing.T) {
	rpm, err := rpmutils.ReadRpm(one(t, "*.rpm"))
	if err != nil {
		t.Fatal(err)
	}
	version, err := os.ReadFile(filepath.Join("..", "..", "..", "VERSION"))
	if err != nil {
		t.Fatal(err)
	}
	name, err := rpm.Header.GetNEVRA()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := name.String(), "planflame-collector-0:"+string(bytes.TrimSpace(version))+"-1.x86_64.rpm"; got != want {
		t.Errorf("name %s, want %s", got, want)
	}
	infos, err := rpm.Header.GetFiles()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range infos {
		if f.Mode()&0o170000 == 0o100000 {
			files[f.Name()] = fmt.Sprintf("%04o %d", f.Mode()&0o777, f.Size())
		}
		if f.UserName() != "root" || f.GroupName() != "root" {
			t.Errorf("%s belongs to %s:%s", f.Name(), f.UserName(), f.GroupName())
		}
	}
	if want := debian(t); !maps.Equal(files, want) {
		t.Errorf("files of the .rpm %v, of the .deb %v", files, want)
	}
	for tag, file := range map[int]string{rpmutils.POSTIN: "postinstall.sh", rpmutils.PREUN: "preremove.sh", rpmutils.POSTUN: "postremove.sh"} {
		want, err := os.ReadFile(filepath.Join("..", "..", "..", "release", "packages", file))
		if err != nil {
			t.Fatal(err)
		}
		got, err := rpm.Header.GetString(tag)
		if err != nil || strings.TrimSpace(got) != strings.TrimSpace(string(want)) {
			t.Errorf("%s: %q, %v", file, got, err)
		}
	}
}

// TestPrograms holds that the packages have the command line, which alerts ask for, beside the
// Collector.
func TestPrograms(t *testing.T) {
	files := debian(t)
	for _, name := range []string{"/usr/bin/planflame", "/usr/bin/planflame-collector"} {
		if mode, _, _ := strings.Cut(files[name], " "); mode != "0755" {
			t.Errorf("%s has mode %q in the .deb, want 0755", name, mode)
		}
	}
}
