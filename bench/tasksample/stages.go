package main

import (
	"fmt"
	"strings"

	"github.com/planflame/planflame/bench/internal/session"
)

// stage is a statement of which the stage with the most CPU is recorded.
type stage struct {
	Name string                `json:"name"`
	SQL  func(part int) string `json:"-"`
	// Uneven is true if a few tasks have another size or another mix of operators than the rest. A
	// small sample of tasks cannot be right there, and is asked only to say so.
	Uneven bool `json:"uneven"`
	// Straggler tells the partitions that straggle with another mix of operators; nil where there
	// are none. :: partition → straggles
	Straggler func(partition int32) bool `json:"-"`
	Shuffles  int                        `json:"shuffle_partitions,omitempty"` // 0: four
	// Speculation runs the statement on a cluster of two hosts, where Spark starts copies of slow
	// tasks.
	Speculation bool `json:"speculation"`
}

// hashes is Murmur3 of id and x again and again, each hash seeded with the one before: it allocates
// nothing and C2 cannot fold it.
func hashes(n int) string {
	return "hash(" + strings.TrimSuffix(strings.Repeat("id, x, ", n), ", ") + ")"
}

// Rows of a partition of the stages that count through a range; to warm up, a fiftieth.
const (
	stragglingRows = 800_000
	tinyRows       = 40_000
	speculatedRows = 400_000
	tinyTasks      = 4_000
	warm           = 50
)

// straggles holds for 5 % of 200 partitions.
func straggles(partition int32) bool { return partition%20 == 7 }

// lineitem is the table, or for a warm-up a bit of it.
func lineitem(part int) string {
	if part == 1 {
		return "lineitem"
	}
	return fmt.Sprintf("(SELECT * FROM lineitem WHERE l_orderkey %% %d = 0)", 4*part)
}

// stages are what is recorded. All but the tiny tasks' have 200 partitions. SQL takes the part of
// the rows that are read, 1: all.
var stages = []stage{
	{
		// TPC-H's Q9, each line forty times, on partitions by a key of 600 values: like mixes in
		// all tasks, sizes as uneven as a hash of few keys makes them.
		Name: "tpch joins", SQL: func(part int) string {
			return "SELECT /*+ BROADCAST(orders), BROADCAST(partsupp), BROADCAST(supplier), BROADCAST(nation) */ n_name, year(o_orderdate) AS y," +
				" sum((price * (1 - discount) - double(ps_supplycost) * double(l_quantity)) * x) AS profit" +
				" FROM (SELECT * FROM (SELECT /*+ REPARTITION(200, part) */ l_orderkey % 600 AS part, l_orderkey, l_partkey, l_suppkey," +
				" double(l_extendedprice) AS price, double(l_discount) AS discount, l_quantity FROM " +
				lineitem(part) + ") LATERAL VIEW explode(sequence(1, 40)) AS x)" +
				" JOIN orders ON o_orderkey = l_orderkey JOIN partsupp ON ps_partkey = l_partkey AND ps_suppkey = l_suppkey" +
				" JOIN supplier ON s_suppkey = l_suppkey JOIN nation ON n_nationkey = s_nationkey" +
				" GROUP BY 1, 2"
		},
	},
	{
		// Three lines of ten have one of five suppliers: their partitions are much larger than the
		// others.
		Name: "skewed join", Uneven: true, Shuffles: 200, SQL: func(part int) string {
			return "SELECT /*+ MERGE(supplier) */ s_nationkey, count(*) AS n, sum(hash(l_extendedprice, x)) AS h, max(l_quantity * x) AS q" +
				" FROM (SELECT if(l_orderkey % 10 < 3, l_suppkey % 5 + 1, l_suppkey) AS k, l_extendedprice, l_quantity FROM " + lineitem(part) + ")" +
				" JOIN supplier ON s_suppkey = k LATERAL VIEW explode(sequence(1, 20)) AS x" +
				" WHERE hash(x, l_quantity, x, l_quantity, x) <> 77 GROUP BY 1"
		},
	},
	{
		// A twentieth of the tasks has six times the rows, and burns nearly all of its CPU in the
		// filter.
		Name: "stragglers", Uneven: true, Straggler: straggles, SQL: func(part int) string {
			return fmt.Sprintf("SELECT id %% 50 AS k, count(*) AS n, max(x) AS m FROM range(0, 200 * %[1]d, 1, 200)"+
				" LATERAL VIEW explode(sequence(1, if(id DIV %[1]d %% 20 = 7, 6, 1))) AS x"+
				" WHERE if(id DIV %[1]d %% 20 = 7, %[2]s, %[3]s) <> 77 GROUP BY 1", stragglingRows/part, hashes(12), hashes(2))
		},
	},
	{
		Name: "tiny tasks", SQL: func(part int) string {
			return fmt.Sprintf("SELECT count(*) AS n, max(x * 3 + id) AS m FROM (SELECT id, id %% 13 AS x FROM range(0, %d, 1, %d)) WHERE %s <> 77",
				int64(tinyTasks)*tinyRows/int64(part), tinyTasks/part, hashes(4))
		},
	},
	{
		// The last partitions are the slow ones, so that executors are free for their copies.
		Name: "speculation", Speculation: true, Uneven: true, SQL: func(part int) string {
			return fmt.Sprintf("SELECT id %% 50 AS k, count(*) AS n, max(x) AS m FROM range(0, 200 * %[1]d, 1, 200)"+
				" LATERAL VIEW explode(sequence(1, if(id DIV %[1]d >= 192, 4, 1))) AS x WHERE %[2]s <> 77 GROUP BY 1", speculatedRows/part, hashes(4))
		},
	},
}

func (s stage) statement() session.Statement { return session.Statement{ID: s.Name, SQL: s.SQL(1)} }

// conf are Spark's settings: partitions stay as many as they are, whatever adaptive execution
// thinks of it.
func (s stage) conf() []string {
	out := []string{fmt.Sprintf("spark.sql.shuffle.partitions=%d", max(s.Shuffles, 4)), "spark.sql.adaptive.coalescePartitions.enabled=false", "spark.sql.adaptive.skewJoin.enabled=false"}
	if s.Speculation {
		out = append(out, "spark.speculation=true", "spark.speculation.interval=50ms", "spark.speculation.quantile=0.5", "spark.speculation.multiplier=1.2")
	}
	return out
}
