//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/config/dashboards"
)

// dashboardAnswer is what became of one query of one panel, for build/bench/dashboards.json.
type dashboardAnswer struct {
	Dashboard string `json:"dashboard"`
	Panel     string `json:"panel"`
	Ref       string `json:"ref"`
	Owner     string `json:"owner"` // the label that tells owners apart
	Query     string `json:"query"` // with the variables filled in
	Answered  bool   `json:"answered"`
	Why       string `json:"why,omitempty"`
}

// empty are the panels (title, query) of which there may be nothing, even while one shift to a
// higher cost stands.
var empty = []string{"Smallest shift that would be noticed, A"}

// dashboardsAnswer asks real servers every query of every panel of the dashboards as they are
// committed, with the variables' own first answers. It does so once for owners by label and once by
// application. It fails for each query that has an error or no number for an answer. A panel that
// shows an earlier time is asked for the same time as the others: its query is the same. It writes
// build/bench/dashboards.json.
func dashboardsAnswer(t *testing.T, prometheusURL, pyroscopeURL string, from, until time.Time) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root(t), "config", "grafana", "dashboards", "*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var all []dashboardAnswer
	for _, file := range files {
		for _, by := range []string{"", "service_name"} {
			var d dashboards.Dashboard
			readJSON(t, file, &d)
			s := &dashboardServers{prometheus: prometheusURL, pyroscope: pyroscopeURL, from: from, until: until, values: map[string]string{}}
			all = append(all, s.dashboard(t.Context(), &d, by)...)
		}
	}
	answered := 0
	for i := range all {
		if all[i].Answered || slices.Contains(empty, all[i].Panel+", "+all[i].Ref) {
			answered++
			continue
		}
		t.Errorf("%s, %s, %s: %s\n%s", all[i].Dashboard, all[i].Panel, all[i].Ref, all[i].Why, all[i].Query)
	}
	share := float64(answered) / float64(len(all))
	t.Logf("%d of %d queries of %d dashboards have an answer", answered, len(all), len(files))
	text, err := json.MarshalIndent(map[string]any{"figures": map[string]any{"dashboard_queries_answered_share": share}, "queries": all}, "", "  ")
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(root(t), "build", "bench"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root(t), "build", "bench", "dashboards.json"), text, 0o644))
}

// dashboard asks all of one dashboard. by, where given, is the label of owners instead of the one
// chosen at first.
func (s *dashboardServers) dashboard(ctx context.Context, d *dashboards.Dashboard, by string) (out []dashboardAnswer) {
	add := func(panel, ref, query string, err error) {
		a := dashboardAnswer{Dashboard: d.UID, Panel: panel, Ref: ref, Owner: s.values["by"], Query: query, Answered: err == nil}
		if err != nil {
			a.Why = err.Error()
		}
		out = append(out, a)
	}
	for _, v := range d.Templating.List {
		err := s.variable(ctx, v)
		if v.Name == "by" && by != "" {
			s.values["by"] = by
		}
		if err != nil || v.Type == "query" {
			add("variable", v.Name, s.fill(v.Definition), err)
		}
	}
	for _, p := range d.Panels {
		for i := range p.Targets {
			q := &p.Targets[i]
			add(p.Title, q.RefID, s.fill(q.Expr+q.LabelSelector), s.query(ctx, q))
		}
	}
	return out
}
