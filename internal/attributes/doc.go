// Package attributes is the vocabulary of what users say of an application: whose it is, where it
// runs. Attributes come from the Spark configuration and from OpenTelemetry's environment
// variables, are bounded here, and leave on the resources of profiles and metrics
// (docs/use/dashboards.md).
//
// Standard library only, for all operating systems.
package attributes
