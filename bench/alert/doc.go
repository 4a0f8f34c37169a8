// Alert measures the way from a shift of an operator's cost to its alert, with the files that users
// run as they are.
//
//	go run ./bench/alert -out build/bench/alert.json
//
//	test/jobs/passes.py on Spark, a JVM for each run ──▶ Collector: config/collector.yaml + operator-costs.yaml ──▶ Prometheus ──▶ Alertmanager
//	        └── task CPU, event log ──▶ report ◀── OTLP/JSON, what each run cost ──┘                              └── alerts ──▶ report
//
// Rates and windows are the shipped ones. The environment sets addresses and folders. One more file
// adds a pipeline for the report, and an include of the bench's own JVMs. Applications run one
// after the other, not a night apart. The report judges the same runs again as if they had been:
// runs that follow each other soon need more of them. It simulates shifts of other sizes with the
// spread and the samples that were measured. A simulation's figures are under "simulated", real
// ones under "live".
package main
