package dashboards

const (
	queryWall    = "spark_sql_query_wall_time_seconds_total"
	queryDriver  = "spark_sql_query_driver_time_seconds_total"
	queryWaiting = "spark_sql_query_waiting_time_seconds_total"
	queryIdle    = "spark_sql_query_idle_time_seconds_total"
)

// times says where the time of queries goes besides CPU.
func times() row {
	of := func(metric string) string { return "sum by (" + byQuery + ") (" + inRange(metric, "") + ")" }
	longest := func(metric string) string { return of(metric) + " and " + top(of(queryWall)) }
	return row{"Where the time goes", []line{{10, []*Panel{
		sorted(table("Longest queries", "The 20 queries with the most wall time in the time shown. In the driver's time alone none of the query's tasks ran. Waiting is the time that tasks held a slot without using CPU themselves: input, shuffle, locks, Python workers. "+
			"Idle is the time of slots that no task held while a stage was active. Times are known where a Collector reads the driver's JVM.",
			column{name: "service_name", title: "Application"},
			column{name: "spark_query_name", title: "Query", link: toQuery(false)},
			column{name: "spark_query_fingerprint", title: "Fingerprint", width: 190},
			column{title: "Wall time", unit: unitSeconds, expr: top(of(queryWall)), width: 110},
			column{title: "Driver alone", unit: unitSeconds, expr: longest(queryDriver), width: 110},
			column{title: "CPU", unit: unitSeconds, expr: longest(queryCPU), width: 110},
			column{title: "Waiting", unit: unitSeconds, expr: longest(queryWaiting), width: 110},
			column{title: "Idle", unit: unitSeconds, expr: longest(queryIdle), width: 110}), "Wall time"),
	}, nil}}}
}
