package semconv

// EventPrefix begins the names of the judge's events: "spark.sql.cost.shift".
const EventPrefix = "spark.sql.cost."

// Attributes of events.
const (
	EventKind            = "spark.sql.cost.event"
	EventSince           = "spark.sql.cost.since" // RFC 3339
	EventSinceRun        = "spark.sql.cost.since.run"
	EventBefore          = "spark.sql.cost.before"
	EventBeforeRun       = "spark.sql.cost.before.run"
	EventFrom            = "spark.sql.cost.from" // CPU seconds a run
	EventTo              = "spark.sql.cost.to"
	EventRatio           = "spark.sql.cost.ratio"
	EventLower           = "spark.sql.cost.lower_ratio"
	EventUpper           = "spark.sql.cost.upper_ratio"
	EventRuns            = "spark.sql.cost.runs"
	EventProbability     = "spark.sql.cost.probability"
	EventCoreHours       = "spark.sql.cost.core_hours_per_week"
	EventOperators       = "spark.sql.cost.operators"
	EventAppeared        = "spark.sql.cost.operators.appeared"
	EventVanished        = "spark.sql.cost.operators.vanished"
	EventStack           = "spark.sql.cost.stack" // frames below the operator's, its callee first
	EventStackFrom       = "spark.sql.cost.stack.from"
	EventStackTo         = "spark.sql.cost.stack.to"
	EventRunsNeeded      = "spark.sql.cost.runs.needed"
	EventDashboardURL    = "spark.sql.cost.dashboard.url"
	EventFlameGraphURL   = "spark.sql.cost.flame_graph.url"
	EventFlameGraph      = "pyroscope.query"
	EventFlameBeforeFrom = "pyroscope.before.from"
	EventFlameBeforeTo   = "pyroscope.before.until"
	EventFlameAfterFrom  = "pyroscope.after.from"
	EventFlameAfterTo    = "pyroscope.after.until"
)
