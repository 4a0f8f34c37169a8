package dashboards

import (
	"net/url"
	"strings"
)

// shifts shows what became more expensive, and what could not be seen.
func shifts(price float64) *Dashboard {
	variables := append(common(price), chosen()...)
	variables = append(variables,
		choice("before", "Before is", "How long ago the flame graph \"before\" was taken, against the time shown.", "1d", "2d", "7d", "14d", "28d"),
		text("pyroscope_url", "Pyroscope's page", "The server's own web page, for its comparison of two times.", "http://localhost:4040"))
	return page(shiftsUID, "planflame: shifts", "Operators whose cost shifted against their history: from what to what, since when, how sure, and where; what all operators of a query have in common; and which shift would not be noticed.", "now-7d",
		variables,
		row{"Standing shifts", []line{
			{4, []*Panel{
				stat("More expensive operators", "Operators whose shift to a higher cost stands: neither mended nor accepted. No data: no query was judged lately.", unitCount, "sum(spark_sql_operator_cost_shifted{"+owned+"})",
					below("green"), from(1, "red")),
				stat("Cheaper operators", "Operators whose shift to a lower cost stands.", unitCount, "count(spark_sql_operator_cost_shift_ratio{"+owned+"} < 1) or 0 * count(spark_sql_operator_cost_shifted{"+owned+"})"),
				stat("Queries judged lately", "Queries with a run in the last minutes that has a history.", unitCount, "count(count by (spark_query_fingerprint) (spark_sql_operator_cost_ratio{"+owned+"}))"),
				stat("False alarms allowed", "Probability of a false alarm that the test of one operator in one run has now, so that there is one a week (alarms_per_week).", "sci", "max(otelcol_connector_spark_shift_level)"),
			}, nil},
			{10, []*Panel{standing()}, nil},
			{8, []*Panel{
				curves("Shifts that stand", "By owner.", unitCount, over("sum by ($by) (spark_sql_operator_cost_shifted{"+owned+"})", "{{$by}}")),
				curves("Events", "What spark_shift told, by kind; the records are in the Collector's log or the log store. A restart of the Collector shows as none.", unitCount,
					over(told("shift|drift"), "more expensive"), over(told("cheaper"), "cheaper"), over(told("resolved|accepted"), "resolved or accepted"), over(told("plan_changed"), "another plan"),
					over(told("run_slower|query_slower|host_slower"), "all operators of a query")),
			}, nil},
		}},
		row{"$operator of $query_name", []line{
			{9, []*Panel{
				banded(curves("Against history", "CPU of the newest run over what history explains, with its 95 % interval; while a shift stands, over the cost before it. No data: not judged.", unitRatio,
					over(ofRun("max", "ratio"), "ratio"), over(ofRun("min", "lower_ratio"), "lower"), over(ofRun("max", "upper_ratio"), "upper")), "lower", "upper"),
				curves("CPU of a run", "What history explains at the newest run's rows, and what it used. No data: not judged.", unitSeconds,
					over(ofRun("max", "expected_seconds"), "expected"),
					over("max(spark_sql_operator_cost_expected_seconds{"+owned+ofOperator+"} * spark_sql_operator_cost_ratio{"+owned+ofOperator+"})", "newest run")),
			}, nil},
			{18, []*Panel{
				shifted(flame("Before", "The operator's flame graph of the time shown, as long ago as chosen above. The shift's own times: the links of the table.", profilesOfOperator), "$before"),
				flame("After", "The operator's flame graph of the time shown.", profilesOfOperator),
			}, nil},
		}},
		row{"What all operators share, and what would not be noticed", []line{
			{9, []*Panel{
				curves("All operators of a query", "CPU of all operators of a query's newest run together, over what their history explains. The ratios above are without it. If many queries rise at once, it is the machines. No data: not judged.", unitRatio,
					over("max by (spark_query_name, spark_query_fingerprint) (spark_sql_query_cost_common_ratio{"+owned+"})", "{{spark_query_name}}")),
				sorted(table("Smallest shift that would be noticed", "Operators of which a shift of minimum_effect would not be found: the ratio that would be, within five runs in nine cases of ten. Empty: shifts of minimum_effect are found in all operators.",
					column{name: "spark_query_name", title: "Query", link: toQuery(true)},
					column{name: "spark_sql_operator_name", title: "Operator"},
					column{name: "spark_query_fingerprint"}, column{name: "spark_sql_operator_id"},
					column{title: "Detectable", unit: unitRatio, width: 120, colour: []Step{below("green"), from(1.2, "yellow"), from(1.5, "red")},
						expr: top("max by (spark_query_name, spark_query_fingerprint, " + oneOperator + ") (spark_sql_operator_cost_detectable_ratio{" + owned + "})")}), "Detectable"),
			}, nil},
		}})
}

// told is how many events of some kinds were told in each step, the first one of a kind too.
func told(kinds string) string {
	events := `otelcol_connector_spark_shift_events{kind=~"` + kinds + `"}`
	return "clamp_min(sum(" + events + ") - (sum(" + events + " offset $__interval) or vector(0)), 0)"
}

// ofRun is a gauge of the chosen operator; nothing where it was not judged.
func ofRun(of, gauge string) string {
	return of + "(spark_sql_operator_cost_" + gauge + "{" + owned + ofOperator + "})"
}

// shifted shows a panel as it was some time ago.
func shifted(p *Panel, by string) *Panel {
	p.TimeShift = by
	return p
}

// standing is the table of standing shifts. Operators without one have no value in the column
// "Shift", and are left out.
func standing() *Panel {
	const by = "max by (" + byOperator + ", spark_stage_name, $by) "
	gauge := func(name string) string { return "spark_sql_operator_cost_" + name + "{" + owned + "}" }
	since := by + "(" + gauge("shifted_since_seconds") + ")"
	ms := " * 1000"
	links := []Link{
		{Title: "Before and after, side by side", URL: bothTimes()},
		{Title: "Difference in Pyroscope", URL: difference(), TargetBlank: true},
	}
	return sorted(only(table("Standing shifts", "From what to what one run costs, at the rows of the newest one, and since which run. The first column's links open both flame graphs: a day before the shift, and all since. "+
		"\"Since\" is when the first run of the shift ended, so the end of \"before\" holds that run.",
		column{name: "spark_sql_operator_name", title: "Operator", link: append(links, toQuery(true)...)},
		column{name: "spark_query_name", title: "Query", link: toQuery(false)},
		column{name: "service_name", title: "Application"},
		column{name: "spark_stage_name", title: "Stage"},
		column{title: "Shift", unit: unitRatio, expr: by + "(" + gauge("shift_ratio") + ")", width: 90, colour: []Step{below("green"), from(1, "orange"), from(1.5, "red")}},
		column{title: "from", unit: unitSeconds, expr: by + "(" + gauge("expected_seconds") + ")", width: 90},
		column{title: "to", unit: unitSeconds, expr: by + "(" + gauge("expected_seconds") + " * " + gauge("shift_ratio") + ")", width: 90},
		column{title: "Newest run", unit: unitRatio, expr: by + "(" + gauge("ratio") + ")", width: 100},
		column{title: "at least", unit: unitRatio, expr: by + "(" + gauge("lower_ratio") + ")", width: 90},
		column{title: "at most", unit: unitRatio, expr: by + "(" + gauge("upper_ratio") + ")", width: 90},
		column{title: "Since", unit: unitTime, expr: since + ms, width: 180},
		column{expr: "(" + since + " - 86400)" + ms},
		column{name: "spark_query_fingerprint"}, column{name: "spark_sql_operator_id"}), "A"), "Shift")
}

// Columns of the table of standing shifts that its links use: names of its queries' values.
const (
	sinceField  = `${__data.fields["Value #G"].numeric}`
	beforeField = `${__data.fields["Value #H"].numeric}`
)

// selector is the operator of a row as Pyroscope has it.
const selector = `{query="${__data.fields.spark_query_fingerprint}", operator="${__data.fields.spark_sql_operator_id}"}`

// bothTimes is Grafana's Explore with the operator's flame graphs before and after, side by side.
func bothTimes() string {
	pane := func(from, to string) string {
		return `{"datasource":"${pyroscope}","queries":[{"refId":"A","datasource":{"type":"grafana-pyroscope-datasource","uid":"${pyroscope}"},"queryType":"profile","profileTypeId":"` + cpuProfile +
			`","labelSelector":` + strings.ReplaceAll(quote(selector), `\\`, `\`) + `,"groupBy":[]}],"range":{"from":"` + from + `","to":"` + to + `"}}`
	}
	return "/explore?schemaVersion=1&panes=" + escape(`{"before":`+pane(beforeField, sinceField)+`,"after":`+pane(sinceField, "now")+`}`)
}

// difference is Pyroscope's own page that takes one flame graph from another.
func difference() string {
	q := escape(cpuProfile + selector)
	return "${pyroscope_url}/comparison-diff?query=" + q + "&leftQuery=" + q + "&rightQuery=" + q + "&leftFrom=" + beforeField + "&leftUntil=" + sinceField +
		"&rightFrom=" + sinceField + "&rightUntil=now"
}

// escape makes a text fit for a URL, but for what Grafana puts in: ${…}.
func escape(s string) string {
	var out strings.Builder
	for s != "" {
		before, rest, found := strings.Cut(s, "${")
		out.WriteString(url.QueryEscape(before))
		if !found {
			break
		}
		name, after, _ := strings.Cut(rest, "}")
		out.WriteString("${" + name + "}")
		s = after
	}
	return strings.ReplaceAll(out.String(), "+", "%20")
}
