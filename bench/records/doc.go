// Records measures what planflame says of slow tasks and slow records, and writes
// build/bench/records.json (make bench-records).
//
//	Causes.java       ─▶ planflame run ─▶ summary.json ─▶ verdicts
//	test/jobs/slow.py ─▶ planflame run ─▶ summary.json ─▶ gains
//	22 TPC-H queries  ─▶ planflame run ─▶ summary.json ─▶ flags
//	Programs.java, python.py ─▶ planflame run --records ─▶ summary.json ─▶ records
//	                                └─▶ planflame debug ─▶ rows of batches
//	Cases.java               ─▶ planflame run --records ─▶ summary.json ─▶ case studies
//	Keys.java                ─▶ planflame run --records ─▶ planflame debug ─▶ keys
//
// The parts (-parts) are:
//   - "verdicts": for each cause, a session of stages with one slow task each. The causes are more
//     rows, a slow row, a row that allocates, a row that sleeps, and processes beside the task.
//     verdict_right is the part of the trials in which the task is flagged with the right verdict.
//     Other flagged tasks of the stage must be its victims: they ran beside it, with its verdict.
//     right_CAUSE and victims_CAUSE are counts. gc_culprit counts the trials in which all victims
//     are told from the task that allocates, and gc_culprit_of those with victims.
//   - "gains": a trial is one session of three queries: twice without a slow task, then with one
//     each. gain_error compares, session by session, the gain that the replay predicts without the
//     excess with the gain by the queries' own clock. That is the time with the slow tasks less the
//     second time without them. It is the median of |replayed - measured| / measured. flags_false
//     counts flags of these two parts in stages without a slow task.
//   - "clean": flags_clean is the flags in a hundred stages of the 22 TPC-H queries. It counts
//     stages that could be judged, stages_clean: they have five tasks or more. Flags there need not
//     be false.
//   - "found": a trial has PerfDebug's three programs with one slow record each, which sleeps or
//     computes so long, in CPU time. They are RDDs over text, for 10 s and 1 s (found_10s,
//     found_1s), and SQL for 1 s on CSV (found_csv) and on Parquet (found_batch). found_row are
//     rows of batches by planflame debug. A figure counts the records that were named exactly, and
//     a figure with _of all.
//     debug_ratio is the task CPU of a run by planflame debug over the first run's, at most, also of
//     the next two parts.
//     false_records counts records that were named and are not slow. leaks counts notes of slow
//     records in anything that a session left.
//   - "python": the same with SQL on CSV, where a Python UDF makes the record slow (found_python).
//     found_python_row are rows by planflame debug.
//   - "keys": a trial has three RDD programs and four of SQL, each with a key that sleeps, and a
//     join whose rows have one key mostly.
//     found_key counts the keys that planflame debug named, found_key_PROGRAM the keys of a
//     program, and false_keys other keys.
//   - "cases": a trial has PerfDebug's three case studies, a session each. CASE_verdict counts the
//     sessions in which the slow task alone is flagged, with the right verdict. CASE_gain is the
//     time of the job over its time as its user mended it. taxi_precision is the part of the records
//     named for half of the time that are among the 1,001 slow ones. movies_named counts the giant
//     row. gain_error_cases is as gain_error, of taxi and movies: weather's mended map stage is
//     cheaper too.
//   - "quiet": false_records_clean is the records named in jobs_clean jobs without a slow one: the
//     22 TPC-H queries, the programs, and one that sends records in groups, in fresh JVMs. Each next
//     pair of JVMs has a small heap, spills, or runs beside 8 processes that compute.
//   - "watched": poller_share is what the watching thread takes of a core beside 16 tasks.
//     poller_share_steady is the same without its first ten seconds, in which the JVM compiles it.
//   - "cost": overhead_on is the task CPU with records watched, over the mean of two sessions
//     without, and overhead_null is their ratio.
//
// A busy machine makes measured gains noisy: the clock of the queries counts what other processes
// take.
package main
