package workload

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/planflame/planflame/bench/internal/session"
)

// TPCH reads the 22 queries of TPC-H from test/jobs/tpch, below the working directory.
func TPCH() ([]session.Statement, error) {
	var out []session.Statement
	for q := 1; q <= 22; q++ {
		text, err := os.ReadFile(fmt.Sprintf("test/jobs/tpch/q%02d.sql", q))
		if err != nil {
			return nil, err
		}
		out = append(out, session.Statement{ID: fmt.Sprintf("q%02d", q), SQL: strings.TrimSuffix(strings.TrimSpace(string(text)), ";")})
	}
	return out, nil
}

// Tables are the files of the tables of TPC-H in a folder, by the names of their views.
func Tables(data string) map[string]string {
	out := map[string]string{}
	for _, t := range []string{"customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier"} {
		out[t] = filepath.Join(data, t+".parquet")
	}
	return out
}
