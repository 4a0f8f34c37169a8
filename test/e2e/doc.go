// Package e2e runs planflame as its users do: real Spark from PyPI, the built command line and Collector, a real Pyroscope, and
// asks their public interfaces for the answer. It has the build tag e2e; `make test-e2e` builds what it needs and runs it.
//
// Where the tests run as root, every scenario runs twice: as root (the Collector opens the perf events) and as uid 65534 in a child
// process (the JVMs open their own). Started by an ordinary user, only that user's half can run, and the root half is skipped with
// the reason; in CI (CI=true) a skip is a failure.
//
// What a machine refuses that this one does not is made by the command confine, in a folder of its own: seccomp filters, limits, namespaces.
//
// Shape of the data: Spark job → planflame run → summary.json, and Spark executors → planflame-collector → Pyroscope → its query API.
package e2e
