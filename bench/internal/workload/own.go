package workload

import "github.com/planflame/planflame/bench/internal/session"

var (
	noBroadcast = map[string]string{"spark.sql.autoBroadcastJoinThreshold": "-1", "spark.sql.adaptive.enabled": "false"}
	noAdaptive  = map[string]string{"spark.sql.adaptive.enabled": "false"}
)

// Own are the statements on which attribution's rules are made: every operator that Spark fuses and
// what TPC-H has little of. They read the tables of TPC-H.
var Own = []session.Statement{
	{ID: "window", SQL: `SELECT l_suppkey, sum(l_quantity + 1) OVER (PARTITION BY l_suppkey % 7 ORDER BY l_shipdate, l_extendedprice * 2) AS s FROM lineitem WHERE l_quantity < 5`},
	{ID: "window-rank-filter", SQL: `SELECT * FROM (SELECT l_suppkey, l_partkey, rank() OVER (PARTITION BY l_suppkey ORDER BY l_tax + l_discount) AS r FROM lineitem) WHERE r < 3`},
	{ID: "rollup", SQL: `SELECT l_returnflag, l_linestatus, sum(l_quantity * 3) AS q FROM lineitem GROUP BY l_returnflag, l_linestatus WITH ROLLUP`},
	{ID: "cube-having", SQL: `SELECT l_shipmode, year(l_shipdate) AS y, count(*) AS n FROM lineitem GROUP BY CUBE (l_shipmode, year(l_shipdate)) HAVING count(*) > 10`},
	{ID: "union", SQL: `SELECT k, sum(v) AS s FROM (SELECT l_suppkey + 1 AS k, l_tax AS v FROM lineitem WHERE l_tax > 0.02 UNION ALL
		SELECT o_custkey + 2, o_totalprice FROM orders WHERE o_totalprice > 1000) GROUP BY k`},
	{ID: "union-projected", SQL: `SELECT k * 3 AS k3 FROM (SELECT l_suppkey AS k FROM lineitem WHERE l_linenumber = 2 UNION ALL SELECT o_custkey FROM orders WHERE o_shippriority = 0) WHERE k > 17`},
	{ID: "explode", SQL: `SELECT w, count(*) AS n FROM (SELECT explode(split(l_comment, ' ')) AS w FROM lineitem) WHERE length(w) > 3 GROUP BY w`},
	{ID: "explode-outer", SQL: `SELECT l_orderkey + 1 AS k, p, upper(e) AS u FROM (SELECT l_orderkey, posexplode_outer(array(l_shipmode, l_returnflag, l_comment)) AS (p, e) FROM lineitem) WHERE p < 2 OR e = 'x'`},
	{ID: "inline", SQL: `SELECT a * 2 AS a2, b FROM (SELECT inline(array(struct(l_tax AS a, l_shipmode AS b), struct(l_discount AS a, l_shipinstruct AS b))) FROM lineitem) WHERE a > 0.03`},
	{ID: "two-aggregates", SQL: `SELECT m, count(*) AS n FROM (SELECT l_orderkey % 50 AS k, max(l_quantity + 1) AS m FROM lineitem GROUP BY l_orderkey % 50) GROUP BY m`, Conf: map[string]string{"spark.sql.shuffle.partitions": "1", "spark.sql.adaptive.enabled": "false"}},
	{ID: "two-aggregates-one-stage", SQL: `SELECT m, count(*) AS n FROM (SELECT id % 10 AS k, max(id * 3) AS m FROM range(0, 100000, 1, 1) GROUP BY id % 10) GROUP BY m`, Conf: noAdaptive},
	{ID: "distinct", SQL: `SELECT count(DISTINCT l_suppkey % 13), count(DISTINCT l_partkey), sum(l_tax) FROM lineitem WHERE l_quantity > 2`},
	{ID: "distinct-grouped", SQL: `SELECT l_returnflag, l_linestatus, count(DISTINCT l_suppkey) AS n FROM lineitem WHERE l_tax > 0.01 GROUP BY l_returnflag, l_linestatus`},
	{ID: "build-left", SQL: `SELECT /*+ BROADCAST(c) */ c_name, k, s + 1 AS s1 FROM customer c JOIN (SELECT o_custkey % 100 AS k, sum(o_totalprice) AS s FROM orders GROUP BY o_custkey % 100 HAVING sum(o_totalprice) > 7) ON c_custkey = k`},
	{ID: "build-left-exchange", SQL: `SELECT /*+ BROADCAST(n) */ n_name, l_tax * 2 AS t FROM nation n JOIN (SELECT /*+ REPARTITION(3, l_suppkey) */ l_suppkey, l_tax FROM lineitem WHERE l_quantity < 4) ON n_nationkey = l_suppkey`},
	{ID: "sort-merge-join", SQL: `SELECT o_orderpriority, l_shipmode, l_tax + o_totalprice AS x FROM lineitem JOIN orders ON l_orderkey = o_orderkey AND l_quantity * 1000 < o_totalprice WHERE l_linenumber < 5`, Conf: noBroadcast},
	{ID: "sort-merge-left", SQL: `SELECT o_orderkey, coalesce(l_tax, 7) + 1 AS t FROM orders LEFT JOIN lineitem ON l_orderkey = o_orderkey AND l_quantity < 3 AND o_totalprice > l_extendedprice`, Conf: noBroadcast},
	{ID: "sort-merge-full", SQL: `SELECT a.k, b.k + 1 AS k1 FROM (SELECT o_custkey * 2 AS k FROM orders) a FULL JOIN (SELECT c_custkey * 3 AS k FROM customer) b ON a.k = b.k`, Conf: noBroadcast},
	{ID: "sort-merge-semi-anti", SQL: `SELECT count(*) FROM orders o WHERE EXISTS (SELECT 1 FROM lineitem WHERE l_orderkey = o_orderkey AND l_tax < 0.04)
		AND NOT EXISTS (SELECT 1 FROM lineitem WHERE l_orderkey = o_orderkey AND l_quantity > 45 AND l_extendedprice > o_totalprice / 9)`, Conf: noBroadcast},
	{ID: "sort-merge-chain", SQL: `SELECT c_mktsegment, sum(l_quantity * 2) FROM lineitem, orders, customer WHERE l_orderkey = o_orderkey AND o_custkey = c_custkey AND c_acctbal > 10 GROUP BY c_mktsegment`, Conf: noBroadcast},
	{ID: "shuffled-hash", SQL: `SELECT /*+ SHUFFLE_HASH(o) */ o_orderpriority, l_tax * 2 AS t FROM lineitem LEFT JOIN orders o ON l_orderkey = o_orderkey AND o_totalprice > l_extendedprice WHERE l_tax > 0.01`, Conf: noBroadcast},
	{ID: "shuffled-hash-full", SQL: `SELECT /*+ SHUFFLE_HASH(c) */ o_orderkey + 1 AS k, c_acctbal * 2 AS b FROM orders o FULL JOIN customer c ON o_custkey = c_custkey`, Conf: noBroadcast},
	{ID: "broadcast-outer", SQL: `SELECT o_orderkey, c_name, coalesce(c_acctbal, 0) * 2 AS b FROM orders LEFT JOIN (SELECT * FROM customer WHERE c_acctbal > 5000) ON o_custkey = c_custkey AND o_totalprice > c_acctbal`},
	{ID: "broadcast-semi-anti", SQL: `SELECT count(*) FROM lineitem WHERE l_suppkey IN (SELECT s_suppkey FROM supplier WHERE s_acctbal > 100) AND l_partkey NOT IN (SELECT p_partkey FROM part WHERE p_size > 40)`},
	{ID: "broadcast-existence", SQL: `SELECT l_orderkey FROM lineitem WHERE l_quantity < 3 OR EXISTS (SELECT 1 FROM supplier WHERE s_suppkey = l_suppkey AND s_acctbal > l_extendedprice)`},
	{ID: "nested-loop", SQL: `SELECT a.n_name, b.r_name, a.n_nationkey + b.r_regionkey AS s FROM nation a JOIN region b ON a.n_nationkey > b.r_regionkey * 2`},
	{ID: "nested-loop-outer", SQL: `SELECT s_name, n_name FROM supplier LEFT JOIN nation ON s_nationkey > n_nationkey + 20`},
	{ID: "twins", SQL: `SELECT c_name, n_name, o_totalprice * 2 AS t FROM orders JOIN customer ON o_custkey = c_custkey JOIN nation ON c_nationkey = n_nationkey JOIN region ON n_regionkey = r_regionkey
		WHERE o_totalprice > 1000 AND o_totalprice > c_acctbal * 2`},
	{ID: "lazy-projection", SQL: `SELECT u, v FROM (SELECT l_extendedprice * (1 - l_discount) AS u, substring(l_comment, 3, 9) AS v, l_shipdate AS d FROM lineitem WHERE l_quantity < 10) SORT BY u, d`},
	{ID: "lazy-twice", SQL: `SELECT x + y AS z FROM (SELECT a * 2 AS x, b + 1 AS y FROM (SELECT l_partkey * 3 AS a, l_suppkey - 4 AS b FROM lineitem WHERE l_tax > 0.01) WHERE a > 5) WHERE x - y > 3`},
	{ID: "grouping-expression", SQL: `SELECT sha2(l_comment, 256) AS h, count(*) AS n FROM lineitem GROUP BY sha2(l_comment, 256)`},
	{ID: "scalar-subqueries", SQL: `SELECT count(*) FROM lineitem WHERE l_quantity > (SELECT avg(l_quantity) FROM lineitem WHERE l_tax > 0.01) AND l_extendedprice > (SELECT avg(ps_supplycost) FROM partsupp WHERE ps_availqty > 10)`},
	{ID: "case-in", SQL: `SELECT sum(CASE WHEN l_shipmode IN ('AIR', 'RAIL', 'SHIP') THEN l_tax WHEN l_linenumber IN (1, 2, 3, 5) THEN 2 ELSE 3 END), avg(if(l_quantity > 10, l_discount, 0)) FROM lineitem WHERE l_comment LIKE '%the%' OR l_comment RLIKE 'b+c'`},
	{ID: "common-subexpression", SQL: `SELECT (l_partkey * 31 + 7) % 11 + 1 AS a, (l_partkey * 31 + 7) % 11 + 2 AS b, sum(l_suppkey * 3 + 5) AS c, max(l_suppkey * 3 + 5) AS d FROM lineitem GROUP BY (l_partkey * 31 + 7) % 11`},
	{ID: "many-aggregates", SQL: `SELECT l_returnflag, sum(l_extendedprice * 2), avg(l_discount + 1), sum(l_extendedprice * 3), avg(l_tax + 3), min(l_shipdate), max(l_comment), stddev(l_linenumber * 2) FROM lineitem GROUP BY l_returnflag`},
	{ID: "sort-aggregate", SQL: `SELECT l_shipmode, max(l_comment) AS c, min(concat(l_shipinstruct, 'x')) AS i FROM lineitem GROUP BY l_shipmode`, Conf: map[string]string{"spark.sql.execution.useHashAggregateExec": "false"}},
	{ID: "range-limit", SQL: `SELECT /*+ BROADCAST(b) */ a.id + 1 AS x FROM range(0, 100000, 1, 2) a JOIN range(50) b ON a.id % 50 = b.id WHERE a.id % 3 = 1 LIMIT 1000`},
	{ID: "top", SQL: `SELECT l_orderkey * 2 AS k, l_tax FROM lineitem WHERE l_quantity > 30 ORDER BY l_extendedprice + l_tax DESC LIMIT 20`},
	{ID: "sample", SQL: `SELECT l_suppkey + 1 AS s, count(*) AS n FROM lineitem TABLESAMPLE (20 PERCENT) WHERE l_tax > 0.01 GROUP BY l_suppkey + 1`},
	{ID: "wide", SQL: `SELECT l_orderkey + 1, l_partkey + 2, l_suppkey + 3, l_linenumber + 4, l_quantity + 5, l_extendedprice + 6, l_discount + 7, l_tax + 8, upper(l_returnflag), lower(l_linestatus),
		l_shipdate + interval 1 day, l_commitdate + interval 2 day, trim(l_shipinstruct), reverse(l_shipmode), length(l_comment) FROM lineitem WHERE l_orderkey % 2 = 1`},
	{ID: "higher-order", SQL: `SELECT aggregate(transform(filter(array(l_orderkey, l_partkey, l_suppkey), x -> x > 5), x -> x + 1), 0L, (a, b) -> a + b) AS s, map('a', l_tax)['a'] AS t FROM lineitem WHERE l_quantity < 20`},
	{ID: "cached-strings", SQL: `SELECT c_mktsegment, o_orderstatus, concat_ws('-', c_mktsegment, o_orderstatus, cast(o_orderkey AS string)) AS t FROM orders JOIN customer ON o_custkey = c_custkey WHERE c_name < o_clerk`},
}
