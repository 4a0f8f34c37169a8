// Package semconv holds the names on the wire, each once: attributes, metrics and events of
// planflame's own namespaces, and the names of OpenTelemetry that it sets.
//
// docs/use/glossary.md says what the things are. A name that left in a release stays. The package
// imports nothing, and every room that writes or reads OTLP imports it.
package semconv
