// Roots writes Mozilla's root certificates as PEM to standard output. A root that Mozilla trusts
// under conditions is left out, because PEM cannot state conditions.
package main

import (
	"encoding/pem"
	"fmt"
	"os"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

func main() {
	for root := range bundle.Roots() {
		if root.Constraint != nil {
			continue
		}
		if err := pem.Encode(os.Stdout, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}); err != nil {
			fmt.Fprintf(os.Stderr, "roots: write certificates: %v\n", err)
			os.Exit(1)
		}
	}
}
