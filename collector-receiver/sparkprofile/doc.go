// Package sparkprofile is the spark_profile receiver of the Collector: it finds Spark JVMs on this host, samples their task threads and
// delivers one pprofile.Profiles a window, with query, stage and operator as attributes.
//
//	sampler.Sampler ──Sink──▶ pipeline.Pipeline ──▶ pipeline.Accumulator ──window──▶ pprofile.Profiles ──▶ next consumer
//
// A window holds one ResourceProfiles a JVM, with one Profile of type cpu/nanoseconds (and, where configured, a second one of type
// samples/count). Entry 0 of every dictionary table is the zero value.
//
// Invariants:
//   - Linux only; elsewhere the factory exists and creating the receiver is an error.
//   - The sampler's goroutine and the window's share the pipeline under one lock; the next consumer is called outside of it.
//   - Whatever is lost, unresolved, late or refused is counted in the receiver's own metrics (metadata.yaml).
//   - While it runs, the process's garbage is collected at 50 % of growth, unless GOGC or GOMEMLIMIT are set in its environment.
//   - It never knows a backend: attributes follow OpenTelemetry's names, the exporter chooses labels.
//
//go:generate go tool -modfile=../../tools/otel/go.mod mdatagen metadata.yaml
package sparkprofile
