package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/planflame/planflame/bench/internal/session"
)

// variant is a statement of a query: the query as it always is, or with a cause.
type variant struct {
	Query string // "burn", "report", "q01" …
	Cause string // "" as always; else what is different
	// Role and Percent: which operator was made more expensive by how much. In burn only.
	Role    string
	Percent int
	SQL     string
	Each    int // times in a pass
}

// id is the statement's in test/jobs/passes.py, n its number within the pass.
func (v variant) id(n int) string {
	if v.Cause == "" {
		return v.Query + " #" + strconv.Itoa(n)
	}
	return v.Query + " / " + v.Cause + " #" + strconv.Itoa(n)
}

// parseID is the query and the cause of a statement's id.
func parseID(id string) (query, cause string) {
	id, _, _ = strings.Cut(id, " #")
	query, cause, _ = strings.Cut(id, " / ")
	return query, cause
}

// elements is how many elements of an array each burn of the query as always goes through for a
// row.
const elements = 220

// burn is an expression that goes through an array of so many elements for each row and finds
// nothing, which the code cannot know. It allocates nothing, and how much it costs is a literal's
// doing: fingerprints of query, plan and operators are the same.
func burn(n int, of string) string {
	return fmt.Sprintf("array_position(sequence(1, %d), %s)", n, of)
}

// burning are the roles of the operators that have a burn, and what is looked for in each: values
// of columns that are read anyway, far beyond the array's. The join's needs both sides, so no
// filter below can take it.
var burning = []struct{ role, of string }{
	{"filter", "l_suppkey + 100000000"},
	{"project", "l_suppkey + 200000000"},
	{"join", "l_suppkey + s_suppkey + 300000000"},
	{"aggregate", "l_suppkey + 400000000"},
}

// burnSQL is the query with four operators of a fifth or so of its CPU each; operators of one role
// have percent more elements.
func burnSQL(role string, percent int) string {
	in := map[string]string{}
	for _, b := range burning {
		n := elements
		if b.role == role {
			n += n * percent / 100
		}
		in[b.role] = burn(n, b.of)
	}
	return "SELECT l_suppkey % 100 * 100 + s_nationkey + CAST(" + in["project"] + " AS INT) AS g, count(*) AS n, sum(if(" + in["aggregate"] + " < 1, 1, 0)) AS s" +
		" FROM lineitem JOIN (SELECT s_suppkey, s_nationkey FROM supplier WHERE s_suppkey <= 100) ON s_suppkey = l_suppkey % 100 + 1 AND " + in["join"] + " < 1" +
		" WHERE l_commitdate < DATE '1998-12-01' AND " + in["filter"] + " < 1 GROUP BY 1"
}

// percents are by how much an operator is made more expensive. A half more is found so surely that
// two operators are enough.
var percents = []struct {
	percent int
	roles   []string
}{
	{10, []string{"filter", "project", "join", "aggregate"}},
	{20, []string{"filter", "project", "join", "aggregate"}},
	{50, []string{"filter", "join"}},
}

// burns are the query burn as always, and with one operator more expensive.
func burns(each int) []variant {
	out := []variant{{Query: "burn", SQL: burnSQL("", 0), Each: each}}
	for _, p := range percents {
		for _, role := range p.roles {
			out = append(out, variant{Query: "burn", Cause: fmt.Sprintf("%s %d %%", role, p.percent), Role: role, Percent: p.percent, SQL: burnSQL(role, p.percent), Each: 1})
		}
	}
	return out
}

// reportSQL is a query over a table of the bench's own.
func reportSQL(table, hint, date string) string {
	return "SELECT " + hint + " s_nationkey, sum(l_extendedprice * (1 - l_discount)) AS revenue, count(*) AS n FROM " + table +
		" JOIN supplier ON s_suppkey = l_suppkey WHERE l_shipdate <= DATE '" + date + "' GROUP BY s_nationkey"
}

// Causes of the query report.
const (
	causeData    = "data three times larger"
	causeLiteral = "other literals"
	causeCodec   = "another codec"
	causePlan    = "sort-merge join"
	causeSkew    = "a skewed key"
)

// The tables of report, made by prepareReport.
const (
	tableThird = "report_third"
	tableAll   = "report_all"
	tableCodec = "report_gzip"
	tableSkew  = "report_skew"
)

const usualDate, otherDate = "1998-09-02", "1998-06-11"

// reports are the query report as always, and with each cause.
func reports(each int) []variant {
	return []variant{
		{Query: "report", SQL: reportSQL(tableThird, "", usualDate), Each: each},
		{Query: "report", Cause: causeData, SQL: reportSQL(tableAll, "", usualDate), Each: 1},
		{Query: "report", Cause: causeLiteral, SQL: reportSQL(tableThird, "", otherDate), Each: 1},
		{Query: "report", Cause: causeCodec, SQL: reportSQL(tableCodec, "", usualDate), Each: 1},
		{Query: "report", Cause: causePlan, SQL: reportSQL(tableThird, "/*+ MERGE(supplier) */", usualDate), Each: 1},
		{Query: "report", Cause: causeSkew, SQL: reportSQL(tableSkew, "", usualDate), Each: 1},
	}
}

// prepareReport are the statements that write the tables of report below dir, of the view lineitem.
// One table is its third part, one is all of it, as Spark writes them. One is the third part in
// gzip. The last is the third part with two rows of three at one supplier.
func prepareReport(dir string) (out []string) {
	const columns = "l_orderkey, l_suppkey, l_extendedprice, l_discount, l_shipdate"
	put := func(table, codec, columns, where string) {
		out = append(out, "INSERT OVERWRITE DIRECTORY '"+filepath.Join(dir, table)+"' USING parquet OPTIONS (compression '"+codec+"') SELECT /*+ COALESCE(4) */ "+columns+
			" FROM lineitem "+where)
	}
	const third = "WHERE l_orderkey % 3 = 0"
	put(tableThird, "snappy", columns, third)
	put(tableAll, "snappy", columns, "")
	put(tableCodec, "gzip", columns, third)
	put(tableSkew, "snappy", strings.Replace(columns, "l_suppkey", "if(l_orderkey % 9 < 6, 7, l_suppkey) AS l_suppkey", 1), third)
	return out
}

// keyOf is, for each table that has editions, the key of the orders that they are drawn by.
var keyOf = map[string]string{"orders": "o_orderkey", "lineitem": "l_orderkey"}

// editionOf is the folder of an edition.
func editionOf(dir, table string, n int) string { return filepath.Join(dir, table+"-"+strconv.Itoa(n)) }

// prepareEditions are the statements that write so many editions of the views that have them below
// dir. An edition has three tenths of the orders, by a hash whose seed is the edition's number. Two
// editions have three tenths of their rows in common, as two draws do.
func prepareEditions(dir string, editions int) (out []string) {
	for n := range editions {
		for _, table := range slices.Sorted(maps.Keys(keyOf)) {
			out = append(out, fmt.Sprintf("INSERT OVERWRITE DIRECTORY '%s' USING parquet SELECT /*+ COALESCE(2) */ * FROM %s WHERE pmod(xxhash64(%s, %d), 10) < 3",
				editionOf(dir, table, n), table, keyOf[table], n))
		}
	}
	return out
}

// queries are TPC-H's, from the files in dir.
func queries(dir string, names []string) (out []variant, err error) {
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(dir, name+".sql"))
		if err != nil {
			return nil, fmt.Errorf("-queries: %w", err)
		}
		out = append(out, variant{Query: name, SQL: strings.TrimSuffix(strings.TrimSpace(string(text)), ";"), Each: 1})
	}
	return out, nil
}

// statements are the variants as a session's, each as often as it is in a pass.
func statements(all []variant) (out []session.Statement) {
	for _, v := range all {
		for n := range v.Each {
			out = append(out, session.Statement{ID: v.id(n), SQL: v.SQL})
		}
	}
	return out
}
