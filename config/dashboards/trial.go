package dashboards

const (
	queryRuns = "spark_sql_query_runs_total"
	byPrint   = "spark_query_fingerprint"
	// atJudge ends the description of a change. An interval needs what Prometheus does not have:
	// the probability with which each query was drawn.
	atJudge = " It is no estimate for the other queries: planflame trial judge makes one from trial.json, with its interval, and at the usual rows."
)

// usual is the increase of a counter outside of trials, over the time chosen for it.
func usual(by, metric string) string {
	return "sum by (" + by + ") (increase(" + metric + "{" + owned + `, trial=""}[$usual]))`
}

// rerun is what a counter has of the trial. Its last value counts: a series of one re-run begins
// with it, so an increase would be 0.
func rerun(by, metric string) string {
	return "sum by (" + by + ") (max_over_time(" + metric + "{" + owned + `, trial="$trial"}[$__range]))`
}

// sides are the CPU seconds of re-run queries by some labels: usual ones, and under the change for
// as many runs. query has the labels by which runs are counted, which are among by.
func sides(by, query string) (before, after string) {
	runs := "(" + rerun(query, queryRuns) + " > 0)"
	before = "(" + usual(by, operatorCPU) + " and on (" + query + ") " + runs + ")"
	after = "(" + rerun(by, operatorCPU) + " * on (" + query + ") group_left () (" + usual(query, queryRuns) + " / " + runs + "))"
	return before, after
}

// kinds gives series of operators what phases and verdicts of a trial go by: the role, and the
// physical operator.
func kinds(expr string) string {
	return `label_replace(label_replace(` + expr + `, "role", "$1", "spark_sql_operator_id", "([^@]+).*"), "operator", "$1", "spark_sql_operator_name", "([^ ]*).*")`
}

// changed are the columns of a table of changes: both sides summed by labels.
func changed(by, before, after string) []column {
	before, after = "sum by ("+by+") ("+before+") / 3600", "sum by ("+by+") ("+after+") / 3600"
	return []column{
		{title: "Usual core-hours", unit: unitCoreHours, expr: before, width: 150},
		{title: "Under the change", unit: unitCoreHours, expr: after, width: 150},
		{title: "Change", unit: unitShare, expr: after + " / (" + before + " > 0) - 1", width: 100, colour: []Step{below("green"), from(0.1, "orange"), from(0.5, "red")}},
	}
}

// trial shows what re-runs under a change cost beside the usual runs of the same queries.
func trial(price float64) *Dashboard {
	variables := append(common(price),
		asked("trial", "Trial", "label_values("+queryRuns+"{"+owned+`, trial!=""}, trial)`, false),
		choice("usual", "Usual costs of", "The time up to the end of the time shown over which usual runs are summed.", "7d", "1d", "14d", "28d"))
	before, after := sides(byPrint, byPrint)
	change := "sum(" + after + ") / sum(" + before + ") - 1"
	rerunQueries := rerun(byPrint, queryRuns)
	return page(trialUID, "planflame: trial", "Re-runs of some queries under a change, such as a new JDK, beside their usual runs.", "now-7d",
		variables,
		row{"$trial", []line{
			{4, []*Panel{
				stat("Queries", "Queries with a re-run that ended well.", unitCount, "count("+rerunQueries+" > 0)"),
				stat("Re-runs", "Executions that ended well, since the trial's series began. A restart of the driver's Collector between them loses the ones before.", unitCount, "sum("+rerunQueries+")"),
				stat("Failed queries", "Queries of which no re-run ended well.", unitCount, "count("+rerunQueries+" == 0) or vector(0)", below("green"), from(1, "red")),
				stat("Their usual cost", "Part of all usual CPU that the re-run queries have.", unitShare, "sum("+before+") / (sum("+usual(byPrint, operatorCPU)+") > 0)"),
				stat("Change of these queries", "CPU of the re-run queries over their usual CPU for as many runs."+atJudge, unitShare, change, below("green"), from(0.1, "orange"), from(0.5, "red")),
			}, nil},
			{9, []*Panel{
				signed(curves("Change as re-runs come in", "Of the queries re-run up to then, all together."+atJudge, unitShare, over(change, "change"))),
				curves("Re-runs so far", "Re-runs that ended well, and their queries.", unitCount, over("sum("+rerunQueries+")", "re-runs"), over("count("+rerunQueries+" > 0)", "queries")),
			}, nil},
			{9, []*Panel{ofKinds(), ofOwners()}, nil},
			{10, []*Panel{ofQueries()}, nil},
		}})
}

// signed shows curves that may fall below 0.
func signed(p *Panel) *Panel {
	p.Field.Defaults.Min = nil
	return p
}

// ofKinds are the changes by kind of operator. An operator that only one side has is left out.
func ofKinds() *Panel {
	const by, operator = "role, operator", byPrint + ", spark_sql_operator_id, spark_sql_operator_name"
	before, after := sides(operator, byPrint)
	both := func(one, other string) string {
		return kinds("(" + one + " and on (" + byPrint + ", spark_sql_operator_id) " + other + ")")
	}
	return sorted(table("By kind of operator", "Operators that both sides have. Steady or sensitive: planflame trial judge says it.",
		append([]column{{name: "role", title: "Role"}, {name: "operator", title: "Operator"}}, changed(by, both(before, after), both(after, before))...)...), "Usual core-hours")
}

// ofOwners are the changes by owner; each owner's own runs count.
func ofOwners() *Panel {
	before, after := sides("$by, "+byPrint, "$by, "+byPrint)
	return sorted(table("By owner", "Re-run queries of each owner that has usual runs and re-runs of them.", changed("$by", before, after)...), "Usual core-hours")
}

// ofQueries is the table of re-run queries.
func ofQueries() *Panel {
	const by = "spark_query_name, " + byPrint
	before, after := sides(by, by)
	columns := []column{
		{name: "spark_query_name", title: "Query", link: toQuery(false)},
		{name: byPrint, title: "Fingerprint", width: 190},
		{title: "Re-runs", unit: unitCount, expr: rerun(by, queryRuns), width: 100},
	}
	return sorted(table("Queries of the trial", "A query without a change failed, or has no usual runs.", append(columns, changed(by, before, after)...)...), "Change")
}
