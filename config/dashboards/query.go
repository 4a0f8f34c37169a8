package dashboards

// Selectors of the chosen query and operator; in Pyroscope they have shorter names.
const (
	ofQuery    = `, spark_query_fingerprint="$query"`
	ofOperator = ofQuery + `, spark_sql_operator_id="$operator"`

	profilesOfQuery    = `{query="$query"}`
	profilesOfOperator = `{query="$query", operator="$operator"}`
)

// chosen are the variables of a query and one of its operators, asked for one after the other among
// those that metric has.
func chosen() []*Variable {
	return []*Variable{
		asked("query_name", "Query", "label_values("+queryCPU+"{"+owned+`, spark_query_fingerprint!=""}, spark_query_name)`, false),
		asked("query", "Fingerprint", "label_values("+queryCPU+"{"+owned+`, spark_query_name="$query_name", spark_query_fingerprint!=""}, spark_query_fingerprint)`, false),
		asked("operator", "Operator", "label_values("+operatorCPU+"{"+owned+ofQuery+isOperator+"}, spark_sql_operator_id)", false),
	}
}

const oneOperator = "spark_sql_operator_name, spark_sql_operator_id"

// query shows one query and its operators.
func query(price float64) *Dashboard {
	hours := "sum(" + inRange(queryCPU, ofQuery) + ") / 3600"
	return page(queryUID, "planflame: one query", "One query of Spark SQL: what its operators cost over time and for a row, how sure that is, whether its plan changed, and the flame graph of one operator.", "now-24h",
		append(common(price), chosen()...),
		row{"$query_name", []line{
			{4, []*Panel{
				stat("CPU", "CPU of the query's tasks that ended in the time shown, and of their Python workers.", unitCoreHours, hours),
				stat("Cost", "CPU times the price above.", unitMoney, money(hours)),
				stat("Plans", "Physical plans that the runs in the time shown had. More than one: the operators of each have histories of their own, and are compared in the event plan_changed.", unitCount,
					"count(count by (spark_query_plan) (count_over_time(spark_sql_query_plan{"+owned+ofQuery+"}[$__range])))", below("green"), from(2, "yellow")),
				stat("More expensive operators", "Operators of this query whose shift to a higher cost stands. No data: not judged yet, or it has not run lately.", unitCount,
					"sum(spark_sql_operator_cost_shifted{"+owned+ofQuery+"})", below("green"), from(1, "red")),
				runsSeen(),
				stat("Newest run, as a whole", "CPU of all operators of the newest run together, over what their history explains: the machine, not the query. No data: not judged.", unitRatio,
					"max(last_over_time(spark_sql_query_cost_common_ratio{"+owned+ofQuery+"}[$__range]))", below("green"), from(1.1, "yellow"), from(1.3, "red")),
			}, nil},
			{10, []*Panel{stacked(curves("Operators", "CPU seconds a second of each operator, and in brackets of what is no operator's. Their sum is the query's.", unitCores,
				over("sum by ("+oneOperator+") ("+perSecond(operatorCPU, ofQuery)+")", "{{spark_sql_operator_name}}")))}, nil},
			{10, []*Panel{operatorsOfQuery()}, nil},
			{6, []*Panel{plans()}, nil},
		}},
		row{"$operator", []line{
			{9, []*Panel{
				interval("CPU, with its 95 % interval", "The interval is what sampling leaves open, from spark_sql_operator_cpu_variance; what attribution may get wrong is not in it.", unitCores, ""),
				curves("Rows", "Rows that it took in, a second; a scan, that it gave. No data: operators without an input that counts.", unitRows,
					over("sum by ("+oneOperator+") ("+perSecond(operatorRows, ofOperator)+")", "{{spark_sql_operator_name}}")),
				interval("CPU for a row", "CPU over rows, with the interval of the CPU: the cost that stays the same when there is more data. No data: no rows, or not known.", unitSeconds, perRow),
			}, nil},
			{9, []*Panel{
				banded(curves("Newest run against history", "CPU of the newest run over what the query's history explains at its rows, without what all operators have in common; while a shift stands, over the cost before it.", unitRatio,
					over("max(spark_sql_operator_cost_ratio{"+owned+ofOperator+"})", "ratio"),
					over("min(spark_sql_operator_cost_lower_ratio{"+owned+ofOperator+"})", "lower"),
					over("max(spark_sql_operator_cost_upper_ratio{"+owned+ofOperator+"})", "upper")), "lower", "upper"),
				profiles(),
			}, nil},
			{18, []*Panel{
				flame("Flame graph of $operator", "Where the operator's CPU goes, from Pyroscope by its labels: generated code under a frame named after the operator.", profilesOfOperator),
				flame("Flame graph of the query", "All of its tasks' CPU.", profilesOfQuery),
			}, nil},
		}})
}

// perRow divides by the rows of the chosen operator, where they are known.
const perRow = " / (sum(rate(" + operatorRows + "{" + owned + ofOperator + "}[$__rate_interval])) > 0)"

// interval is CPU of the chosen operator with its 95 % interval, over something. The standard error
// is told for an increase over the same time, so the ratio of the two is taken from increases.
func interval(title, description, unit, divided string) *Panel {
	mean := "sum(" + perSecond(operatorCPU, ofOperator) + ")"
	relative := "sqrt(sum(increase(" + operatorVariance + "{" + owned + ofOperator + "}[$__rate_interval]))) / (sum(increase(" + operatorCPU + "{" + owned + ofOperator + "}[$__rate_interval])) > 0)"
	return banded(curves(title, description, unit,
		over(mean+divided, "estimate"),
		over(mean+" * clamp_min(1 - 1.96 * "+relative+", 0)"+divided, "lower"),
		over(mean+" * (1 + 1.96 * "+relative+")"+divided, "upper")), "lower", "upper")
}

// runsSeen says how far a new plan's history is from being judged: "7, of 10 runs seen".
func runsSeen() *Panel {
	p := stat("Runs seen", "Runs of the newest plan in the history, of those needed before its operators are judged. Until then the column Usual says what their cost is worth. No data: no run lately.", unitCount, "")
	p.Targets[0].Expr = "max by (spark_sql_cost_runs_needed) (last_over_time(spark_sql_query_cost_runs_seen{" + owned + ofQuery + "}[$__range]))"
	p.Targets[0].LegendFormat = "of {{spark_sql_cost_runs_needed}} runs seen"
	p.Options["textMode"] = "value_and_name"
	return p
}

// plans shows which plan the newest run had.
func plans() *Panel {
	p := panel("state-timeline", "Plan of the newest run", "A plan's bar ends where another begins: what changed is in spark_shift's event plan_changed, and is no shift. Empty: no run lately.", unitCount,
		over("max by (spark_query_plan) (spark_sql_query_plan{"+owned+ofQuery+"})", "{{spark_query_plan}}"))
	p.Options = map[string]any{"showValue": "never", "legend": map[string]any{"showLegend": false}, "mergeValues": true}
	p.Field.Defaults.Color = map[string]any{"mode": "fixed", "fixedColor": "blue"}
	return p
}

// profiles is the CPU of the query by operator as the profiles have it.
func profiles() *Panel {
	p := curves("CPU in the profiles", "The same operators from Pyroscope, seen while tasks run; the curves above see a task when it has ended.", "ns",
		Target{Datasource: pyroscope, ProfileTypeID: cpuProfile, LabelSelector: profilesOfQuery, QueryType: "metrics", GroupBy: []string{"operator_name"}})
	p.Datasource = &pyroscope
	return stacked(p)
}

// operatorsOfQuery is the query's table of operators.
func operatorsOfQuery() *Panel {
	const stage = oneOperator + ", spark_stage_name"
	sum := func(of string) string { return "sum by (" + stage + ") (" + of + ")" }
	cpu := sum(inRange(operatorCPU, ofQuery+isOperator))
	gauge := func(name string) string {
		return "max by (" + stage + ") (last_over_time(" + name + "{" + owned + ofQuery + "}[$__range]))"
	}
	here := []Link{{Title: "This operator", URL: "/d/" + queryUID + "?" + kept + "&var-query_name=${query_name}&var-query=${query}&var-operator=" + ofField("spark_sql_operator_id")}}
	return sorted(table("Its operators", "CPU in the time shown with the half width of its 95 % interval, rows, and the newest run against the history of the runs before. \"Usual\" is the newest run over what operators of its kind cost, from the first run on; 97.5 % of them are below the next column. An empty cell: rows are not known, or the operator was not judged.",
		column{name: "spark_sql_operator_name", title: "Operator", link: here},
		column{name: "spark_stage_name", title: "Stage"},
		column{name: "spark_sql_operator_id", title: "Name on the wire"},
		column{title: "Core-hours", unit: unitCoreHours, expr: cpu + " / 3600", width: 120},
		column{title: "± 95 %", unit: unitCoreHours, expr: "1.96 * sqrt(" + sum(inRange(operatorVariance, ofQuery+isOperator)) + ") / 3600", width: 110},
		column{title: "Share", unit: unitShare, expr: cpu + " / scalar(sum(" + inRange(queryCPU, ofQuery) + ") > 0)", width: 80},
		column{title: "Cost", unit: unitMoney, expr: money(cpu + " / 3600"), width: 90},
		column{title: "Rows", unit: unitCount, expr: sum(inRange(operatorRows, ofQuery+isOperator)), width: 100},
		column{title: "CPU for a row", unit: unitSeconds, expr: cpu + " / (" + sum(inRange(operatorRows, ofQuery+isOperator)) + " > 0)", width: 110},
		column{title: "Newest run", unit: unitRatio, expr: gauge("spark_sql_operator_cost_ratio"), width: 100, colour: []Step{below("green"), from(1.1, "yellow"), from(1.5, "red")}},
		column{title: "from", unit: unitRatio, expr: gauge("spark_sql_operator_cost_lower_ratio"), width: 80},
		column{title: "to", unit: unitRatio, expr: gauge("spark_sql_operator_cost_upper_ratio"), width: 80},
		column{title: "Usual", unit: unitRatio, expr: gauge("spark_sql_operator_cost_usual_ratio"), width: 80},
		column{title: "up to", unit: unitRatio, expr: gauge("spark_sql_operator_cost_usual_upper_ratio"), width: 80}), "Core-hours")
}
