package dashboards

// What a query or an operator is told by, and what it is called.
const (
	byQuery    = "service_name, spark_query_name, spark_query_fingerprint"
	byOperator = byQuery + ", spark_sql_operator_name, spark_sql_operator_id"
)

// inRange is the CPU seconds of a metric in the time shown, of the chosen owners.
func inRange(metric, more string) string {
	return "increase(" + metric + "{" + owned + more + "}[$__range])"
}

// perSecond is its cores over time.
func perSecond(metric, more string) string {
	return "rate(" + metric + "{" + owned + more + "}[$__rate_interval])"
}

const (
	queryCPU         = "spark_sql_query_cpu_time_seconds_total"
	operatorCPU      = "spark_sql_operator_cpu_time_seconds_total"
	operatorVariance = "spark_sql_operator_cpu_variance_s2_total"
	operatorRows     = "spark_sql_operator_rows_total"
	isOperator       = `, spark_sql_operator_id!~"\\[.*"`
	isBucket         = `, spark_sql_operator_id=~"\\[.*"`
)

// top keeps the 20 largest.
func top(expr string) string { return "topk(20, " + expr + ")" }

// fleet says who uses the CPU, and whether the profiler is well.
func fleet(price float64) *Dashboard {
	hours := "sum(" + inRange(queryCPU, "") + ") / 3600"
	return page(fleetUID, "planflame: fleet", "Which queries and operators of all Spark applications use the CPU, whose they are and what that costs, and whether the profiler is well.", "now-24h",
		common(price),
		row{"Use", []line{
			{4, []*Panel{
				stat("Task CPU", "CPU of all Spark SQL tasks that ended in the time shown, by their threads' own clocks, and of their Python workers.", unitCoreHours, hours),
				stat("Cost", "Task CPU times the price above.", unitMoney, money(hours)),
				stat("In operators", "Part of that CPU that a node of a query's plan is known for. The rest is below, in buckets with names. Little is right where tasks are short.", unitShare,
					"sum("+inRange(operatorCPU, isOperator)+") / (sum("+inRange(operatorCPU, "")+") > 0)", below("orange"), from(0.7, "yellow"), from(0.9, "green")),
				stat("More expensive operators", "Operators whose shift to a higher cost stands: the dashboard of shifts has them. No data: no query was judged lately.", unitCount,
					"sum(spark_sql_operator_cost_shifted{"+owned+"})", below("green"), from(1, "red")),
				stat("Executors seen", "JVMs that the Collectors read now.", unitCount, `sum(otelcol_receiver_spark_profile_jvms{state="live"})`, below("red"), from(1, "green")),
			}, []int{5, 5, 5, 5, 4}},
			{9, []*Panel{
				stacked(curves("Cores by owner", "CPU seconds a second of tasks, by the label chosen above; without a name: tasks that do not have it. Of a series that is new Prometheus does not see the first increase.",
					unitCores, over("sum by ($by) ("+perSecond(queryCPU, "")+")", "{{$by}}"))),
				sorted(table("Owners", "Core-hours in the time shown, and their cost.",
					column{title: "Core-hours", unit: unitCoreHours, expr: "sum by ($by) (" + inRange(queryCPU, "") + ") / 3600", width: 140},
					column{title: "Cost", unit: unitMoney, expr: money("sum by ($by) (" + inRange(queryCPU, "") + ") / 3600"), width: 120}), "Core-hours"),
			}, []int{16, 8}},
		}},
		row{"What uses it", []line{
			{10, []*Panel{sorted(table("Top queries", "The 20 queries with the most CPU in the time shown. A query has one name for all literals, dates and paths; an empty one: CPU of no query. A click leads to its operators.",
				column{name: "service_name", title: "Application"},
				column{name: "spark_query_name", title: "Query", link: toQuery(false)},
				column{name: "spark_query_fingerprint", title: "Fingerprint", width: 190},
				column{title: "Core-hours", unit: unitCoreHours, expr: top("sum by (" + byQuery + ") (" + inRange(queryCPU, "") + ") / 3600"), width: 130},
				column{title: "Cost", unit: unitMoney, expr: top(money("sum by (" + byQuery + ") (" + inRange(queryCPU, "") + ") / 3600")), width: 110},
				column{title: "Share", unit: unitShare, expr: top("sum by (" + byQuery + ") (" + inRange(queryCPU, "") + ") / scalar(sum(" + inRange(queryCPU, "") + ") > 0)"), width: 90}), "Core-hours")}, nil},
			{10, []*Panel{topOperators()}, nil},
		}},
		times(),
		row{"CPU that is no operator's", []line{{9, []*Panel{
			stacked(curves("Buckets", "Task CPU of no plan node, by what it is: a JVM's warming up (codegen, class loading), the framework around tasks, kernel time without samples, unknown.", unitCores,
				over("sum by (spark_sql_operator_name) ("+perSecond(operatorCPU, isBucket)+")", "{{spark_sql_operator_name}}"))),
			curves("Their share", "The same as part of all task CPU.", unitShare,
				over("sum by (spark_sql_operator_name) ("+perSecond(operatorCPU, isBucket)+") / scalar(sum("+perSecond(operatorCPU, "")+") > 0)", "{{spark_sql_operator_name}}")),
		}, nil}}},
		health())
}

// topOperators are the most expensive operators, with what sampling leaves open.
func topOperators() *Panel {
	cpu := "sum by (" + byOperator + ") (" + inRange(operatorCPU, isOperator) + ") / 3600"
	return sorted(table("Top operators", "The 20 operators with the most CPU in the time shown, with the half width of their 95 % interval by sampling. What attribution may get wrong is not in it.",
		column{name: "service_name", title: "Application"},
		column{name: "spark_query_name", title: "Query", link: toQuery(true)},
		column{name: "spark_sql_operator_name", title: "Operator", link: toQuery(true)},
		column{name: "spark_query_fingerprint"},
		column{name: "spark_sql_operator_id"},
		column{title: "Core-hours", unit: unitCoreHours, expr: top(cpu), width: 130},
		column{title: "± 95 %", unit: unitCoreHours, expr: "1.96 * sqrt(sum by (" + byOperator + ") (" + inRange(operatorVariance, isOperator) + ")) / 3600 and " + top(cpu), width: 120},
		column{title: "Cost", unit: unitMoney, expr: money(top(cpu)), width: 110}), "Core-hours")
}
