package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
)

type report struct {
	Command string
}

func (o *options) report(ctx context.Context, r *record) (*report, error) { return &report{}, nil }
func (r *report) print()                                                  { fmt.Println(r) }
func (r *report) write(path string) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}
