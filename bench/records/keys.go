package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"

	"github.com/planflame/planflame/internal/contents"
)

const (
	keysClass = "io.planflame.bench.Keys"
	keyMillis = 1500 // that the slow key takes
)

// keyPrograms are the programs of harness/Keys.java.
var keyPrograms = []string{"group", "join", "aggregate", "sqlaggregate", "sqljoin", "sqlcollect", "sqlwrite", hotProgram}

// hotProgram has a key of most rows, which takes no longer than the others for each of them.
const hotProgram = "sqlhot"

// saidKey is what a JVM says of a slow key, and saidRows of a key with most of the rows.
var (
	saidKey  = regexp.MustCompile(`stage \d+ partition \d+: [0-9.]+ s for ([a-z]+-key-\d+)`)
	saidRows = regexp.MustCompile(`stage \d+ partition \d+: \d+ of \d+ rows are of ([a-z]+-key-\d+)`)
)

// keys runs programs with one slow key each, and again with planflame debug, which names them.
func (o *options) keys(ctx context.Context, r *results) error {
	jar, err := o.compile(ctx)
	if err != nil {
		return err
	}
	for trial := range o.trials {
		random := rand.New(rand.NewPCG(uint64(trial), 23))
		job := []string{"--class", keysClass, jar}
		slow := map[string]bool{}
		for _, program := range keyPrograms {
			key := random.IntN(keys)
			slow[fmt.Sprintf("%s-key-%d", program, key)] = true
			job = append(job, fmt.Sprintf("%s,%d,%d", program, key, keyMillis))
		}
		name := fmt.Sprintf("keys-%d", trial+1)
		first, _, err := o.planflameRun(ctx, name, []string{"run", "--records"}, job...)
		if err != nil {
			return err
		}
		again := name + "-debug"
		second, texts, err := o.planflameRun(ctx, again, []string{"debug", o.results(name), "--show-records", "--write-again", "--json"}, job...)
		if err != nil {
			return err
		}
		r.again(first, second)
		if err := r.countKeys(again, slow, texts); err != nil {
			return err
		}
		for _, name := range []string{name, again} {
			if err := o.keyLeaks(r, name, slow); err != nil {
				return err
			}
		}
	}
	return nil
}

// countKeys adds up which slow keys a JVM named, and which others.
func (r *results) countKeys(name string, slow map[string]bool, texts *said) error {
	var found struct {
		Keys []json.RawMessage `json:"keys"`
		Rows []json.RawMessage `json:"rows"`
	}
	if err := texts.result(&found); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	named := map[string]bool{}
	for said, of := range map[*regexp.Regexp]int{saidKey: len(found.Keys), saidRows: len(found.Rows)} {
		all := said.FindAllStringSubmatch(texts.stderr.String(), -1)
		if len(all) < of {
			return fmt.Errorf("%s: the JVM named %d keys, and the result has %d: %v", name, len(all), of, said)
		}
		for _, m := range all {
			named[m[1]] = true
		}
	}
	r.Figures["false_keys"] += 0
	for key := range slow {
		program, _, _ := strings.Cut(key, "-")
		for _, figure := range []string{"found_key", "found_key_" + program} {
			r.Figures[figure+"_of"]++
			r.Figures[figure] += 0
			if named[key] {
				r.Figures[figure]++
			}
		}
		if !named[key] {
			r.Found = append(r.Found, fmt.Sprintf("%s: not found: %s", name, key))
		}
	}
	for key := range named {
		if !slow[key] {
			r.Figures["false_keys"]++
			r.Found = append(r.Found, fmt.Sprintf("%s: false: %s", name, key))
		}
	}
	return nil
}

// keyLeaks counts the files of a session that have a slow key.
func (o *options) keyLeaks(r *results, name string, slow map[string]bool) error {
	all, err := contents.Of(o.results(name))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	r.Figures["leaks"] += 0
	for file, text := range all {
		for key := range slow {
			if strings.Contains(string(text), key) {
				r.Figures["leaks"]++
				r.Found = append(r.Found, fmt.Sprintf("%s: %s has %s", name, file, key))
			}
		}
	}
	return nil
}
