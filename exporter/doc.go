// Package exporter is the pyroscope exporter of the Collector: it pushes profiles (OpenTelemetry's
// profiles signal) to Grafana Pyroscope.
//
//	pprofile.Profiles ──convert──▶ pprof ──ranking──▶ bounded labels ──push.Split──▶ push.Client ──▶ Pyroscope
//
// Invariants:
//   - The number of series is bounded. There are at most Series.MaxResources sets of resource
//     labels, and at most Series.MaxValues sets of resource and sample labels a profile type at one
//     time. Everything beyond goes under the value "other", with its weight kept, and is counted.
//   - A profile is stored once: what was pushed before a failure is not pushed again by the retry.
//   - Whatever is dropped is counted by reason, and the refusal's text is logged.
//
// It knows nothing of Spark: which attributes become labels is configuration.
//
//go:generate go tool -modfile=../scripts/tools/otel/go.mod mdatagen metadata.yaml
package exporter
