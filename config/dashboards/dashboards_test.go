package dashboards_test

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/config/dashboards"
)

const folder = "../grafana/dashboards"

// What is committed is what the code makes: go generate ./config/dashboards.
func TestCommittedAsGenerated(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	require.NoError(t, err)
	all := dashboards.All(dashboards.DefaultPrice)
	assert.Len(t, files, len(all), "files of no dashboard: %v", files)
	for _, d := range all {
		want, err := d.Encode()
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(folder, d.FileName()))
		require.NoError(t, err)
		assert.Equal(t, string(want), string(got), "%s is old: go generate ./config/dashboards", d.FileName())
		assert.True(t, json.Valid(got))
	}
}

// builtin are Grafana's own variables, and the first group of PromQL's label_replace.
var builtin = []string{"__range", "__rate_interval", "__interval", "__url_time_range", "__all", "1"}

var (
	used   = regexp.MustCompile(`\$(?:(\w+)|\{(\w+)(?:[:.\[][^}]*)?\})`)
	labels = regexp.MustCompile(`\b(?:spark|otelcol)_\w+`)
)

// names are the variables that a text uses, without Grafana's own and the fields of a row.
func names(text string) (out []string) {
	for _, m := range used.FindAllStringSubmatch(text, -1) {
		if name := m[1] + m[2]; !slices.Contains(builtin, name) && name != "__data" {
			out = append(out, name)
		}
	}
	return out
}

func TestVariables(t *testing.T) {
	for _, d := range dashboards.All(0.07) {
		known := map[string]bool{}
		for _, v := range d.Templating.List {
			assert.NotEmpty(t, v.Label, v.Name)
			assert.False(t, known[v.Name], "%s twice", v.Name)
			for _, u := range names(v.Definition) {
				assert.True(t, known[u], "%s: variable %s asks with %s, which comes later or never", d.UID, v.Name, u)
			}
			known[v.Name] = true
			if v.Name == "price" {
				assert.Equal(t, "0.07", v.Query)
			}
		}
		text, err := d.Encode()
		require.NoError(t, err)
		for _, u := range names(string(text)) {
			assert.True(t, known[u], "%s uses $%s", d.UID, u)
		}
	}
}

func TestPanels(t *testing.T) {
	ids := map[string]bool{}
	for _, d := range dashboards.All(dashboards.DefaultPrice) {
		assert.False(t, ids[d.UID])
		ids[d.UID] = true
		var place [200][24]string
		for i, p := range d.Panels {
			at := d.UID + ": " + p.Title
			assert.Equal(t, i+1, p.ID, at)
			require.NotEmpty(t, p.Title, d.UID)
			for y := p.Grid.Y; y < p.Grid.Y+p.Grid.H; y++ {
				for x := p.Grid.X; x < p.Grid.X+p.Grid.W; x++ {
					assert.Empty(t, place[y][x], "%s lies on another panel", at)
					place[y][x] = p.Title
				}
			}
			if p.Type == "row" {
				assert.Equal(t, 24, p.Grid.W)
				continue
			}
			assert.Greater(t, len(p.Description), 5, "%s has no description", at)
			assert.NotEmpty(t, p.Field.Defaults.Unit, "%s has no unit", at)
			require.NotEmpty(t, p.Targets, at)
			refs := map[string]bool{}
			for _, q := range p.Targets {
				assert.False(t, refs[q.RefID], "%s: %s twice", at, q.RefID)
				refs[q.RefID] = true
				assert.True(t, (q.Expr == "") != (q.LabelSelector == ""), "%s asks for metrics or for profiles", at)
				assert.True(t, q.Expr == "" || q.Instant != q.Range, "%s asks once or over time", at)
			}
			for _, o := range p.Field.Overrides {
				assert.Equal(t, o.Matcher.Options == "Value", p.Type == "table" && len(p.Targets) == 1 && strings.HasPrefix(o.Matcher.Options, "Value"), "%s: a single value has no letter", at)
				if ref, is := strings.CutPrefix(o.Matcher.Options, "Value #"); is {
					assert.True(t, refs[ref], "%s styles the answer of %s, which is not there", at, ref)
				}
			}
		}
	}
}

// Metrics are those that the components describe.
func TestMetricsAreDocumented(t *testing.T) {
	var known strings.Builder
	for _, file := range []string{"../../docs/use/metrics.md", "../../collector-receiver/sparkprofile/documentation.md", "../../collector-receiver/sparkprofile/doc.go",
		"../../collector-connector/sparkshift/documentation.md", "../../exporter/documentation.md"} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		known.Write(text)
	}
	otel := strings.NewReplacer(".", "_").Replace(known.String())
	ofTheCollector := []string{"otelcol_process_cpu_seconds", "otelcol_process_memory_rss", "otelcol_exporter_queue_size"}
	for _, d := range dashboards.All(dashboards.DefaultPrice) {
		for _, p := range d.Panels {
			for _, q := range p.Targets {
				for _, m := range labels.FindAllString(q.Expr, -1) {
					m = strings.TrimSuffix(strings.TrimSuffix(m, "_total"), "_s2")
					m = strings.TrimSuffix(m, "_seconds")
					assert.True(t, strings.Contains(otel, m) || slices.Contains(ofTheCollector, m) || m == "otelcol_process_cpu", "%s, %s: no one describes %s", d.UID, p.Title, m)
				}
			}
		}
	}
}

// The links of a standing shift take its times from the columns that have them, and are URLs of
// JSON that Grafana's Explore reads.
func TestLinksOfShifts(t *testing.T) {
	for _, d := range dashboards.All(dashboards.DefaultPrice) {
		for _, p := range d.Panels {
			if d.UID != "planflame-shifts" || p.Title != "Standing shifts" || p.Type != "table" {
				continue
			}
			since, before := p.Targets[6], p.Targets[7]
			assert.Equal(t, "G", since.RefID)
			assert.Contains(t, since.Expr, "shifted_since_seconds")
			assert.Equal(t, "("+strings.TrimSuffix(since.Expr, " * 1000")+" - 86400) * 1000", before.Expr)
			links := linksOf(t, p, "spark_sql_operator_name")
			filled := strings.NewReplacer(`${__data.fields["Value #G"].numeric}`, "1700000000000", `${__data.fields["Value #H"].numeric}`, "1699913600000",
				"${__data.fields.spark_query_fingerprint}", "q1-a", "${__data.fields.spark_sql_operator_id}", "scan@b", "${pyroscope}", "uid7", "${pyroscope_url}", "http://pyro:4040")
			explore, err := url.Parse(filled.Replace(links["Before and after, side by side"]))
			require.NoError(t, err)
			var panes map[string]struct {
				Datasource string
				Queries    []struct{ LabelSelector, ProfileTypeID, QueryType string }
				Range      struct{ From, To string }
			}
			require.NoError(t, json.Unmarshal([]byte(explore.Query().Get("panes")), &panes))
			assert.Equal(t, `{query="q1-a", operator="scan@b"}`, panes["before"].Queries[0].LabelSelector)
			assert.Equal(t, "uid7", panes["after"].Datasource)
			assert.Equal(t, [2]string{"1699913600000", "1700000000000"}, [2]string{panes["before"].Range.From, panes["before"].Range.To})
			assert.Equal(t, [2]string{"1700000000000", "now"}, [2]string{panes["after"].Range.From, panes["after"].Range.To})

			diff, err := url.Parse(filled.Replace(links["Difference in Pyroscope"]))
			require.NoError(t, err)
			assert.Equal(t, "/comparison-diff", diff.Path)
			assert.Equal(t, `process_cpu:cpu:nanoseconds:cpu:nanoseconds{query="q1-a", operator="scan@b"}`, diff.Query().Get("leftQuery"))
			assert.Equal(t, "1699913600000", diff.Query().Get("leftFrom"))
			return
		}
	}
	t.Fatal("no table of standing shifts")
}

// linksOf are a column's links by title.
func linksOf(t *testing.T, p *dashboards.Panel, column string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, o := range p.Field.Overrides {
		for _, property := range o.Properties {
			if links, is := property.Value.([]dashboards.Link); is && o.Matcher.Options == column {
				for _, l := range links {
					out[l.Title] = l.URL
				}
			}
		}
	}
	require.NotEmpty(t, out)
	return out
}
