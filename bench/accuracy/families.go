package main

import (
	"fmt"
	"strings"
)

// family is one query in three forms that differ in how much CPU one of its operators burns.
type family struct {
	Name  string
	Group string // "pure", "llss" or "other": which figure it counts for
	// Role begins the name of the operator that owns the burning expression in the executed plan.
	Role   string
	Column string // what the burn hashes; the reference reads it too
	Step   int    // hashes of level 1; level 2 has twice as many, level 0 one
	// SQL with %[1]s where the burn, a non-negative int that is never 77, stands.
	SQL string
}

// never is a value that the burn does not have for any row of the tables here; the code cannot know.
const never = "77"

// burn is the burning expression of a level: Murmur3 of the column again and again, each hash seeded with the one before. It allocates
// nothing and C2 cannot fold it, for each step depends on the one before (nested xxhash64 and pmod were folded away).
func (f family) burn(level int) string {
	n := max(1, level*f.Step)
	return "hash(" + strings.TrimSuffix(strings.Repeat(f.Column+", ", n), ", ") + ")"
}

func (f family) sql(level int) string { return fmt.Sprintf(f.SQL, f.burn(level)) }

func (f family) statement(level int) string { return fmt.Sprintf("%s/%d", f.Name, level) }

// levels of every family: the reference, the burn, twice the burn.
const levels = 3

// llss is LLSS's query in its fair form: the hash tables of join and aggregate stay in the cache (100 suppliers, 100 groups), all forms
// read the same columns. The arguments are what is added to the grouping expression, to the join key and to the filter.
func llss(group, join, filter string) string {
	return "SELECT (l_suppkey % 100 * 100) + s_nationkey" + group + " AS g, count(*) AS n, sum(l_quantity) AS q" +
		" FROM lineitem JOIN (SELECT s_suppkey, s_nationkey FROM supplier WHERE s_suppkey <= 100) ON s_suppkey = l_suppkey % 100 + 1" + join +
		" WHERE l_commitdate < DATE '1998-12-01'" + filter + " GROUP BY 1"
}

const (
	addBurn  = " + if(%[1]s = " + never + ", 1, 0)"
	burnTrue = " AND %[1]s <> " + never
)

// escaped keeps the % of SQL through Sprintf; the burn's own %[1]s stays.
func escaped(sql string) string {
	return strings.ReplaceAll(strings.ReplaceAll(sql, "%", "%%"), "%%[1]s", "%[1]s")
}

// families are all oracles, the headline first.
var families = []family{
	{"pure", "pure", "filter", "l_commitdate", 80, "SELECT count(*) FROM lineitem WHERE l_commitdate < DATE '1998-12-01'" + burnTrue},
	{"filter", "llss", "filter", "l_commitdate", 80, escaped(llss("", "", burnTrue))},
	{"join key", "llss", "join", "l_suppkey", 80, escaped(llss("", addBurn, ""))},
	{"grouping expression", "llss", "project", "l_suppkey", 80, escaped(llss(addBurn, "", ""))},
}
