// Shift measures what package shift finds on real Spark runs: which shifts of an operator's cost,
// within how many runs, and what it reports if nothing happened.
//
//	go run ./bench/shift -out build/bench/shift.json
//
//	test/jobs/passes.py on Spark with the plugin ──▶ built Collector, config/collector.yaml ──OTLP/JSON──▶ requests.jsonl
//	        └──▶ executions.jsonl, event log                                                                │
//	                                  sparkshift.Runs (the connector's own code) ◀──────────────────────────┘
//	                                          └──▶ shift.Fleet, as shipped, at the level of a large fleet
//
// Each SQL execution is a run. A session (a JVM) runs all statements in passes, in an order that
// each pass draws again:
//
//   - burn, a query with four operators of a fifth to a quarter of its CPU each, as always and with
//     one of them more expensive by 10, 20 or 50 %. A burn is a search through an array for what is
//     not in it. It allocates nothing, and the compiler cannot fold it. A literal sets its cost, so
//     query, plan and operators keep their fingerprints. How much more expensive it really was is
//     told by Spark's own account of CPU;
//   - report, a query as always and with other causes: data three times larger, other literals,
//     another codec of its files, a sort-merge join, a skewed key;
//   - queries of TPC-H, to which nothing happens.
//
// Burn and TPC-H's queries read other data of the same kind and size in each pass. Orders and
// lineitem have editions, drawn from larger tables by different seeds.
//
// The last passes run on a slower host: a timer interrupts each task again and again, and the
// kernel's work for it is CPU of the task. Another session runs everything as always on two
// executors. One more has smaller partitions, whose tasks cost scans and exchanges more. In a last
// one dynamic allocation makes executors leave and join all the time. It is judged by itself, as
// runs to which nothing was done. All of it is recorded; -reuse judges the records again.
//
// # What is independent, and what is not
//
// False alarms, spread and causes are judged in the order in which things ran, each run once. The
// runs of a query share its JVMs and what else the machine did. So runs beside each other are
// alike, and operators of one run even more. Detection is drawn: each trial draws -history runs as
// always and five more expensive ones from the runs of a session, in random order without
// replacement. Trials of a session share its runs: more of them make the share exact for these
// sessions, and say nothing about others. Sessions and operators are the independent units. Drawing
// breaks up what neighbors in time have in common, which the replays in order have.
//
// Detection is drawn. Each trial draws -history runs as always and five more expensive ones from
// one session, in random order without replacement. Trials of a session share its runs: more trials
// make the share exact for these sessions and say nothing about others. Sessions and operators are
// the independent units. Drawing breaks up what neighboring runs have in common; the replays in
// order keep it.
//
// Shifts are also multiplied into real runs to which nothing happened ("spiked"), for every query
// with enough runs, over all JVMs. -also takes more such runs from sessions of bench/accuracy.
//
// The level is one page a week for a fleet of 200,000 operator-runs a day. The figures
// …_small_fleet are the same draws at the shipped level of a fleet with 10,000 operator-runs a week
// or fewer.
//
// Runs on a busy machine vary. run_cv says by how much. A goal for a class of CV has its figure
// only if sessions were in that class; found_20pct_within2 and the like are over all sessions.
package main
