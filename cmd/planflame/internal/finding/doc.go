// Package finding looks in the summary of a run for what its owner could do about its cost.
//
//	outcome.Summary ──▶ Of ──▶ up to three outcome.Finding
//
// A rule is a function of the summary alone. docs/use/findings.md has each rule, its thresholds and
// their sources; a rule without an entry there fails a test. It is better to say nothing than
// something wrong: 22 TPC-H queries get no finding but those that are true of them.
package finding
