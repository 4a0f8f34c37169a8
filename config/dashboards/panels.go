package dashboards

import "strconv"

// Units of Grafana, and two of ours.
const (
	unitCoreHours = "suffix: core-h"
	unitCores     = "suffix: cores"
	unitMoney     = "locale" // of the price's currency: a number with thousands marked
	unitCount     = "short"
	unitPerSecond = "ops"
	unitRows      = "suffix: rows/s"
	unitSeconds   = "s"
	unitShare     = "percentunit"
	unitRatio     = "suffix: ×"
	unitBytes     = "bytes"
	unitTime      = "dateTimeAsIso"
)

var (
	prometheus = Datasource{"prometheus", "${prometheus}"}
	pyroscope  = Datasource{"grafana-pyroscope-datasource", "${pyroscope}"}
)

func ptr[T any](v T) *T { return &v }

// panel is a panel of Prometheus whose width and height page sets.
func panel(kind, title, description, unit string, targets ...Target) *Panel {
	for i := range targets {
		targets[i].RefID = string(rune('A' + i))
	}
	return &Panel{Type: kind, Title: title, Description: description, Datasource: &prometheus, Targets: targets,
		Field: &FieldConfig{Defaults: Field{Unit: unit}, Overrides: []Override{}}}
}

// over asks for an expression over time; legend names its series.
func over(expr, legend string) Target {
	return Target{Datasource: prometheus, Expr: expr, LegendFormat: legend, Range: true, Format: "time_series", EditorMode: "code"}
}

// now asks for an expression at the end of the time shown.
func now(expr string) Target {
	return Target{Datasource: prometheus, Expr: expr, Instant: true, Format: "table", EditorMode: "code"}
}

// stat is one number.
func stat(title, description, unit, expr string, steps ...Step) *Panel {
	p := panel("stat", title, description, unit, Target{Datasource: prometheus, Expr: expr, Instant: true, Format: "time_series", EditorMode: "code"})
	p.Options = map[string]any{"reduceOptions": map[string]any{"calcs": []string{"lastNotNull"}}, "colorMode": "value", "graphMode": "none", "textMode": "value"}
	p.Field.Defaults.thresholds(steps...)
	return p
}

// curves are values over time.
func curves(title, description, unit string, targets ...Target) *Panel {
	p := panel("timeseries", title, description, unit, targets...)
	p.Options = map[string]any{
		"legend":  map[string]any{"displayMode": "list", "placement": "bottom", "showLegend": true},
		"tooltip": map[string]any{"mode": "multi", "sort": "desc"},
	}
	p.Field.Defaults.Min = ptr(0.)
	p.Field.Defaults.Custom = map[string]any{"drawStyle": "line", "lineWidth": 1, "fillOpacity": 0, "showPoints": "auto", "spanNulls": false}
	return p
}

// stacked lays curves upon each other: their sum is the whole.
func stacked(p *Panel) *Panel {
	p.Field.Defaults.Custom["stacking"] = map[string]any{"mode": "normal", "group": "A"}
	p.Field.Defaults.Custom["fillOpacity"] = 40
	return p
}

// banded fills what lies between the series lower and upper, which stand for a 95 % interval.
func banded(p *Panel, lower, upper string) *Panel {
	for _, s := range []struct {
		name       string
		properties []Property
	}{
		{lower, []Property{{"custom.lineWidth", 0}, {"custom.hideFrom", map[string]any{"legend": true, "tooltip": false, "viz": false}}}},
		{upper, []Property{{"custom.lineWidth", 0}, {"custom.fillBelowTo", lower}, {"custom.fillOpacity", 20}, {"custom.hideFrom", map[string]any{"legend": true, "tooltip": false, "viz": false}}}},
	} {
		p.Field.Overrides = append(p.Field.Overrides, Override{Matcher{"byName", s.name}, s.properties})
	}
	return p
}

// column is a column of a table.
type column struct {
	name   string // the answer's label, or "" of the value of the query at the same place among those without a name
	title  string // "" hides it
	unit   string
	expr   string // of a value
	link   []Link
	colour []Step
	width  int // 0: by itself
}

// table joins the answers of its columns' expressions by their labels, and shows nothing else.
func table(title, description string, columns ...column) *Panel {
	p := panel("table", title, description, unitCount)
	shown := map[string]any{}
	values := 0
	for _, c := range columns {
		if c.expr != "" {
			values++
		}
	}
	for i := range columns {
		c := &columns[i]
		name := c.name
		if c.expr != "" {
			t := now(c.expr)
			t.RefID = string(rune('A' + len(p.Targets)))
			p.Targets = append(p.Targets, t)
			name = "Value"
			if values > 1 { // Grafana tells values apart only where there are several
				name += " #" + t.RefID
			}
		}
		shown[name] = i
		var properties []Property
		if c.title == "" {
			properties = append(properties, Property{"custom.hidden", true})
		} else {
			properties = append(properties, Property{"displayName", c.title})
		}
		if c.unit != "" {
			properties = append(properties, Property{"unit", c.unit})
		}
		if c.link != nil {
			properties = append(properties, Property{"links", c.link})
		}
		if c.width > 0 {
			properties = append(properties, Property{"custom.width", c.width})
		}
		if c.colour != nil {
			properties = append(properties, Property{"thresholds", steps(c.colour)}, Property{"custom.cellOptions", map[string]any{"type": "color-text"}})
		}
		p.Field.Overrides = append(p.Field.Overrides, Override{Matcher{"byName", name}, properties})
	}
	p.Options = map[string]any{"showHeader": true, "cellHeight": "sm"}
	p.Transformations = []Transformation{
		{"merge", map[string]any{}},
		{"organize", map[string]any{"indexByName": shown, "excludeByName": map[string]any{"Time": true}}},
	}
	return p
}

// sorted orders a table by a column's title, the largest first.
func sorted(p *Panel, title string) *Panel {
	p.Options["sortBy"] = []any{map[string]any{"displayName": title, "desc": true}}
	return p
}

// only keeps the rows whose value of a query is more than 0.
func only(p *Panel, refID string) *Panel {
	p.Transformations = append(p.Transformations, Transformation{"filterByValue", map[string]any{
		"type": "include", "match": "all",
		"filters": []any{map[string]any{"fieldName": "Value #" + refID, "config": map[string]any{"id": "greater", "options": map[string]any{"value": 0}}}},
	}})
	return p
}

// flame is a flame graph of Pyroscope.
func flame(title, description, selector string) *Panel {
	p := panel("flamegraph", title, description, "ns", Target{Datasource: pyroscope, ProfileTypeID: cpuProfile, LabelSelector: selector, QueryType: "profile"})
	p.Datasource = &pyroscope
	return p
}

// cpuProfile is the profile type that planflame pushes to Pyroscope.
const cpuProfile = "process_cpu:cpu:nanoseconds:cpu:nanoseconds"

func (f *Field) thresholds(all ...Step) {
	if len(all) > 0 {
		f.Thresholds = steps(all)
	}
}

func steps(all []Step) *Thresholds { return &Thresholds{"absolute", all} }

// from colors values from v on.
func from(v float64, colour string) Step { return Step{colour, &v} }

// below colors what lies below the first step.
func below(colour string) Step { return Step{colour, nil} }

// row is a part of a page: a head and the panels of each line, which share its width.
type row struct {
	title string
	lines []line
}

// line holds panels side by side.
type line struct {
	height int
	panels []*Panel
	widths []int // of 24; nil shares alike
}

// layout numbers panels and places them from above.
func layout(rows ...row) (out []*Panel) {
	y := 0
	for _, r := range rows {
		out = append(out, &Panel{Type: "row", Title: r.title, Grid: Grid{1, 24, 0, y}})
		y++
		for _, l := range r.lines {
			x := 0
			for i, p := range l.panels {
				w := 24 / len(l.panels)
				if l.widths != nil {
					w = l.widths[i]
				}
				p.Grid = Grid{l.height, w, x, y}
				x += w
				out = append(out, p)
			}
			y += l.height
		}
	}
	for i, p := range out {
		p.ID = i + 1
	}
	return out
}

func money(expr string) string { return "(" + expr + ") * $price" }

func quote(s string) string { return strconv.Quote(s) }
