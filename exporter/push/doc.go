// Package push sends pprof profiles to a Pyroscope server: one request a profile, split to the
// server's limits first.
//
//	*profile.Profile ──Split──▶ profiles within Limits ──Client.Push──▶ POST /push.v1.PusherService/Push (Connect protocol)
//
// Invariants:
//   - A request carries exactly one profile of one series, so that it is taken or refused as a
//     whole and a retry never stores twice.
//   - String labels of samples become labels of the series: Pyroscope splits a profile by each
//     distinct set of them. Numeric labels are ignored by the server. Whoever calls bounds both.
//   - Every failure is an *Error that says whether to try again.
//
// It knows nothing of the Collector and nothing of Spark.
package push
