// Package contents reads what a run of planflame left, for tests and benches that look for what
// must not be there.
//
//	folder of results ──Of──▶ path → text, with recordings, profiles and pages unpacked
//
// The package imports no room of the project: it must find what the project's own readers overlook.
package contents
