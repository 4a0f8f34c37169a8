// Records measures what planflame says of slow tasks, and writes build/bench/records.json (make
// bench-records).
//
//	test/jobs/slow.py ─▶ planflame run ─▶ summary.json ─▶ verdicts, gains
//	22 TPC-H queries  ─▶ planflame run ─▶ summary.json ─▶ flags
//
// A trial is one session of the job: three queries twice without a slow task, then with one each,
// at another row and another key. The parts (-parts) are:
//   - "verdicts": verdict_right is the part of the slow queries of which exactly one task is
//     flagged, with the right verdict. flags_false counts flags in the queries without a slow task.
//     gain_error compares, session by session, the gain that the replay predicts without the excess
//     with the gain by the queries' own clock. That is the time with the slow tasks less the second
//     time without them. It is the median of |replayed - measured| / measured.
//   - "clean": flags_clean is the flags in a hundred stages of the 22 TPC-H queries. Flags there
//     need not be false.
//
// A busy machine makes measured gains noisy: the clock of the queries counts what other processes
// take.
package main
