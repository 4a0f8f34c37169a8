//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"time"

	"connectrpc.com/connect"
	querierv1 "github.com/grafana/pyroscope/api/gen/proto/go/querier/v1"
	"github.com/grafana/pyroscope/api/gen/proto/go/querier/v1/querierv1connect"
	"google.golang.org/protobuf/proto"

	"github.com/planflame/planflame/config/dashboards"
)

// dashboardServers are what dashboards ask, as Grafana's data sources of Prometheus and Pyroscope
// do it.
type dashboardServers struct {
	prometheus, pyroscope string
	from, until           time.Time
	values                map[string]string // of the dashboard's variables, as they stand in queries
}

// step of curves: Grafana takes as many as the panel has pixels.
const dashboardStep = 5 * time.Second

// variable finds the value of a variable: the one chosen at first, or the first that its query
// gives.
func (s *dashboardServers) variable(ctx context.Context, v *dashboards.Variable) error {
	switch v.Type {
	case "datasource":
		s.values[v.Name] = v.Name
		return nil
	case "custom", "textbox":
		value, is := v.Current.Value.(string)
		if !is {
			return fmt.Errorf("variable %s: its value is no text: %v", v.Name, v.Current.Value)
		}
		s.values[v.Name] = value
		return nil
	case "query":
	default:
		return fmt.Errorf("variable %s: type %q", v.Name, v.Type)
	}
	definition := s.fill(v.Definition)
	m := regexp.MustCompile(`^label_values\((.*), (\w+)\)$`).FindStringSubmatch(definition)
	if m == nil {
		return fmt.Errorf("variable %s: %s is no label_values(selector, label)", v.Name, definition)
	}
	var values []string
	if err := s.ask(ctx, "/api/v1/label/"+m[2]+"/values", url.Values{"match[]": {m[1]}, "start": {unix(s.from)}, "end": {unix(s.until)}}, &values); err != nil {
		return fmt.Errorf("variable %s: %s: %w", v.Name, definition, err)
	}
	values = slices.DeleteFunc(values, func(v string) bool { return v == "" })
	if len(values) == 0 {
		return fmt.Errorf("variable %s: %s has no answer", v.Name, definition)
	}
	s.values[v.Name] = values[0]
	return nil
}

var dashboardVariable = regexp.MustCompile(`\$(?:(\w+)|\{(\w+)(?::\w+)?\})`)

// fill puts the variables' values into a text.
func (s *dashboardServers) fill(text string) string {
	return dashboardVariable.ReplaceAllStringFunc(text, func(found string) string {
		m := dashboardVariable.FindStringSubmatch(found)
		switch name := m[1] + m[2]; name {
		case "__range":
			return strconv.Itoa(int(s.until.Sub(s.from).Seconds())) + "s"
		case "__interval":
			return dashboardStep.String()
		case "__rate_interval":
			return "1m" // four times the data source's interval, by default
		default:
			value, known := s.values[name]
			if !known {
				return found // and the server will complain
			}
			return value
		}
	})
}

// query asks a panel's query. An answer without any number is an error.
func (s *dashboardServers) query(ctx context.Context, q *dashboards.Target) error {
	switch {
	case q.Expr != "" && q.Instant:
		return s.numbers(ctx, "/api/v1/query", url.Values{"query": {s.fill(q.Expr)}, "time": {unix(s.until)}})
	case q.Expr != "":
		return s.numbers(ctx, "/api/v1/query_range", url.Values{"query": {s.fill(q.Expr)}, "start": {unix(s.from)}, "end": {unix(s.until)}, "step": {dashboardStep.String()}})
	}
	client := querierv1connect.NewQuerierServiceClient(http.DefaultClient, s.pyroscope)
	switch q.QueryType {
	case "profile":
		resp, err := client.SelectMergeStacktraces(ctx, connect.NewRequest(&querierv1.SelectMergeStacktracesRequest{
			ProfileTypeID: q.ProfileTypeID, LabelSelector: s.fill(q.LabelSelector), Start: s.from.UnixMilli(), End: s.until.UnixMilli(), MaxNodes: proto.Int64(16384)}))
		if err != nil {
			return err
		}
		if resp.Msg.Flamegraph.GetTotal() <= 0 {
			return errors.New("an empty flame graph")
		}
	case "metrics":
		resp, err := client.SelectSeries(ctx, connect.NewRequest(&querierv1.SelectSeriesRequest{
			ProfileTypeID: q.ProfileTypeID, LabelSelector: s.fill(q.LabelSelector), Start: s.from.UnixMilli(), End: s.until.UnixMilli(), GroupBy: q.GroupBy, Step: dashboardStep.Seconds()}))
		if err != nil {
			return err
		}
		for _, series := range resp.Msg.Series {
			if len(series.Points) > 0 {
				return nil
			}
		}
		return errors.New("no series")
	default:
		return fmt.Errorf("query type %q", q.QueryType)
	}
	return nil
}

// numbers asks for an expression and wants a number in its answer.
func (s *dashboardServers) numbers(ctx context.Context, path string, form url.Values) error {
	var answer struct {
		Result []struct {
			Value  [2]any   // time and text
			Values [][2]any // over time
		}
	}
	if err := s.ask(ctx, path, form, &answer); err != nil {
		return err
	}
	for _, r := range answer.Result {
		for _, v := range append(r.Values, r.Value) {
			text, _ := v[1].(string)
			if n, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(n) && !math.IsInf(n, 0) {
				return nil
			}
		}
	}
	return fmt.Errorf("no number in %d series", len(answer.Result))
}

// ask calls Prometheus' API.
func (s *dashboardServers) ask(ctx context.Context, path string, form url.Values, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.prometheus+path+"?"+form.Encode(), nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(resp.Body)
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		return err
	}
	var answer struct {
		Status, Error string
		Data          json.RawMessage
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return fmt.Errorf("%s of %s: %w", body, path, err)
	}
	if answer.Status != "success" {
		return fmt.Errorf("%s: %s", answer.Status, answer.Error)
	}
	return json.Unmarshal(answer.Data, into)
}

func unix(t time.Time) string { return strconv.FormatFloat(float64(t.UnixMilli())/1000, 'f', 3, 64) }
