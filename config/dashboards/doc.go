// Package dashboards holds planflame's Grafana dashboards as code.
//
//	fleet.go, query.go, shifts.go, trial.go ──All──▶ Dashboard ──Encode──▶ config/grafana/dashboards/*.json
//
// The fleet page shows who uses the CPU and whether the profiler is healthy. The query page shows
// operators with 95 % intervals. The shifts page shows what became more expensive and since when,
// before and after. The trial page shows re-runs under a change beside usual runs. Their queries go
// to Prometheus (the metrics of config/operator-costs.yaml and of the Collectors themselves) and to
// Pyroscope; docs/use/dashboards.md describes them.
//
// The model is Grafana's own JSON of dashboards, schema version 41 (Grafana 11.6 and later), of
// which grafana.go has the part that is used. Grafana's foundation SDK was the first choice: none
// of its versions can be had from the Go module proxy.
//
// Invariants, held by tests:
//   - what is committed is what the code makes;
//   - every panel has a description, every number a unit;
//   - every variable that a query names is there, and is asked for before it is used;
//   - against real servers every query of every panel answers (test/e2e, dashboardsAnswer). What is
//     rightly empty while all is well answers 0, with its labels.
//
// It imports the standard library only.
//
//go:generate go run ./internal/write -out ../grafana/dashboards
package dashboards
