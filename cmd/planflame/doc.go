// Command planflame shows which operators of which Spark SQL queries burn the CPU, with no server.
//
//	planflame run -- spark-submit job.py     runs a job, profiles its JVMs, prints a table of operators
//	planflame record -- spark-submit job.py  the same without the table
//	planflame debug [DIR] -- spark-submit …  runs it again, and names the slow rows of slow batches
//	planflame report [DIR]                   computes the results again from DIR/recording
//	planflame diff A B                       compares two runs, operator by operator
//	planflame trial plan, trial judge        what a change will cost all queries, from a few re-runs
//	planflame view [DIR]                     opens the page of DIR/recording, or with --pprof google/pprof's of DIR/profile.pb.gz
//	planflame doctor                         says whether this machine and this user allow it
//
// The way of the data of a run:
//
//	job's JVMs ──▶ sampler ──▶ recorder ──▶ DIR/recording ──▶ pipeline ──▶ accumulator ──▶ profile.pb.gz, summary.json, report.html, table
//	/proc ──▶ accountant ──────────┘        (exact CPU of other threads and Python workers)
//
// Exit codes: run and record end with the job's own (128 + signal, 127 and 126 as a shell has
// them). doctor ends with 1 if nothing can be sampled, diff with 3 if --fail-above says so.
// Everything else ends with 0, or with 2 and one line on stderr that names what could not be used.
//
// The job comes first: whatever goes wrong with profiling costs one line on stderr, and the job
// runs on with its own exit code. Standard output belongs to the job; everything planflame says
// goes to stderr, but for the summary that --json asks for, which is one line on stdout after the
// job's end.
package main
