package main

import (
	"fmt"
	"strings"

	"github.com/planflame/planflame/bench/internal/session"
)

// query is one query of the nightly application. One of its operators compares a text of so many
// letters with each row's comment. The CPU of that comparison grows with the letters. They are a
// literal, so the query keeps its fingerprint.
type query struct {
	name    string // job description, and so the query's name in alerts
	role    string // of the operator that becomes more expensive
	percent int    // more letters, in shifted runs
	letters int    // as always
	sql     string // %s is the text
}

// queries are what each application runs. The two shift at the same time, each in another operator
// and by another size.
var queries = []query{
	{"nightly nations", "filter", 50, 20, `
SELECT s_nationkey, count(*) AS lines, bit_xor(crc32(sha2(repeat(l_comment, 20), 512))) AS digest, sum(l_extendedprice * (1 - l_discount)) AS revenue
FROM lineitem JOIN supplier ON s_suppkey = l_suppkey WHERE levenshtein(l_comment, '%s') > 2 GROUP BY s_nationkey`},
	{"nightly modes", "aggregate", 25, 20, `
SELECT l_shipmode, count(*) AS lines, sum(levenshtein(l_comment, '%s')) AS distance, sum(l_quantity) AS quantity
FROM lineitem WHERE crc32(sha2(repeat(l_comment, 20), 512)) %% 100 < 95 GROUP BY l_shipmode`},
}

const words = "carefully final deposits detect slyly against the quickly ironic packages "

// statement is the query as it always is, or shifted.
func (q query) statement(shifted bool) session.Statement {
	n := q.letters
	if shifted {
		n += n * q.percent / 100
	}
	text := strings.Repeat(words, 1+n/len(words))[:n]
	return session.Statement{ID: q.name, SQL: fmt.Sprintf(strings.TrimSpace(q.sql), text)}
}

// statements are what one application runs.
func statements(shifted bool) (out []session.Statement) {
	for _, q := range queries {
		out = append(out, q.statement(shifted))
	}
	return out
}
