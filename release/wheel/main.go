// Wheel packs the command line as a Python wheel without any Python in it: pip puts the program
// beside the interpreter, as it does with scripts. The same input gives the same bytes.
package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"flag"
	"fmt"
	"os"
	"path"
	"strings"
	"time"
)

// tag says where the wheel installs: any Python 3 on x86-64 Linux. The program is static; the agent
// inside it needs glibc 2.17.
const tag = "py3-none-manylinux_2_17_x86_64"

func main() {
	var s spec
	flag.StringVar(&s.version, "version", "", "version")
	flag.StringVar(&s.program, "program", "", "file of the command line")
	flag.StringVar(&s.description, "description", "", "Markdown file that the package's page shows")
	flag.StringVar(&s.licenses, "licenses", "", "license files, separated by commas")
	flag.Int64Var(&s.epoch, "epoch", 0, "time of every entry, in seconds since 1970")
	out := flag.String("out", "", "folder to write the wheel into")
	flag.Parse()
	if err := s.write(*out); err != nil {
		fmt.Fprintf(os.Stderr, "wheel: %v\n", err)
		os.Exit(1)
	}
}

// spec is what the wheel is made of.
type spec struct {
	version, program, description, licenses string
	epoch                                   int64
}

func (s spec) write(dir string) error {
	var w wheel
	w.zip = zip.NewWriter(&w.out)
	w.modified = time.Unix(s.epoch, 0).UTC()
	info := "planflame-" + s.version + ".dist-info/"

	if err := w.addFile("planflame-"+s.version+".data/scripts/planflame", s.program, 0o755); err != nil {
		return err
	}
	var names []string
	for file := range strings.SplitSeq(s.licenses, ",") {
		names = append(names, path.Base(file))
		if err := w.addFile(info+"licenses/"+path.Base(file), file, 0o644); err != nil {
			return err
		}
	}
	description, err := os.ReadFile(s.description)
	if err != nil {
		return err
	}
	metadata := fmt.Sprintf(`Metadata-Version: 2.4
Name: planflame
Version: %s
Summary: CPU profiles of Spark jobs, by query and operator
Project-URL: Source, https://github.com/planflame/planflame
Keywords: spark,pyspark,profiler,opentelemetry
Classifier: Operating System :: POSIX :: Linux
Classifier: Topic :: Software Development :: Debuggers
Requires-Python: >=3.8
License-Expression: Apache-2.0
License-File: %s
Description-Content-Type: text/markdown

%s`, s.version, strings.Join(names, "\nLicense-File: "), description)
	if err := w.add(info+"METADATA", []byte(metadata), 0o644); err != nil {
		return err
	}
	if err := w.add(info+"WHEEL", []byte("Wheel-Version: 1.0\nGenerator: planflame\nRoot-Is-Purelib: false\nTag: "+tag+"\n"), 0o644); err != nil {
		return err
	}
	if err := w.add(info+"RECORD", []byte(w.record.String()+info+"RECORD,,\n"), 0o644); err != nil {
		return err
	}
	if err := w.zip.Close(); err != nil {
		return err
	}
	return os.WriteFile(path.Join(dir, "planflame-"+s.version+"-"+tag+".whl"), w.out.Bytes(), 0o644)
}

// wheel is a wheel in the making.
type wheel struct {
	out      bytes.Buffer
	zip      *zip.Writer
	record   strings.Builder
	modified time.Time
}

func (w *wheel) addFile(name, file string, mode os.FileMode) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return w.add(name, content, mode)
}

func (w *wheel) add(name string, content []byte, mode os.FileMode) error {
	header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: w.modified}
	header.SetMode(mode)
	entry, err := w.zip.CreateHeader(header)
	if err != nil {
		return fmt.Errorf("add %s: %w", name, err)
	}
	if _, err := entry.Write(content); err != nil {
		return fmt.Errorf("add %s: %w", name, err)
	}
	sum := sha256.Sum256(content)
	fmt.Fprintf(&w.record, "%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(sum[:]), len(content))
	return nil
}
