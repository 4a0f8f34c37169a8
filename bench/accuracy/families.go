package main

import (
	"fmt"
	"strings"

	"github.com/planflame/planflame/bench/internal/session"
)

// family is one query in three forms that differ in how much CPU one of its operators burns.
type family struct {
	Name  string
	Group string // which figure it counts for: "pure", "llss", "own" or "whole" (LLSS's own form, not fair), "udf" or "other"
	// Role begins the name of the operator that owns the burning expression in the executed plan.
	// If several operators have the role, Named stands in the text that people read.
	Role, Named string
	Column      string // what the burn hashes; the reference reads it too
	Step        int    // hashes of level 1; level 2 has twice as many, level 0 one
	SHA         bool   // burn by SHA-512, as LLSS did: each row makes garbage, which slows other operators
	// SQL has %[1]s where the burn stands, an int, or %[2]d where the number of steps does, or
	// %[4]s where Again stands once for each step but one.
	SQL     string
	Again   string
	Discard bool
	Setup   []string // statements that make the tables of a level; %[3]s stands for a folder to write to
}

// never is a value that the burn nearly never has; the code cannot know.
const never = "77"

func (f family) steps(level int) int { return max(1, level*f.Step) }

// burn is the burning expression of a level: Murmur3 of the column again and again, each hash
// seeded with the one before. It allocates nothing and C2 cannot fold it, for each step depends on
// the one before (nested xxhash64 and pmod were folded away).
func (f family) burn(level int) string {
	if f.SHA {
		return "length(" + strings.Repeat("sha2(", level) + "cast(" + f.Column + " AS string)" + strings.Repeat(", 512)", level) + ")"
	}
	return "hash(" + strings.TrimSuffix(strings.Repeat(f.Column+", ", f.steps(level)), ", ") + ")"
}

func (f family) statement(level int) session.Statement {
	return session.Statement{ID: fmt.Sprintf("%s/%d", f.Name, level), SQL: f.fill(f.SQL, level, ""), Discard: f.Discard}
}

// setup are the statements that make the tables of a level in a folder.
func (f family) setup(level int, dir string) []string {
	var out []string
	for _, sql := range f.Setup {
		out = append(out, f.fill(sql, level, dir))
	}
	return out
}

func (f family) fill(sql string, level int, dir string) string {
	again := strings.Repeat(f.Again, f.steps(level)-1)
	return strings.NewReplacer("%[1]s", f.burn(level), "%[2]d", fmt.Sprint(f.steps(level)), "%[3]s", dir, "%[4]s", again).Replace(sql)
}

// owns reports whether an operator is the one that burns.
func (f family) owns(id string, op session.Operator) bool {
	return role(id) == f.Role && strings.Contains(op.Name, f.Named)
}

// levels of every family: the reference, the burn, twice the burn.
const levels = 3

// llss is LLSS's query in its fair form. The hash tables of join and aggregate stay in the cache
// (100 suppliers, 100 groups), and all forms read the same columns. The aggregate only counts: the
// sum of a decimal was two thirds of the reference. If neighbors cost more in one form than in
// another, E includes it. The arguments are what is added to the grouping expression, to the join
// key and to the filter.
func llss(group, join, filter string) string {
	return "SELECT (l_suppkey % 100 * 100) + s_nationkey" + group + " AS g, count(*) AS n" +
		" FROM lineitem JOIN (SELECT s_suppkey, s_nationkey FROM supplier WHERE s_suppkey <= 100) ON s_suppkey = l_suppkey % 100 + 1" + join +
		" WHERE l_commitdate < DATE '1998-12-01'" + filter + " GROUP BY 1"
}

// llssOwn is LLSS's query as it was: all of the first 10,000 suppliers, and a group for each. Hash
// tables of that size are beyond the first caches.
func llssOwn(group, join, filter string) string {
	return "SELECT (l_suppkey * 100) + s_nationkey" + group + " AS g, count(*) AS n" +
		" FROM lineitem JOIN (SELECT s_suppkey, s_nationkey FROM supplier WHERE s_suppkey <= 10000) ON s_suppkey = l_suppkey" + join +
		" WHERE l_commitdate < DATE '1998-12-01'" + filter + " GROUP BY 1"
}

// llssWhole is llssOwn with averages, sums and ORDER BY … LIMIT, as LLSS's query had them; which
// columns they take is our choice.
func llssWhole(group, join, filter string) string {
	counted := llssOwn(group, join, filter)
	return strings.Replace(counted, "count(*) AS n", "count(*) AS n, avg(l_quantity), avg(l_discount), sum(l_quantity), sum(l_extendedprice)", 1) + " ORDER BY 1 LIMIT 100"
}

const (
	addBurn  = " + if(%[1]s = " + never + ", 1, 0)"
	burnTrue = " AND %[1]s <> " + never
	udf      = function + "(cast(l_suppkey AS BIGINT), %[2]d)"
)

// families are all oracles, the headline first. The burn is evaluated by the operator that has it
// in the executed plan. A join evaluates its key. A Project below the aggregate evaluates a
// grouping expression, a Project below the window a window's argument.
var families = []family{
	{Name: "pure", Group: "pure", Role: "filter", Column: "l_commitdate", Step: 160, SQL: "SELECT count(*) FROM lineitem WHERE l_commitdate < DATE '1998-12-01'" + burnTrue},
	{Name: "filter", Group: "llss", Role: "filter", Column: "l_commitdate", Step: 160, SQL: llss("", "", burnTrue)},
	{Name: "join key", Group: "llss", Role: "join", Column: "l_suppkey", Step: 160, SQL: llss("", addBurn, "")},
	{Name: "grouping expression", Group: "llss", Role: "project", Column: "l_suppkey", Step: 160, SQL: llss(addBurn, "", "")},

	// LLSS's own form: the burn makes garbage. What the garbage costs the neighbors is real, so E
	// is not attribution's alone.
	{Name: "pure, SHA-512", Group: "own", Role: "filter", Column: "l_commitdate", SHA: true, SQL: "SELECT count(*) FROM lineitem WHERE l_commitdate < DATE '1998-12-01'" + burnTrue},
	{Name: "filter, SHA-512", Group: "own", Role: "filter", Column: "l_commitdate", SHA: true, SQL: llssOwn("", "", burnTrue)},
	{Name: "join key, SHA-512", Group: "own", Role: "join", Column: "l_suppkey", SHA: true, SQL: llssOwn("", addBurn, "")},
	{Name: "grouping expression, SHA-512", Group: "own", Role: "project", Column: "l_suppkey", SHA: true, SQL: llssOwn(addBurn, "", "")},

	{Name: "filter, whole query", Group: "whole", Role: "filter", Column: "l_commitdate", SHA: true, SQL: llssWhole("", "", burnTrue)},
	{Name: "join key, whole query", Group: "whole", Role: "join", Column: "l_suppkey", SHA: true, SQL: llssWhole("", addBurn, "")},
	{Name: "grouping expression, whole query", Group: "whole", Role: "project", Column: "l_suppkey", SHA: true, SQL: llssWhole(addBurn, "", "")},

	// User-defined functions of Java: Spark's code calls them, so most of what they burn has a
	// frame of its own.
	{
		Name: "Java UDF in a filter", Group: "udf", Role: "filter", Step: 400,
		SQL: "SELECT count(*) FROM lineitem WHERE l_suppkey < 1000000 AND " + udf + " <> " + never,
	},
	{
		Name: "Java UDF in a grouping expression", Group: "udf", Role: "project", Step: 400,
		SQL: "SELECT l_suppkey % 100 + if(" + udf + " = " + never + ", 1, 0) AS g, count(*) AS n FROM lineitem GROUP BY 1",
	},

	// Beyond LLSS.
	{
		Name: "lazy projection", Group: "other", Role: "project", Column: "l_suppkey", Step: 160, Discard: true, // evaluated in the sort's code
		SQL: "SELECT b, k FROM (SELECT %[1]s AS b, l_orderkey AS k FROM lineitem WHERE l_quantity < 26) SORT BY b",
	},
	{
		Name: "first of two aggregates", Group: "other", Role: "aggregate", Named: "_groupingexpression", Column: "l_suppkey", Step: 160,
		SQL: "SELECT count(*), max(s) FROM (SELECT l_suppkey % 100 AS k, sum(if(%[1]s = " + never + ", 1, 0)) AS s FROM lineitem GROUP BY 1)",
	},
	{
		Name: "sort-merge join's condition", Group: "other", Role: "join", Column: "l_commitdate", Step: 160,
		SQL: "SELECT /*+ MERGE(s) */ count(*) FROM lineitem JOIN supplier AS s ON s_suppkey = l_suppkey AND hash(s_nationkey, %[1]s) <> " + never,
	},
	{
		// A frame that ends at the partition's end is computed again for every row: the burn is
		// partitions of 160 and 320 times the size.
		Name: "window frame", Group: "other", Role: "window", Step: 160,
		SQL: "SELECT max(q) FROM (SELECT max(l_quantity) OVER (PARTITION BY l_orderkey % (70000 DIV %[2]d) ORDER BY l_linenumber ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS q FROM lineitem WHERE l_quantity < 10)",
	},
	{
		Name: "generator", Group: "other", Role: "generate", Column: "l_suppkey", Step: 160,
		SQL: "SELECT count(*) FROM (SELECT explode(array(%[1]s, l_linenumber)) AS x FROM lineitem) WHERE x <> " + never,
	},
	{
		Name: "union's left side", Group: "other", Role: "filter", Column: "l_suppkey", Step: 160,
		SQL: "SELECT count(*) FROM (SELECT l_orderkey FROM lineitem WHERE %[1]s <> " + never + " UNION ALL SELECT l_orderkey FROM lineitem)",
	},
	{
		Name: "scalar subquery's filter", Group: "other", Role: "filter", Named: "murmur3hash", Column: "l_suppkey", Step: 160,
		SQL: "SELECT count(*) FROM lineitem WHERE l_quantity > (SELECT avg(l_quantity) FROM lineitem WHERE %[1]s <> " + never + ")",
	},
	{
		Name: "expand", Group: "other", Role: "expand", Column: "l_suppkey", Step: 160,
		SQL: "SELECT count(DISTINCT %[1]s & 15), count(DISTINCT l_linenumber) FROM lineitem",
	},
	{
		Name: "shuffle write's partitioning", Group: "other", Role: "exchange", Column: "l_suppkey", Step: 160,
		SQL: "SELECT count(*) FROM (SELECT l_orderkey FROM lineitem DISTRIBUTE BY %[1]s)",
	},
	{
		// One shuffle is written, and read once a step (ReusedExchange). Each reading is one task,
		// since a task has a cost of its own. Rows are large: the iterators between a reading and
		// the union's loop belong to the union and have a cost for each row.
		Name: "shuffle read", Group: "other", Role: "exchange", Step: 6,
		SQL: "WITH x AS (SELECT /*+ REPARTITION(1) */ repeat(sha2(cast(l_orderkey AS string), 256), 160) AS p FROM lineitem WHERE l_orderkey % 64 = 0)" +
			" SELECT count(p) FROM (SELECT p FROM x%[4]s)",
		Again: " UNION ALL SELECT p FROM x",
	},
	{ // fields that no one asked for are split all the same
		Name: "CSV scan", Group: "other", Role: "scan", Step: 40, SQL: "SELECT count(*) FROM csv_%[2]d WHERE k > 0",
		Setup: []string{
			"INSERT OVERWRITE DIRECTORY '%[3]s/csv_%[2]d' USING text SELECT concat(l_suppkey, repeat(',12345', %[2]d)) FROM lineitem WHERE l_orderkey % 8 = 0",
			"CREATE TEMPORARY VIEW csv_%[2]d (k BIGINT) USING csv OPTIONS (path '%[3]s/csv_%[2]d')",
		},
	},
	{
		Name: "aggregate above rollup", Group: "other", Role: "aggregate", Column: "l_suppkey", Step: 40,
		SQL: "SELECT l_returnflag, l_linestatus, max(if(%[1]s = " + never + ", 1, 0)) FROM lineitem GROUP BY ROLLUP (l_returnflag, l_linestatus)",
	},
}
