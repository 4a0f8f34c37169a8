package dashboards

// Dashboard is a page. The zero values of its fields are left out of the JSON where Grafana has the
// same default.
type Dashboard struct {
	UID           string     `json:"uid"` // also the file's name; links use it
	Title         string     `json:"title"`
	Description   string     `json:"description"`
	Tags          []string   `json:"tags"`
	SchemaVersion int        `json:"schemaVersion"`
	Version       int        `json:"version"`
	Editable      bool       `json:"editable"`
	GraphTooltip  int        `json:"graphTooltip"` // 1: a shared crosshair
	Refresh       string     `json:"refresh"`
	Time          TimeRange  `json:"time"`
	Timezone      string     `json:"timezone"`
	Templating    Templating `json:"templating"`
	Links         []Link     `json:"links"`
	Panels        []*Panel   `json:"panels"`
}

// TimeRange is what a dashboard shows at first, in Grafana's words (now-24h).
type TimeRange struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Templating holds the variables, in the order in which they are asked for.
type Templating struct {
	List []*Variable `json:"list"`
}

// Variable is one that the user chooses above the panels.
type Variable struct {
	Type        string      `json:"type"` // datasource, custom, query or textbox
	Name        string      `json:"name"`
	Label       string      `json:"label"`
	Description string      `json:"description,omitempty"`
	Datasource  *Datasource `json:"datasource,omitempty"`
	Query       any         `json:"query"` // text; of Prometheus a VariableQuery
	Definition  string      `json:"definition,omitempty"`
	Options     []Option    `json:"options,omitempty"`
	Current     *Option     `json:"current,omitempty"`
	IncludeAll  bool        `json:"includeAll,omitempty"`
	AllValue    string      `json:"allValue,omitempty"`
	Multi       bool        `json:"multi,omitempty"`
	Refresh     int         `json:"refresh,omitempty"` // 2: when the time range changes
	Sort        int         `json:"sort,omitempty"`    // 1: by name
	Hide        int         `json:"hide"`
}

// VariableQuery is the query of a variable of Prometheus.
type VariableQuery struct {
	Query   string `json:"query"`
	RefID   string `json:"refId"`
	QryType int    `json:"qryType"` // 1: label values
}

// Option is a value of a variable.
type Option struct {
	Text     any  `json:"text"`
	Value    any  `json:"value"`
	Selected bool `json:"selected"`
}

// Datasource names a data source; UID is a variable, ${prometheus} or ${pyroscope}.
type Datasource struct {
	Type string `json:"type"`
	UID  string `json:"uid"`
}

// Link leads to another page.
type Link struct {
	Title       string   `json:"title"`
	Type        string   `json:"type,omitempty"` // of a dashboard's links: dashboards
	URL         string   `json:"url,omitempty"`
	Tags        []string `json:"tags,omitempty"`
	AsDropdown  bool     `json:"asDropdown,omitempty"`
	IncludeVars bool     `json:"includeVars,omitempty"`
	KeepTime    bool     `json:"keepTime,omitempty"`
	TargetBlank bool     `json:"targetBlank,omitempty"`
}

// Panel is a picture, or the head of a row of them (Type "row").
type Panel struct {
	ID              int              `json:"id"`
	Type            string           `json:"type"`
	Title           string           `json:"title"`
	Description     string           `json:"description,omitempty"`
	Grid            Grid             `json:"gridPos"`
	Datasource      *Datasource      `json:"datasource,omitempty"`
	Targets         []Target         `json:"targets,omitempty"`
	Field           *FieldConfig     `json:"fieldConfig,omitempty"`
	Options         map[string]any   `json:"options,omitempty"`
	Transformations []Transformation `json:"transformations,omitempty"`
	TimeShift       string           `json:"timeShift,omitempty"` // how long ago, instead of the dashboard's time
	Collapsed       bool             `json:"collapsed,omitempty"`
}

// Grid is a panel's place: the page is 24 wide.
type Grid struct {
	H int `json:"h"`
	W int `json:"w"`
	X int `json:"x"`
	Y int `json:"y"`
}

// Target is one query of a panel: Prometheus' fields, or Pyroscope's.
type Target struct {
	RefID      string     `json:"refId"`
	Datasource Datasource `json:"datasource"`

	Expr         string `json:"expr,omitempty"`
	LegendFormat string `json:"legendFormat,omitempty"`
	Format       string `json:"format,omitempty"` // table, or time_series
	Instant      bool   `json:"instant,omitempty"`
	Range        bool   `json:"range,omitempty"`
	EditorMode   string `json:"editorMode,omitempty"`

	ProfileTypeID string   `json:"profileTypeId,omitempty"`
	LabelSelector string   `json:"labelSelector,omitempty"`
	QueryType     string   `json:"queryType,omitempty"` // profile: a flame graph; metrics: over time
	GroupBy       []string `json:"groupBy,omitempty"`
}

// FieldConfig is how values look.
type FieldConfig struct {
	Defaults  Field      `json:"defaults"`
	Overrides []Override `json:"overrides"`
}

// Field is how the values of a panel look.
type Field struct {
	Unit        string         `json:"unit"`
	Min         *float64       `json:"min,omitempty"`
	Max         *float64       `json:"max,omitempty"`
	Decimals    *int           `json:"decimals,omitempty"`
	NoValue     string         `json:"noValue,omitempty"`
	DisplayName string         `json:"displayName,omitempty"`
	Color       map[string]any `json:"color,omitempty"`
	Thresholds  *Thresholds    `json:"thresholds,omitempty"`
	Custom      map[string]any `json:"custom,omitempty"`
	Links       []Link         `json:"links,omitempty"`
}

// Thresholds color a value from each step on.
type Thresholds struct {
	Mode  string `json:"mode"`
	Steps []Step `json:"steps"`
}

// Step is one threshold; the first one's Value is nil, from below all.
type Step struct {
	Color string   `json:"color"`
	Value *float64 `json:"value"`
}

// Override is how one column or series looks.
type Override struct {
	Matcher    Matcher    `json:"matcher"`
	Properties []Property `json:"properties"`
}

// Matcher chooses columns or series.
type Matcher struct {
	ID      string `json:"id"`
	Options string `json:"options"`
}

// Property is one of a field's settings.
type Property struct {
	ID    string `json:"id"`
	Value any    `json:"value"`
}

// Transformation changes answers before they are shown.
type Transformation struct {
	ID      string         `json:"id"`
	Options map[string]any `json:"options"`
}
