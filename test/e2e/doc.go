// Package e2e runs planflame as its users do: real Spark from PyPI, the built command line and
// Collector, a real Pyroscope, and asks their public interfaces for the answer. It has the build
// tag e2e; `make test-e2e` builds what it needs and runs it.
//
// If the tests run as root, what depends on who runs it runs twice. As root the Collector opens the
// perf events; as uid 65534, in a child process, the JVMs open their own. Started by an ordinary
// user, only that user's half can run, and the root half is skipped with the reason; in CI
// (CI=true) a skip is a failure. Only TestLibraryOnMusl/loader may skip there: no package registry
// carries musl's loader.
//
// Most of what a test costs is the CPU of JVMs that start and compile, so that two at once on two
// cores would save little. A job therefore has as many JVMs as its test needs and ends when its
// test has seen enough. Both Sparks and both users come up, but not each pair in each test. What a
// job returns without planflame is kept (testdata) rather than computed each time.
//
// What a machine refuses that this one does not is made by the command confine, in a folder of its
// own: seccomp filters, limits, namespaces.
//
// Shape of the data: Spark job → planflame run → summary.json, and Spark executors →
// planflame-collector → Pyroscope → its query API.
package e2e
