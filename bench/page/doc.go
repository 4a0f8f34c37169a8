// Page measures the page, the report and the comparison of recordings, and writes
// build/bench/page.json (make bench-page).
//
//	22 TPC-H queries ─▶ planflame run ─▶ recording ─┬─▶ report --format json ─▶ CPU a sample
//	                                                └─▶ report --format html ─▶ columns ─▶ 1 million, 10 million ─▶ Chromium
//
// Three recordings serve it, all of the 22 queries with AQE on. "large" is made at a high rate, as
// many passes as -passes says, and has a million samples or more. "first" and "second" are of one
// job at -diff-hz, recorded twice. They differ in one literal: an expression of the query "burn"
// goes through 30 % more elements in the second.
//
// The columns of "large" are cut to its first million samples; its tables and its stacks stay
// whole. If it has fewer samples, the columns are repeated behind each other in time until there
// are enough. The figure real_samples says how many samples were recorded. The ten million samples
// are always that million, ten times: the stacks and the labels stay the same.
//
// Costs of the page are CPU of the main thread in a real Chromium, headless, at 1440 by 900. A
// brush is a move of the pointer with the button down, on the whole session, until the next frame
// is drawn. "Exact" is the release of the button.
//
// The parts (-parts) are:
//   - "size": bytes_per_sample of "large", and report_us_per_sample, the CPU of one report of it.
//   - "open": open_cpu_s, brush_cpu_ms and their exact and 10-million companions.
//   - "sums": sum_mismatches of "first". Node runs the page's model, which is held against the
//     report of the same selection. Each view of the page is held against the others. Both agree to
//     a millisecond and to the sample. The totals of pprof, collapsed and speedscope are held
//     against the report's.
//   - "cells": merged_bodies, foreign_stage_samples and twin_lines of "first". A body is the text
//     of a generated class. A stage runs a node if it updates an accumulator of it, or of its
//     place. Two rows are twins if one query shows them under one name at one place.
//   - "diff": diff_false_share of the operators of the 22 queries, and diff_found, which is 1 if
//     the operator with the expression is told to cost more.
package main
