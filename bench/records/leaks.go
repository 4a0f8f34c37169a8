package main

import (
	"bytes"
	"fmt"

	"github.com/planflame/planflame/internal/contents"
)

// known has the files of a session that name the function of slow records.
var known = []string{"recording", "profile.pb.gz", "summary.json", "report.html"}

// leaks counts the slow lines' notes in all that a session left: recording, profile, summary, page
// and what it printed.
func (o *options) leaks(r *results, name string, cases []slowCase, texts *said) error {
	all, err := contents.Of(o.results(name))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, file := range known {
		if !bytes.Contains(all[file], []byte("weigh")) {
			return fmt.Errorf("%s: %s does not name the function that weighs records: it was not read as it should be", name, file)
		}
	}
	all["stdout"], all["stderr"] = texts.stdout.Bytes(), texts.stderr.Bytes()
	r.Figures["leaks"] += 0
	for file, text := range all {
		for i := range cases {
			if bytes.Contains(text, []byte(cases[i].in.canary)) {
				r.Figures["leaks"]++
				r.Found = append(r.Found, fmt.Sprintf("%s: %s has the note of %s", name, file, cases[i].program))
			}
		}
	}
	return nil
}
