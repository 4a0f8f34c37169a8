package dashboards

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// All are the dashboards, with what a core-hour costs by default.
func All(price float64) []*Dashboard {
	return []*Dashboard{fleet(price), query(price), shifts(price), trial(price)}
}

// FileName is the name of the dashboard's file.
func (d *Dashboard) FileName() string { return d.UID + ".json" }

// Encode is the dashboard as Grafana imports it: JSON with a line for each value, so that changes
// can be read.
func (d *Dashboard) Encode() ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false)
	if err := e.Encode(d); err != nil {
		return nil, fmt.Errorf("encode dashboard %s: %w", d.UID, err)
	}
	return out.Bytes(), nil
}

// The dashboards' ids, which links use.
const (
	fleetUID  = "planflame-fleet"
	queryUID  = "planflame-query"
	shiftsUID = "planflame-shifts"
	trialUID  = "planflame-trial"
)

// page is a dashboard with its variables and panels.
func page(uid, title, description, since string, variables []*Variable, rows ...row) *Dashboard {
	return &Dashboard{UID: uid, Title: title, Description: description, Tags: []string{"planflame"}, SchemaVersion: 41, Version: 1, Editable: true, GraphTooltip: 1,
		Refresh: "1m", Time: TimeRange{since, "now"}, Timezone: "browser", Templating: Templating{variables},
		Links: []Link{{Title: "planflame", Type: "dashboards", Tags: []string{"planflame"}, IncludeVars: true, KeepTime: true}}, Panels: layout(rows...)}
}

// kept are the choices that a link to another dashboard takes along.
const kept = "${__url_time_range}&var-prometheus=${prometheus}&var-pyroscope=${pyroscope}&var-by=${by}&${owner:queryparam}&var-price=${price}"

// ofField is a column's value in the row of a link, for a URL.
func ofField(name string) string { return "${__data.fields." + name + ":percentencode}" }

// toQuery leads from a row to its query, and to its operator where the row has one.
func toQuery(operator bool) []Link {
	url := "/d/" + queryUID + "?" + kept + "&var-query_name=" + ofField("spark_query_name") + "&var-query=" + ofField("spark_query_fingerprint")
	if operator {
		url += "&var-operator=" + ofField("spark_sql_operator_id")
	}
	return []Link{{Title: "Its operators", URL: url}}
}
