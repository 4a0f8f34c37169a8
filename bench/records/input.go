package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/planflame/planflame/bench/internal/session"
)

const (
	harnessRoot   = "bench/records/harness"
	harness       = harnessRoot + "/io/planflame/bench"
	programsClass = "io.planflame.bench.Programs"
	// lines of a file: 49 batches, in two parts
	lines = 200_000
	// keys of a file
	keys = 500
)

// programs are PerfDebug's.
var programs = []string{"movies", "students", "weather"}

// compile makes the jar of the programs.
func (o *options) compile(ctx context.Context) (jar string, err error) {
	classes := filepath.Join(o.work, "classes")
	if err := os.MkdirAll(classes, 0o755); err != nil {
		return "", err
	}
	jars, err := session.Jars(o.spark)
	if err != nil {
		return "", err
	}
	jar = filepath.Join(o.work, "programs.jar")
	for _, args := range [][]string{
		{"javac", "-g", "-nowarn", "-proc:none", "-cp", filepath.Join(jars, "*"), "-d", classes, "--release", "17", filepath.Join(harness, "Programs.java"), filepath.Join(harness, "Causes.java"), filepath.Join(harness, "Keys.java"), filepath.Join(harness, "Cases.java")},
		{"jar", "cf", jar, "-C", classes, "."},
	} {
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		if said, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s: %w\n%s", cmd, err, said)
		}
	}
	return jar, nil
}

// input is a file of a program.
type input struct {
	path   string
	canary string  // the note of the slow line; "": none is slow
	line   int     // of the slow one, from 1
	begins []int64 // offset of each line
}

// writeInput writes a file with one slow line, if there is to be one, in the middle four fifths.
func writeInput(path string, random *rand.Rand, slow bool) (*input, error) {
	in := &input{path: path}
	if slow {
		in.line = lines/10 + random.IntN(lines*8/10)
		in.canary = fmt.Sprintf("canary-%016x", random.Uint64())
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	w := bufio.NewWriter(f)
	at := int64(0)
	for i := 1; i <= lines; i++ {
		note := fmt.Sprintf("note %d", i)
		if i == in.line {
			note = in.canary
		}
		in.begins = append(in.begins, at)
		n, _ := fmt.Fprintf(w, "k%d,%.2f,%s\n", random.IntN(keys), random.Float64()*10, note) // Flush tells
		at += int64(n)
	}
	if err := w.Flush(); err != nil {
		_ = f.Close()
		return nil, err
	}
	return in, f.Close()
}

// record is the number of the slow line in a part of the file that begins at an offset. Hadoop's
// reader leaves a line that begins there to the part before, unless it is the first.
func (in *input) record(offset int64) int64 {
	n := int64(0)
	for _, begin := range in.begins[:in.line] {
		if offset == 0 || begin > offset {
			n++
		}
	}
	return n
}

// hashes are what planflame may call a path: Spark writes its URI in two ways.
func hashes(path string) ([]string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, scheme := range []string{"file:", "file://"} {
		out = append(out, fmt.Sprintf("%x", sha256.Sum256([]byte(scheme+path)))[:8])
	}
	return out, nil
}
