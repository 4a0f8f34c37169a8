package dashboards

import (
	"strconv"
	"strings"
)

// DefaultPrice is what a core-hour costs until somebody says otherwise: in the box above each
// dashboard, or for all of them by writing them with -price.
const DefaultPrice = 0.05

// ownerLabels are the labels by which costs can be told apart, as Prometheus and Pyroscope both
// have them: attributes of Config.Labels of the receiver.
var ownerLabels = []string{"team", "owner", "tenant", "service_name", "service_namespace", "k8s_cluster_name", "k8s_namespace_name", "deployment_environment_name"}

// owned selects the series of the owners that are chosen; a selector has more behind a comma.
const owned = `$by=~"$owner"`

// common are the variables that all dashboards have.
func common(price float64) []*Variable {
	return []*Variable{
		{Type: "datasource", Name: "prometheus", Label: "Metrics", Query: "prometheus", Refresh: 1},
		{Type: "datasource", Name: "pyroscope", Label: "Profiles", Query: "grafana-pyroscope-datasource", Refresh: 1},
		choice("by", "Owner is", "The label that tells owners apart: of spark.planflame.label.NAME or OTEL_RESOURCE_ATTRIBUTES.", ownerLabels...),
		asked("owner", "Owner", "label_values(spark_sql_query_cpu_time_seconds_total, $by)", true),
		text("price", "Price of a core-hour", "In your currency.", strconv.FormatFloat(price, 'f', -1, 64)),
	}
}

// choice is a variable with fixed values, the first one chosen.
func choice(name, label, description string, values ...string) *Variable {
	v := &Variable{Type: "custom", Name: name, Label: label, Description: description, Query: strings.Join(values, ",")}
	for i, o := range values {
		v.Options = append(v.Options, Option{o, o, i == 0})
	}
	v.Current = &v.Options[0]
	return v
}

// asked is a variable whose values Prometheus has; all adds a choice of all of them, those without
// the label too.
func asked(name, label, query string, all bool) *Variable {
	v := &Variable{Type: "query", Name: name, Label: label, Datasource: &prometheus, Definition: query, Query: VariableQuery{query, "variable", 1}, Refresh: 2, Sort: 1}
	if all {
		v.IncludeAll, v.Multi, v.AllValue = true, true, ".*"
		v.Current = &Option{[]string{"All"}, []string{"$__all"}, true}
	}
	return v
}

// text is a variable that the user writes.
func text(name, label, description, value string) *Variable {
	return &Variable{Type: "textbox", Name: name, Label: label, Description: description, Query: value, Current: &Option{value, value, true}}
}
