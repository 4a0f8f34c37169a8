// Licenses writes the licenses of every module that a program is linked from: a list of names, then
// the texts. It fails if a module has no license, or one that does not fit Apache-2.0.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	classifier "github.com/google/licenseclassifier/v2"
	"github.com/google/licenseclassifier/v2/assets"
)

// fitting lists the licenses that a distribution under Apache-2.0 may include. MPL-2.0 binds its
// own files only, which are shipped unchanged.
var fitting = []string{"Apache-2.0", "MIT", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT-0", "MPL-2.0"}

// mit0 is a license that the classifier does not know: MIT without attribution.
const mit0 = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files
(the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE
OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`

// legal matches files that must go with a binary.
var legal = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([-.].*)?$`)

func main() {
	dir := flag.String("dir", ".", "folder of the main module")
	pkg := flag.String("package", ".", "main package, relative to -dir")
	tags := flag.String("tags", "", "build tags")
	note := flag.String("note", "", "one more line, for what is shipped and is no Go module")
	also := flag.String("also", "", "file of names and texts to add, for what is embedded and is no Go module")
	out := flag.String("out", "", "file to write")
	flag.Parse()
	if err := write(program{*dir, *pkg, *tags}, extras{*note, *also}, *out); err != nil {
		fmt.Fprintf(os.Stderr, "licenses: %v\n", err)
		os.Exit(1)
	}
}

// program is a main package of a module.
type program struct{ dir, pkg, tags string }

// extras is what the list says of things that are no Go modules.
type extras struct{ note, also string }

func write(p program, x extras, out string) error {
	modules, err := linked(p.dir, p.pkg, p.tags)
	if err != nil {
		return err
	}
	c, err := assets.DefaultClassifier()
	if err != nil {
		return fmt.Errorf("load the known licenses: %w", err)
	}
	c.AddContent("License", "MIT-0", "license.txt", []byte(mit0))
	var names, texts bytes.Buffer
	var unfit []error
	shown := map[string]int{} // text → its number
	for _, m := range modules {
		ids, err := m.licenses(c)
		if err != nil {
			unfit = append(unfit, err)
			continue
		}
		var numbers []string
		for _, text := range m.texts {
			key := strings.Join(strings.Fields(text), " ")
			if shown[key] == 0 {
				shown[key] = len(shown) + 1
				fmt.Fprintf(&texts, "\n%s\n[%d]\n\n%s\n", strings.Repeat("-", 80), shown[key], strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")))
			}
			numbers = append(numbers, fmt.Sprint(shown[key]))
		}
		fmt.Fprintf(&names, "%s %s: %s [%s]\n", m.path, m.version, strings.Join(ids, ", "), strings.Join(numbers, ", "))
	}
	if err := errors.Join(unfit...); err != nil {
		return err
	}
	head := "Modules that this program is linked from, their licenses, and the numbers of the texts below.\n\n"
	if x.note != "" {
		names.WriteString("\n" + x.note + "\n")
	}
	if x.also != "" {
		more, err := os.ReadFile(x.also)
		if err != nil {
			return fmt.Errorf("read more licenses: %w", err)
		}
		fmt.Fprintf(&texts, "\n%s\n\n%s", strings.Repeat("-", 80), more)
	}
	return os.WriteFile(out, append([]byte(head), append(names.Bytes(), texts.Bytes()...)...), 0o644)
}

// linkedModule is a module with the legal files that govern its linked packages.
type linkedModule struct {
	path, version string
	files         []string // sorted
	texts         []string // of files
}

// linked lists the modules of a program, the standard library among them, sorted by path.
func linked(dir, pkg, tags string) ([]*linkedModule, error) {
	const format = `{{if .Standard}}std	{{.Dir}}{{else if .Module.Main}}{{else if and .Module.Replace (not .Module.Replace.Version)}}{{else}}{{.Module.Path}}	{{.Dir}}	{{.Module.Version}}	{{.Module.Dir}}{{end}}`
	list := exec.Command("go", "list", "-deps", "-tags", tags, "-f", format, pkg)
	list.Dir = dir
	list.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0")
	list.Stderr = os.Stderr
	raw, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("list the packages of %s in %s: %w", pkg, dir, err)
	}
	found := map[string]*linkedModule{}
	for line := range strings.Lines(string(raw)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch {
		case len(fields) == 2 && found["std"] == nil:
			m, err := standardLibrary()
			if err != nil {
				return nil, err
			}
			found["std"] = m
		case len(fields) == 4:
			m := found[fields[0]]
			if m == nil {
				m = &linkedModule{path: fields[0], version: fields[2]}
				found[m.path] = m
			}
			if err := m.climb(fields[1], fields[3]); err != nil {
				return nil, err
			}
		}
	}
	modules := make([]*linkedModule, 0, len(found))
	for _, m := range found {
		if err := m.read(); err != nil {
			return nil, err
		}
		modules = append(modules, m)
	}
	slices.SortFunc(modules, func(a, b *linkedModule) int { return strings.Compare(a.path, b.path) })
	return modules, nil
}

func standardLibrary() (*linkedModule, error) {
	out, err := exec.Command("go", "env", "GOROOT", "GOVERSION").Output()
	if err != nil {
		return nil, fmt.Errorf("find the standard library: %w", err)
	}
	fields := strings.Split(string(out), "\n")
	return &linkedModule{path: "Go standard library", version: fields[1], files: []string{filepath.Join(fields[0], "LICENSE")}}, nil
}

// climb notes the legal files from a package's folder up to the module's.
func (m *linkedModule) climb(dir, top string) error {
	for ; ; dir = filepath.Dir(dir) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			name := filepath.Join(dir, e.Name())
			if !e.IsDir() && filepath.Ext(name) != ".go" && legal.MatchString(e.Name()) && !slices.Contains(m.files, name) {
				m.files = append(m.files, name)
			}
		}
		if dir == top {
			slices.Sort(m.files)
			return nil
		}
	}
}

func (m *linkedModule) read() error {
	for _, name := range m.files {
		text, err := os.ReadFile(name)
		if err != nil {
			return fmt.Errorf("read a license of %s: %w", m.path, err)
		}
		m.texts = append(m.texts, string(text))
	}
	return nil
}

// licenses names a module's licenses by their SPDX identifiers, sorted.
func (m *linkedModule) licenses(c *classifier.Classifier) ([]string, error) {
	var ids []string
	for i, text := range m.texts {
		for _, match := range c.Match([]byte(text)).Matches {
			if match.MatchType != "License" {
				continue
			}
			if !slices.Contains(fitting, match.Name) {
				return nil, fmt.Errorf("%s %s: license %s (%s) does not fit Apache-2.0", m.path, m.version, match.Name, filepath.Base(m.files[i]))
			}
			if !slices.Contains(ids, match.Name) {
				ids = append(ids, match.Name)
			}
		}
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("%s %s: no known license in %q", m.path, m.version, m.files)
	}
	slices.Sort(ids)
	return ids, nil
}
