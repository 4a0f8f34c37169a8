// Command write writes the dashboards' JSON into a folder.
//
//	go run ./config/dashboards/internal/write -out DIR [-price P]
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/planflame/planflame/config/dashboards"
)

func main() {
	out := flag.String("out", "", "folder for the files, which is made")
	price := flag.Float64("price", dashboards.DefaultPrice, "what a core-hour costs until the user of a dashboard says otherwise")
	flag.Parse()
	if err := write(*out, *price); err != nil {
		fmt.Fprintln(os.Stderr, "write dashboards:", err)
		os.Exit(1)
	}
}

func write(dir string, price float64) error {
	if dir == "" {
		return fmt.Errorf("-out is missing")
	}
	if !(price >= 0) {
		return fmt.Errorf("-price %g, want 0 or more", price)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, d := range dashboards.All(price) {
		text, err := d.Encode()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, d.FileName()), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
